//! Why solving fails.

use yomikiri_rules::TextError;
use yomikiri_table::TableError;
use yomikiri_table::threads::Refused;

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Text(#[from] TextError),
    /// The system refused to start threads.
    #[error(transparent)]
    Threads(#[from] Refused),
    /// The work does not fit; the text says what would.
    #[error("{0}")]
    TooLarge(String),
    /// The audit found a wrong value.
    #[error("{0}")]
    Wrong(String),
}

impl SolveError {
    /// Whether bytes are missing that will come later ([`TableError::is_waiting`]).
    pub fn is_waiting(&self) -> bool {
        matches!(self, SolveError::Table(error) if error.is_waiting())
    }
}

/// What comes of solving.
pub type Result<T, E = SolveError> = std::result::Result<T, E>;
