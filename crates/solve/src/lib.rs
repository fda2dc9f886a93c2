//! From rules to values. `brute` is the oracle of the tests, `tiers` the kernel for dense acyclic games, `layers`
//! the one for sparse acyclic games and for what lies below a late position (`below`, for one question); `waves` is the
//! kernel for dense cyclic games, `sparse` the one for cyclic games of few positions; `search` stands for what finds
//! the values of single positions without a table, as `alphabeta` does for acyclic games with what it keeps by
//! `transposition`; `strategy` stands for what knows who wins and how.

// Without `write` much of what only whole runs use is left over.
#![cfg_attr(not(feature = "write"), allow(dead_code, unused_imports))]

pub mod adapters;
pub mod alphabeta;
pub mod audit;
pub mod brute;
pub mod estimate;
pub mod evaluate;
pub mod levels;
pub mod perft;
#[cfg(feature = "write")]
pub mod pipeline;
pub mod retrograde;
pub mod search;
pub mod space;
pub mod sparse;
mod strategy;
pub mod subgame;
pub mod tiers;
pub mod transposition;

pub use yomikiri_table::progress::{Progress, SHARES, Silent};

use std::path::Path;
use std::time::Duration;

use estimate::Estimate;
pub use search::{Search, Solution, best_line};
pub use strategy::Strategy;
use yomikiri_rules::game::{Game, TextError};
use yomikiri_rules::value::Side;
use yomikiri_table::entries::{EntryReader, listed_within};
use yomikiri_table::probe;
use yomikiri_table::source::ReadSeek;
use yomikiri_table::{Table, TableError};

/// What a run is asked to do, beside the game.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Bytes the run may keep in memory.
    pub memory: u64,
    /// Drop unfinished work first.
    pub force: bool,
    /// How often to keep what is known while waves run.
    pub checkpoint: Duration,
    pub progress: &'a dyn Progress,
}

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Text(#[from] TextError),
    /// The work does not fit; the text says what would.
    #[error("{0}")]
    TooLarge(String),
    /// The audit found a wrong value.
    #[error("{0}")]
    Wrong(String),
}

/// What a run takes per undecided position, measured (docs/perf).
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Bytes of the finished table, and of work files beside it.
    pub table: f64,
    pub work: f64,
    /// Positions a second on two cores, audit included.
    pub rate: f64,
}

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

/// A game the command can solve. `root` is a later position to solve from, or `None` for the whole game.
pub trait Solvable: Game {
    /// Whose wins the result calls whose: who is to move at a ply; nobody where positions are the same for both sides.
    fn side_at(&self, ply: u32) -> Option<Side> {
        (!Self::CYCLIC).then(|| Side::at_ply(ply))
    }

    /// Whether positions of a ply can arise again later; then plies say nothing and values are counted by who is to move.
    const CYCLIC: bool;

    /// What a whole run takes per undecided position.
    const COSTS: Costs;

    /// Bytes of memory that a run over the whole game cannot do without; `None` if it is out of question.
    fn memory_needed(&self) -> Option<u64>;

    /// How many undecided positions there are, by sampling.
    fn estimate(&self) -> Estimate;

    /// Enumerates and solves into a finished table file at `path`.
    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&Self::Position>, path: &Path, job: &Job) -> Result<(), SolveError>;

    /// Checks every position of a finished table, and that it counts them right.
    fn audit(&self, root: Option<&Self::Position>, table: &Table, job: &Job) -> Result<(), SolveError>;

    /// The value of a position in a table of this game; `None` if it is not there.
    fn probe(&self, table: &Table, position: &Self::Position) -> Result<Option<Self::Value>, TableError> {
        probe::probe(table, self.key(position))
    }

    /// Checks `count` different positions of a table, drawn at random (the same ones each time), or as many as there are;
    /// returns how many.
    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
        audit::verify_sample(self, table, count, progress)
    }

    /// Makes what reads the positions of a table in ranges of keys.
    fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>, SolveError> {
        Ok(Box::new(|range| listed_within(table, range)))
    }

    /// A search for the values of single positions that keeps at most `memory` bytes; `None` if the game has none.
    fn searcher(&self, _memory: u64) -> Option<Box<dyn Search<Self>>> {
        None
    }

    /// Reads a certificate of this game; `path` is what errors call it.
    fn strategy(&self, _file: &mut dyn ReadSeek, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        Err(TableError::foreign(path, format!("there are no certificates of {}", self.code())))
    }

    /// Solves everything below a position for one question, if that takes no more than `memory` bytes.
    fn solve_below(
        &self,
        position: &Self::Position,
        memory: u64,
        progress: &dyn Progress,
    ) -> Result<Solved, SolveError>;
}
