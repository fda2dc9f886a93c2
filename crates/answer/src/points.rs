//! The value of a position in points, if the game has a variant whose values are points ([`Game::points_variant`]) and
//! the table of that variant is available.

use std::path::Path;

use serde::{Deserialize, Serialize};

use yomikiri_rules::{AnyGame, AnyPosition, Game, Measure, Outcome, Presentation, Side, Value};
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::{Location, name, probe};

/// The value of a position in the variant whose values are points, for the side to move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Points {
    /// The rule code of that variant.
    pub rules: String,
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The points by which the side to move wins, as `score`; negative if it loses.
    #[serde(flatten)]
    pub measure: Measure,
    /// The side that wins; `null` in a draw.
    pub winner: Option<Side>,
    /// The meaning of a score of [`yomikiri_rules::Score::MAX`] ([`Presentation::beyond_points`]).
    #[serde(skip)]
    pub beyond: Option<&'static str>,
}

impl Points {
    /// Looks up a position in the table of the variant whose values are points. Returns `None` if there is no such
    /// variant, if `location` does not have its table, if the table does not have the position, or if the game is over.
    pub fn of(game: &AnyGame, location: &Location, position: &AnyPosition) -> Result<Option<Points>> {
        let Some(code) = game.points_variant().filter(|_| !game.is_terminal(position)) else { return Ok(None) };
        let path = location.file(|folder| name::whole(folder, &code));
        let variant = AnyGame::parse(&code).expect("`points_variant` returns a valid rule code");
        look_up(&variant, location, &path, game.rank(position), game.side(position))
    }
}

/// Returns the value of `key` in the table of `variant` at `path`, or `None` if there is no such table or value. A
/// position has the same key in this variant as in the variant that is played. `to_move` is the side to move in the
/// position.
fn look_up(variant: &AnyGame, location: &Location, path: &Path, key: u64, to_move: Side) -> Result<Option<Points>> {
    let Some(table) = probe::open_if_there(variant, location, path)? else { return Ok(None) };
    let Some(position) = variant.unrank(key) else { return Ok(None) };
    Ok(variant.probe(&table, &position)?.map(|value| {
        let outcome = value.outcome();
        Points {
            rules: variant.code(),
            outcome,
            measure: value.measure(),
            winner: outcome.winner(to_move),
            beyond: variant.beyond_points(),
        }
    }))
}
