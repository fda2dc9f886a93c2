//! Errors of solving.

use yomikiri_rules::TextError;
use yomikiri_search::SearchError;
use yomikiri_table::TableError;
use yomikiri_table::memory::RefusedMemory;
use yomikiri_table::threads::Refused;

/// The reasons why a run stops.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A file cannot be read, written or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A text, such as a rule code or a position, is not valid.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The system refused to start threads.
    #[error(transparent)]
    Threads(#[from] Refused),
    /// The work exceeds a limit, such as the memory. The text names the limit.
    #[error("{0}")]
    TooLarge(String),
    /// A check, such as an audit, found an error in the results.
    #[error("{0}")]
    Wrong(String),
}

impl From<RefusedMemory> for SolveError {
    fn from(refused: RefusedMemory) -> SolveError {
        SolveError::TooLarge(refused.to_string())
    }
}

impl From<SearchError> for SolveError {
    fn from(error: SearchError) -> SolveError {
        match error {
            SearchError::Table(error) => error.into(),
            SearchError::Threads(refused) => refused.into(),
            SearchError::Memory(refused) => refused.into(),
            SearchError::ValueChanges { .. } => SolveError::Wrong(error.to_string()),
        }
    }
}

impl SolveError {
    /// Returns true if the error is only that some bytes have not arrived yet ([`TableError::is_waiting`]).
    pub fn is_waiting(&self) -> bool {
        matches!(self, SolveError::Table(error) if error.is_waiting())
    }
}

/// The result of solving.
pub type Result<T, E = SolveError> = std::result::Result<T, E>;
