//! What is kept of one kind of search.

use super::header::Details;

/// A kind of search, as checkpoints see it.
pub trait Kind: 'static {
    /// In the names of files, and for people: "checkpoint of a ...".
    const NAME: &'static str;
    /// The first bytes of a file, and the version of its format.
    const MAGIC: [u8; 8];
    const VERSION: u16;

    /// What the header has beside what all have.
    type Details: Details;
    /// An entry of the transposition table.
    type Entry: Copy;
    /// An entry as numbers, the key first.
    type Numbers: Copy + Default + AsRef<[u64]> + AsMut<[u64]>;
    /// Bytes that each of the numbers takes before it is compressed.
    const WIDTHS: &'static [u32];

    fn numbers(entry: &Self::Entry) -> Self::Numbers;

    /// The entry of these numbers; an error if no search has such a one.
    fn entry(numbers: Self::Numbers) -> Result<Self::Entry, String>;

    /// The higher, the sooner there is room for it; less than [`RANKS`].
    fn rank(entry: &Self::Entry) -> usize;
}

/// Ranks there can be.
pub const RANKS: usize = 256;
