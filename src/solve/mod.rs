//! From rules to values. `brute` is the oracle of the tests, `tiers` the kernel for dense acyclic games, `layers`
//! the one for sparse acyclic games and for what lies below a late position.

pub mod brute;
pub mod layers;
mod progress;
pub mod tiers;

pub use progress::{Progress, Silent};

use std::path::PathBuf;

use crate::game::{Game, TextError};
use crate::table::TableError;

/// What a run is asked to do, beside the game.
pub struct Job<'a> {
    /// Folder of tables; created if it is not there.
    pub folder: PathBuf,
    /// Bytes the run may keep in memory.
    pub memory: u64,
    /// Drop unfinished work and a finished table first.
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

/// A game the command can solve; more in `run`.
pub trait Solvable: Game {}
impl Solvable for crate::games::binarsi::Binarsi {}
