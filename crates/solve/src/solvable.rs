//! What the command asks of a game: solve, audit, probe, what a run costs.

use std::ops::Range;
use std::path::Path;

use crate::adapter::Adapter;
use crate::estimate::Estimate;
use crate::move_counts::CountMoves;
use crate::{Resident, Result, SolveOptions, Wins};
use yomikiri_table::entries::{Entries, EntryReader};
use yomikiri_table::{Progress, Table, TableError};

/// All positions below one, solved in memory.
pub struct Solved {
    /// Sorted keys with a table byte each, in one or more lists.
    pub levels: Vec<(Vec<u64>, Vec<u8>)>,
}

impl Solved {
    /// The table byte of a key.
    pub fn byte(&self, key: u64) -> Option<u8> {
        self.levels.iter().find_map(|(keys, bytes)| keys.binary_search(&key).ok().map(|at| bytes[at]))
    }
}

/// A game the command can solve, by the kernel that its line in the registry names ([`crate::kernels`]). `root` is a
/// later position to solve from, or `None` for the whole game.
pub trait Solvable: Adapter {
    /// Whether positions of a ply can arise again later; then plies say nothing and values are counted by who is to
    /// move.
    const CYCLIC: bool;

    /// Bytes of memory that a run over the whole game cannot do without; `None` if it is out of question.
    fn memory_needed(&self) -> Option<u64>;

    /// How many undecided positions there are, by sampling.
    fn estimate(&self) -> Estimate;

    /// Enumerates and solves into a finished table file at `path`.
    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&Self::Position>, path: &Path, options: &SolveOptions) -> Result<()>;

    /// Checks every position of a finished table, and that it counts them right. Under a name that is not yet that of a
    /// table (`unaudited`), what long audits have come through is kept beside it, and taken up again.
    #[cfg(feature = "write")]
    fn audit(&self, root: Option<&Self::Position>, table: &Table, options: &SolveOptions) -> Result<()>;

    /// Writes a finished table anew, in its place, in the smaller of its forms; false if it has that. Only tables that
    /// leave an outcome out have one.
    #[cfg(feature = "write")]
    fn pack(&self, path: &Path, progress: &dyn Progress) -> Result<bool>;

    /// The value of a position in a table of this game; `None` if it is not there.
    fn probe(&self, table: &Table, position: &Self::Position) -> Result<Option<Self::Value>, TableError>;

    /// The bytes of values of keys in a table of this game; 0 for those that it does not have. The keys ascend; each
    /// block of the table is inflated once or twice, whatever the number of keys, and none if the table is `resident`.
    fn probe_all(&self, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError>;

    /// Reads a table into memory: one that leaves an outcome out, a byte for each key of the game, or one of rows, some
    /// nine bytes for each and one for each position; `None` of sorted keys, where each is found in one block.
    fn load(&self, table: &Table, wins: Wins) -> Result<Option<Resident>>;

    /// The positions of a table whose keys are in a range. One that leaves wins out is read into memory for it, unless
    /// it is `resident`.
    fn entries(&self, table: &Table, resident: Option<&Resident>, range: Range<u64>) -> Result<Entries>;

    /// Checks `count` different positions of a table, drawn at random (the same ones each time), or as many as there
    /// are; returns how many.
    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64>;

    /// Makes what reads the positions of a table in ranges of keys.
    fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>>;

    /// What counts the moves of positions of a table of this game, with some `memory` bytes for what it keeps.
    fn move_counter<'a>(&'a self, table: &'a Table, memory: u64) -> Result<Box<dyn CountMoves + 'a>>;

    /// Solves everything below a position for one question, if that takes no more than `memory` bytes.
    fn solve_subgame(&self, position: &Self::Position, memory: u64, progress: &dyn Progress) -> Result<Solved>;
}
