//! What is played: the settings of a match, and for each game who plays which side from which opening.

use std::time::Duration;

use fastrand::Rng;
use xxhash_rust::xxh3::xxh3_64;

use super::part::Part;
use super::player_spec::PlayerSpec;
use crate::{Action, Session};
use yomikiri_rules::{Game, Side};
use yomikiri_table::Location;

/// What is played, by whom and how.
pub struct MatchSettings<'a, G> {
    pub game: &'a G,
    /// A and B.
    pub players: [PlayerSpec; 2],
    /// Where tables lie.
    pub location: Location,
    pub games: u32,
    /// Which of them are played here.
    pub part: Part,
    pub seed: u64,
    /// Plies that are drawn at random at the beginning of each pair of games.
    pub opening: u32,
    /// A game of so many plies is a draw.
    pub max_plies: u32,
    /// Games that are played at the same time.
    pub threads: usize,
    /// Bytes that a player may keep of what its search finds.
    pub memory: usize,
    /// How much longer than its time an external program may take for a move.
    pub grace: Duration,
}

/// What is different from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// From 0 on. Games 0 and 1 are a pair, as are 2 and 3: the same opening, the other colours.
    pub number: u32,
    /// The side that player A has.
    pub a: Side,
    /// The same for both games of a pair.
    pub opening_seed: u64,
    /// For the players A and B.
    pub player_seeds: [u64; 2],
}

impl Pairing {
    /// Everything follows from the match's seed and the number of the game.
    pub fn of(seed: u64, number: u32) -> Pairing {
        let a = if number.is_multiple_of(2) { Side::Black } else { Side::White };
        let player_seeds = [1, 2].map(|player| mixed(seed, number, player));
        Pairing { number, a, opening_seed: mixed(seed, number / 2, 0), player_seeds }
    }

    /// The player at a side: 0 for A, 1 for B.
    pub fn player(self, side: Side) -> usize {
        usize::from(side != self.a)
    }
}

/// A seed of its own for each purpose.
fn mixed(seed: u64, number: u32, purpose: u8) -> u64 {
    let mut bytes = [0; 13];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..12].copy_from_slice(&number.to_le_bytes());
    bytes[12] = purpose;
    xxh3_64(&bytes)
}

/// After so many draws in vain there is no opening.
const TRIES: u32 = 1000;

/// A game of so many random plies from the start that is not over; `None` if none was found.
pub fn draw_opening<G: Game>(game: &G, plies: u32, seed: u64) -> Option<Session<'_, G>> {
    let mut random = Rng::with_seed(seed);
    (0..TRIES).find_map(|_| walk(game, plies, &mut random))
}

fn walk<'a, G: Game>(game: &'a G, plies: u32, random: &mut Rng) -> Option<Session<'a, G>> {
    let mut session = Session::new(game, game.start());
    for _ in 0..plies {
        session.act(Action::Move(random.choice(session.moves())?));
        if session.ending().is_some() {
            return None;
        }
    }
    session.ending().is_none().then_some(session)
}
