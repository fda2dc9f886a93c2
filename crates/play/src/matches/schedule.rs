//! The settings of a match, and the sides, opening and seeds of each game.

use std::time::Duration;

use fastrand::Rng;
use xxhash_rust::xxh3::xxh3_64;

use super::openings::Openings;
use super::part::Part;
use super::player_spec::PlayerSpec;
use crate::{Action, Session};
use yomikiri_rules::{AnyGame, Game, Side};
use yomikiri_table::Location;

/// The settings of a match.
pub struct MatchSettings<'a> {
    /// The game that is played.
    pub game: &'a AnyGame,
    /// The players A and B.
    pub players: [PlayerSpec; 2],
    /// The folder or address of tables.
    pub location: Location,
    /// The number of games of the whole match.
    pub games: u32,
    /// The part of the match to play.
    pub part: Part,
    /// The seed of random openings and of players that play at random.
    pub seed: u64,
    /// The number of random plies with which each game begins. Not used if there are `openings`.
    pub opening: u32,
    /// Openings from a file, or `None` for random openings. Games 0 and 1 have the first opening, games 2 and 3 the
    /// second, and so on. With `same_colours`, each game takes the next opening.
    pub openings: Option<Openings>,
    /// True if A has Black in every game. Then each game takes the next opening. Otherwise the sides alternate, and
    /// games 0 and 1 have the same opening, as have games 2 and 3, and so on.
    pub same_colours: bool,
    /// The number of plies after which a game is a draw.
    pub max_plies: u32,
    /// The number of games that are played at the same time.
    pub threads: usize,
    /// The memory of a player's search in bytes.
    pub memory: usize,
    /// The time by which an external program may exceed its limit for a move.
    pub grace: Duration,
}

/// The settings of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The serial number of the game, counted from 0. Games 0 and 1 are a pair, games 2 and 3 are the next pair, and so
    /// on. If the sides alternate, both games of a pair have the same opening.
    pub number: u32,
    /// The index of the opening, counted from 0. If A has Black in every game, it is the serial number of the game,
    /// otherwise the index of the pair.
    pub opening: u32,
    /// The side of player A.
    pub a: Side,
    /// The seed of the opening. It is the same for all games with this opening.
    pub opening_seed: u64,
    /// The seeds of the players A and B.
    pub player_seeds: [u64; 2],
}

impl Pairing {
    /// Computes the settings of game `number` from the seed of the match. A has Black in even games, or in all games if
    /// `same_colours` is set.
    pub fn of(seed: u64, number: u32, same_colours: bool) -> Pairing {
        let a = if same_colours || number.is_multiple_of(2) { Side::Black } else { Side::White };
        let opening = if same_colours { number } else { number / 2 };
        let player_seeds = [1, 2].map(|player| mixed(seed, number, player));
        Pairing { number, opening, a, opening_seed: mixed(seed, opening, 0), player_seeds }
    }

    /// Returns the player of a side: 0 for A, 1 for B.
    pub fn player(self, side: Side) -> usize {
        usize::from(side != self.a)
    }
}

/// Derives a seed from the seed of the match. `purpose` is 0 for an opening, 1 for player A and 2 for player B.
/// `number` is the index of the opening, or the serial number of the player's game.
fn mixed(seed: u64, number: u32, purpose: u8) -> u64 {
    let mut bytes = [0; 13];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..12].copy_from_slice(&number.to_le_bytes());
    bytes[12] = purpose;
    xxh3_64(&bytes)
}

/// The maximum number of attempts to find a random opening after which the game is not over.
const TRIES: u32 = 1000;

/// Returns the game after its opening, or `None` if no random opening was found.
pub fn begin<'a>(settings: &MatchSettings<'a>, pairing: Pairing) -> Option<Session<'a>> {
    let Some(openings) = &settings.openings else {
        return draw_opening(settings.game, settings.opening, pairing.opening_seed);
    };
    let mut session = Session::new(settings.game, settings.game.start());
    openings.moves(pairing.opening).iter().for_each(|&mv| session.act(Action::Move(mv)));
    Some(session)
}

/// Returns a game that is not over after `plies` random moves from the start. Returns `None` if the game was over in
/// each of [`TRIES`] attempts.
fn draw_opening(game: &AnyGame, plies: u32, seed: u64) -> Option<Session<'_>> {
    let mut random = Rng::with_seed(seed);
    (0..TRIES).find_map(|_| walk(game, plies, &mut random))
}

fn walk<'a>(game: &'a AnyGame, plies: u32, random: &mut Rng) -> Option<Session<'a>> {
    let mut session = Session::new(game, game.start());
    for _ in 0..plies {
        session.act(Action::Move(random.choice(session.moves())?));
        if session.ending().is_some() {
            return None;
        }
    }
    session.ending().is_none().then_some(session)
}
