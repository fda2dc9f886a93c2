//! Why there is no answer.

use yomikiri_rules::TextError;
use yomikiri_solve::SolveError;
use yomikiri_table::TableError;

/// What is said of positions below which there is more than can be solved for one question.
pub const TOO_LARGE: &str = "too much lies below this position to be solved for one question";

/// Why there is no answer.
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
