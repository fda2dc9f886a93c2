//! Why a proof or a search has ended before anything was decided.

use std::time::Duration;

use super::error::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It had so long.
    Time(Duration),
    Signal,
}

impl Stop {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Time(_) => "time",
            Stop::Signal => "signal",
        }
    }

    /// The line about it; `code` is the game.
    pub fn failure(self, code: &str) -> Failure {
        Failure::Work(match self {
            Stop::Time(limit) => format!("{code}: not decided in {} s", limit.as_secs_f64()),
            Stop::Signal => format!("{code}: stopped before it was decided"),
        })
    }
}
