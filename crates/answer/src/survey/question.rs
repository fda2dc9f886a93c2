//! The question of a survey.

use serde::{Deserialize, Serialize};

/// The question about each variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// The winner.
    Winner,
    /// The first moves that win, or that draw if none wins.
    FirstMoves,
    /// The plies to the end of the game, or the points by which it is won.
    Plies,
    /// The komi, the points for White, with which neither side has an advantage.
    FairKomi,
}

impl Question {
    /// Returns the name of the question in arguments and records.
    pub fn name(self) -> &'static str {
        match self {
            Question::Winner => "winner",
            Question::FirstMoves => "first-moves",
            Question::Plies => "plies",
            Question::FairKomi => "fair-komi",
        }
    }
}
