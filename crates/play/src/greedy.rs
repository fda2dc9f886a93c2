//! Players that look no further than their own move: at random, or for what they can have at once.

use fastrand::Rng;

use super::player::{Choice, Limits, Listener, Player, Score};
use super::session::Session;
use yomikiri_rules::game::Game;
use yomikiri_solve::SolveError;
use yomikiri_solve::evaluate::Evaluate;

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
fn any<G: Game>(session: &Session<G>, moves: &[G::Move], random: &mut Rng) -> Result<Choice<G::Move>, SolveError> {
    let text = || session.game().position_text(session.position());
    let mv = random.choice(moves).ok_or_else(|| SolveError::Wrong(format!("{} has no move", text())))?;
    Ok(Choice { mv: *mv, score: Score::Guess(0) })
}

fn legal<G: Game>(session: &Session<G>) -> Vec<G::Move> {
    let mut moves = Vec::new();
    session.game().moves(session.position(), &mut moves);
    moves
}

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(
        &mut self,
        session: &Session<G>,
        _: &Limits,
        _: &mut dyn Listener<G::Move>,
    ) -> Result<Choice<G::Move>, SolveError> {
        any(session, &legal(session), &mut self.random)
    }
}

impl<G: Evaluate> Player<G> for GreedyPlayer {
    fn choose(
        &mut self,
        session: &Session<G>,
        _: &Limits,
        _: &mut dyn Listener<G::Move>,
    ) -> Result<Choice<G::Move>, SolveError> {
        let (game, side) = (session.game(), session.side());
        let wealth = |&mv: &G::Move| game.wealth(&game.play(session.position(), mv), side);
        let mut moves = legal(session);
        let most = moves.iter().map(wealth).max();
        moves.retain(|mv| Some(wealth(mv)) == most);
        any(session, &moves, &mut self.random)
    }
}
