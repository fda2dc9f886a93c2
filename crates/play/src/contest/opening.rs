//! Beginnings drawn at random.

use fastrand::Rng;

use crate::{Action, Session};
use yomikiri_rules::game::Game;

/// So many draws in vain, and there is no opening.
const TRIES: u32 = 1000;

/// A game of so many random plies from the start that is not over; `None` if none was found.
pub fn draw<G: Game>(game: &G, plies: u32, seed: u64) -> Option<Session<'_, G>> {
    let mut random = Rng::with_seed(seed);
    (0..TRIES).find_map(|_| walk(game, plies, &mut random))
}

fn walk<'a, G: Game>(game: &'a G, plies: u32, random: &mut Rng) -> Option<Session<'a, G>> {
    let mut session = Session::new(game, game.start());
    let mut moves = Vec::new();
    for _ in 0..plies {
        game.moves(session.position(), &mut moves);
        session.act(Action::Move(*random.choice(&moves)?));
        if session.ending().is_some() {
            return None;
        }
    }
    session.ending().is_none().then_some(session)
}
