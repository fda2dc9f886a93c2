//! The kinds of search that have checkpoints.

use super::header::ProgressCounts;

/// A kind of search that has checkpoints.
pub trait Kind: 'static {
    /// The name in file names and messages: "checkpoint of a ...".
    const NAME: &'static str;
    /// The magic bytes at the beginning of a file.
    const MAGIC: [u8; 8];
    /// The version of the file format.
    const VERSION: u16;

    /// The counts of progress in the header of a checkpoint of this kind.
    type Counts: ProgressCounts;
    /// An entry of the transposition table.
    type Entry: Copy;
    /// An entry as an array of numbers. The first number is the key.
    type Numbers: Copy + Default + AsRef<[u64]> + AsMut<[u64]>;
    /// The size in bytes of each number of an entry before compression.
    const WIDTHS: &'static [u32];

    /// Converts an entry to numbers.
    fn numbers(entry: &Self::Entry) -> Self::Numbers;

    /// Converts numbers to an entry. Returns an error if no search can have such an entry.
    fn entry(numbers: Self::Numbers) -> Result<Self::Entry, String>;

    /// Returns the priority of an entry, below [`PRIORITIES`]. If a file has no room for all entries, it stores those
    /// of the highest priorities.
    fn priority(entry: &Self::Entry) -> usize;
}

/// The number of different priorities that entries can have, from 0 on.
pub const PRIORITIES: usize = 256;
