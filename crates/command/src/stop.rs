//! The reasons why a proof or a search stops before a decision.

use std::time::Duration;

use super::error::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The time limit has passed.
    Time(Duration),
    Signal,
}

impl StopReason {
    /// Returns the name of the reason in JSON.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Time(_) => "time",
            StopReason::Signal => "signal",
        }
    }

    /// Returns the failure that says that the question about the rule code `code` is still open.
    pub fn failure(self, code: &str) -> Failure {
        Failure::work(match self {
            StopReason::Time(limit) => format!("{code}: not decided in {} s", limit.as_secs_f64()),
            StopReason::Signal => format!("{code}: stopped before a decision"),
        })
    }
}
