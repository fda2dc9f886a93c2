//! What every player is given, tells while it thinks, and answers; and players that look no further than their own
//! move.

use std::time::Duration;

use fastrand::Rng;

use super::session::Session;
use yomikiri_answer::Source;
use yomikiri_rules::{Game, Measure, Outcome, Plies, Value};
use yomikiri_solve::{Evaluate, Result, SolveError};

/// Chooses moves.
pub trait Player<G: Game> {
    /// A move in a game that is not over.
    fn choose(&mut self, session: &Session<G>, limits: &Limits, listener: &mut dyn Listener<G::Move>) -> Chosen<G>;
}

/// What a player answers, or why it cannot.
pub type Chosen<G> = Result<Choice<<G as Game>::Move>>;

/// The error of a player that was asked for a move where there is none.
pub fn no_move<G: Game>(session: &Session<G>) -> SolveError {
    SolveError::Wrong(format!("{} has no move", session.game().position_text(session.position())))
}

/// How long a player may think. Without any limit it thinks until it is told to stop or there is nothing left to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to look at.
    pub nodes: Option<u64>,
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
    /// Certain, by what does not tell how soon.
    Decided(Outcome),
    /// Certain, in games that are about points: by how much the side to move wins, negative if it loses.
    Points(i8),
    /// A guess in the unit of [`yomikiri_solve::evaluate::Evaluate::evaluate`].
    Guess(i32),
}

impl Score {
    /// What a value says.
    pub fn known<V: Value>(value: V) -> Score {
        match (value.outcome(), value.measure()) {
            (_, Measure::Score { score }) => Score::Points(score),
            (Outcome::Win, Measure::Distance { plies: Some(plies) }) => Score::Won(plies),
            (Outcome::Loss, Measure::Distance { plies: Some(plies) }) => Score::Lost(plies),
            (_, Measure::Distance { .. }) => Score::Drawn,
        }
    }

    /// What a move is worth to the side that makes it, if this is what the other side can expect after it.
    pub fn before(self) -> Score {
        match self {
            Score::Won(plies) => Score::Lost(Plies(plies.0 + 1)),
            Score::Lost(plies) => Score::Won(Plies(plies.0 + 1)),
            Score::Drawn => Score::Drawn,
            Score::Decided(outcome) => Score::Decided(outcome.opposite()),
            Score::Points(points) => Score::Points(-points),
            Score::Guess(guess) => Score::Guess(-guess),
        }
    }

    /// Plies to a win or loss that is certain.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Score::Won(plies) | Score::Lost(plies) => Some(plies),
            Score::Drawn | Score::Decided(_) | Score::Points(_) | Score::Guess(_) => None,
        }
    }
}

/// What a player tells while it thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report<M> {
    /// A search has looked so many plies ahead.
    Searched { depth: u32, nodes: u64, time: Duration, score: Score, line: Vec<M> },
    /// The value is known, by what `source` says.
    Known { score: Score, mv: M, source: Source, remark: String },
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

/// Waits, and keeps what is known to tell the move; none if it was found by looking ahead.
pub struct Told(pub Option<Source>);

impl<M> Listener<M> for Told {
    fn hear(&mut self, report: Report<M>) {
        if let Report::Known { source, .. } = report {
            self.0 = Some(source);
        }
    }

    fn wants_answer(&mut self) -> bool {
        false
    }
}

/// Waits in silence.
pub struct Patient;

impl<M> Listener<M> for Patient {
    fn hear(&mut self, _: Report<M>) {}

    fn wants_answer(&mut self) -> bool {
        false
    }
}

/// Makes any legal move.
pub struct RandomPlayer {
    random: Rng,
}

impl RandomPlayer {
    /// A player that makes the same moves again with the same seed.
    pub fn new(seed: u64) -> RandomPlayer {
        RandomPlayer { random: Rng::with_seed(seed) }
    }
}

/// Makes the move after which it has most ([`Evaluate::wealth`]), whatever that leads to; one of several at random.
pub struct GreedyPlayer {
    random: Rng,
}

impl GreedyPlayer {
    /// A player that makes the same moves again with the same seed.
    pub fn new(seed: u64) -> GreedyPlayer {
        GreedyPlayer { random: Rng::with_seed(seed) }
    }
}

/// One of the moves at random, judged as even.
fn any<G: Game>(session: &Session<G>, moves: &[G::Move], random: &mut Rng) -> Chosen<G> {
    let mv = random.choice(moves).ok_or_else(|| no_move(session))?;
    Ok(Choice { mv: *mv, score: Score::Guess(0) })
}

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(&mut self, session: &Session<G>, _: &Limits, _: &mut dyn Listener<G::Move>) -> Chosen<G> {
        any(session, &session.moves(), &mut self.random)
    }
}

impl<G: Evaluate> Player<G> for GreedyPlayer {
    fn choose(&mut self, session: &Session<G>, _: &Limits, _: &mut dyn Listener<G::Move>) -> Chosen<G> {
        let (game, side) = (session.game(), session.side());
        let wealth = |&mv: &G::Move| game.wealth(&game.play(session.position(), mv), side);
        let mut moves = session.moves();
        let most = moves.iter().map(wealth).max();
        moves.retain(|mv| Some(wealth(mv)) == most);
        any(session, &moves, &mut self.random)
    }
}
