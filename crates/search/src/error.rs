//! Errors of searching.

use yomikiri_table::TableError;
use yomikiri_table::memory::RefusedMemory;
use yomikiri_table::threads::Refused;

/// The reasons why a search stops without a result.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// A file cannot be read, written or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system refused to start threads.
    #[error(transparent)]
    Threads(#[from] Refused),
    /// The system refused memory.
    #[error(transparent)]
    Memory(#[from] RefusedMemory),
    /// The value changes along the best line from a position: two results of the search contradict each other.
    #[error(
        "{position}: two results of the search contradict each other: the value changes after {moves} of the best \
         line; this is a fault of the program or of the machine"
    )]
    ValueChanges {
        /// The position at the start of the line, as text.
        position: String,
        /// The moves of the line up to the change, as text.
        moves: String,
    },
}

/// The result type of searches.
pub type Result<T, E = SearchError> = std::result::Result<T, E>;
