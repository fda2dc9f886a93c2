//! The questions of a survey.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Who wins
    Winner,
    /// Which first moves win, or draw where none wins
    FirstMoves,
    /// In how many plies, or by how much
    Plies,
    /// With which komi nobody has an advantage
    FairKomi,
}

impl Answer {
    /// The word for it in arguments.
    pub fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().into())
    }
}
