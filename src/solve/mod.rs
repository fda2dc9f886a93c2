//! From rules to values. `brute` is the oracle of the tests, `tiers` the kernel for dense acyclic games, `layers`
//! the one for sparse acyclic games and for what lies below a late position.

pub mod brute;
pub mod estimate;
pub mod layers;

pub mod tiers;
pub mod waves;

pub use crate::progress::{Progress, Silent};

use std::path::Path;

use crate::game::{Game, TextError};
use crate::table::{Table, TableError, Tally};
use crate::value::Side;
use estimate::{Capacity, Estimate, Limits};
use tiers::Tiered;

/// What a run is asked to do, beside the game.
pub struct Job<'a> {
    /// Bytes the run may keep in memory.
    pub memory: u64,
    /// Drop unfinished work first.
    pub force: bool,
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

/// A game the command can analyse as a whole.
pub trait Solvable: Game {
    /// Who is to move at a ply.
    fn side_at(&self, ply: u32) -> Side {
        Side::at_ply(ply)
    }

    /// Bytes of memory that a run over the whole game cannot do without; `None` if it is out of question.
    fn memory_needed(&self) -> Option<u64>;

    /// Enumerates and solves the whole game into a finished table file at `path`.
    fn solve_whole(&self, path: &Path, job: &Job) -> Result<(), SolveError>;

    /// How many positions a game can pass through from `root` on, by sampling. Too high rather than too low below
    /// late positions.
    fn estimate(&self, root: &Self::Position) -> Estimate;

    /// Checks a finished table of the whole game; returns what it counted.
    fn audit_whole(&self, table: &Table, memory: u64, progress: &dyn Progress) -> Result<Tally, SolveError>;
}

impl<G: Tiered + Capacity> Solvable for G {
    fn memory_needed(&self) -> Option<u64> {
        tiers::needs(self)
    }

    fn solve_whole(&self, path: &Path, job: &Job) -> Result<(), SolveError> {
        tiers::analyze(self, path, job)
    }

    fn estimate(&self, root: &Self::Position) -> Estimate {
        estimate::positions(self, root, Limits::default())
    }

    fn audit_whole(&self, table: &Table, memory: u64, progress: &dyn Progress) -> Result<Tally, SolveError> {
        tiers::audit(self, table, memory, progress)
    }
}
