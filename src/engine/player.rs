//! What every player is given, tells while it thinks, and answers.

use std::time::Duration;

use super::session::Session;
use crate::game::Game;
use crate::solve::SolveError;
use crate::value::{Outcome, Plies};

/// Chooses moves.
pub trait Player<G: Game> {
    /// A move in a game that is not over.
    fn choose(
        &mut self,
        session: &Session<G>,
        limits: &Limits,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Choice<G::Move>, SolveError>;
}

/// How long a player may think. Without any limit it thinks until it is told to stop or there is nothing left to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    pub time: Option<Duration>,
}

/// The answer of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    pub mv: M,
    /// What the side to move can expect, repetitions so far included.
    pub score: Score,
}

/// What a player takes a position to be worth for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Won(Plies),
    Lost(Plies),
    Drawn,
    /// A guess in the unit of [`super::Evaluate::evaluate`].
    Guess(i32),
}

impl Score {
    /// What is certain: the outcome and, unless it is a draw, the plies to the end.
    pub fn known(outcome: Outcome, plies: u16) -> Score {
        match outcome {
            Outcome::Win => Score::Won(Plies(plies)),
            Outcome::Draw => Score::Drawn,
            Outcome::Loss => Score::Lost(Plies(plies)),
        }
    }

    /// Plies to a win or loss that is certain.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Score::Won(plies) | Score::Lost(plies) => Some(plies),
            Score::Drawn | Score::Guess(_) => None,
        }
    }
}

/// What a player tells while it thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report<M> {
    /// A search has looked so many plies ahead.
    Searched { depth: u32, nodes: u64, time: Duration, score: Score, line: Vec<M> },
    /// A table knows the value.
    Known { score: Score, mv: M, remark: String },
    /// Something people should know.
    Remark(String),
}

/// The one who asked.
pub trait Listener<M> {
    /// Takes a report.
    fn hear(&mut self, report: Report<M>);

    /// Whether to stop thinking and answer. Asked many times a second.
    fn wants_answer(&mut self) -> bool;
}

/// Waits in silence.
pub struct Patient;

impl<M> Listener<M> for Patient {
    fn hear(&mut self, _: Report<M>) {}

    fn wants_answer(&mut self) -> bool {
        false
    }
}
