//! The reasons why a question has no answer.

use yomikiri_rules::TextError;
use yomikiri_solve::SolveError;
use yomikiri_table::TableError;

/// The error message for a position whose subgame is too large for one question.
pub const TOO_LARGE: &str = "the subgame of this position is too large for one question";

/// The reason why a question has no answer.
#[derive(Debug)]
pub enum Failure {
    Text(String),
    Solve(SolveError),
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Failure {
        Failure::Text(error.to_string())
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        Failure::Solve(error)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Solve(error.into())
    }
}
