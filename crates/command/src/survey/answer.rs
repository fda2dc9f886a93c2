//! The question of a survey, as an argument.

use clap::ValueEnum;
use yomikiri_answer::survey::Question;

/// The question that a survey answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QuestionArgument {
    /// The winner
    Winner,
    /// The first moves that win, or that draw if none wins
    FirstMoves,
    /// The number of plies to the end, or the score
    Plies,
    /// The komi with which neither side has an advantage
    FairKomi,
}

impl From<QuestionArgument> for Question {
    fn from(answer: QuestionArgument) -> Question {
        match answer {
            QuestionArgument::Winner => Question::Winner,
            QuestionArgument::FirstMoves => Question::FirstMoves,
            QuestionArgument::Plies => Question::Plies,
            QuestionArgument::FairKomi => Question::FairKomi,
        }
    }
}
