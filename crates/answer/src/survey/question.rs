//! The question of a survey.

use serde::{Deserialize, Serialize};

/// What is asked about each variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Who wins.
    Winner,
    /// Which first moves win, or draw where none wins.
    FirstMoves,
    /// In how many plies the game ends, or by how much it is won.
    Plies,
    /// With which komi nobody has an advantage.
    FairKomi,
}

impl Question {
    /// The word for it in arguments and records.
    pub fn name(self) -> &'static str {
        match self {
            Question::Winner => "winner",
            Question::FirstMoves => "first-moves",
            Question::Plies => "plies",
            Question::FairKomi => "fair-komi",
        }
    }
}
