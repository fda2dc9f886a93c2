//! By how many points a position is won, where the game has a variant that tells ([`Game::points_variant`]) and its
//! table is at hand.

use std::path::Path;

use serde::Serialize;

use yomikiri_rules::{AnyGame, Game, Measure, Outcome, Side, Value, with_game};
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::{Location, name, probe};

/// What the table of points tells of a position, seen by the side to move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Points {
    /// The variant whose table tells.
    pub rules: String,
    pub outcome: Outcome,
    /// The score.
    #[serde(flatten)]
    pub measure: Measure,
    /// None in a draw.
    pub winner: Option<Side>,
    /// What a score of [`yomikiri_rules::Score::MOST`] is instead ([`Game::BEYOND_POINTS`]).
    #[serde(skip)]
    pub beyond: Option<&'static str>,
}

impl Points {
    /// By the table that lies there, if there is one and it has the position.
    pub fn of<G: Game>(game: &G, location: &Location, position: &G::Position) -> Result<Option<Points>> {
        let Some(code) = game.points_variant().filter(|_| !game.is_terminal(position)) else { return Ok(None) };
        let path = name::whole(location.path(), &code);
        let variant = AnyGame::parse(&code).expect("games name codes that there are");
        with_game!(&variant, variant => look_up(variant, location, &path, game.rank(position), game.side(position)))
    }
}

/// Positions of the two variants have the same keys.
fn look_up<P: Solvable>(
    variant: &P,
    location: &Location,
    path: &Path,
    key: u64,
    to_move: Side,
) -> Result<Option<Points>> {
    let Some(table) = probe::open_if_there(variant, location, path)? else { return Ok(None) };
    let Some(position) = variant.unrank(key) else { return Ok(None) };
    Ok(variant.probe(&table, &position)?.map(|value| {
        let outcome = value.outcome();
        Points {
            rules: variant.code(),
            outcome,
            measure: value.measure(),
            winner: outcome.winner(to_move),
            beyond: P::BEYOND_POINTS,
        }
    }))
}
