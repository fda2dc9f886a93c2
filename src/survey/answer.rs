//! The question of a survey as an argument.

use clap::ValueEnum;
use yomikiri_answer::survey::Question;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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

impl From<Answer> for Question {
    fn from(answer: Answer) -> Question {
        match answer {
            Answer::Winner => Question::Winner,
            Answer::FirstMoves => Question::FirstMoves,
            Answer::Plies => Question::Plies,
            Answer::FairKomi => Question::FairKomi,
        }
    }
}
