//! Mistakes, counted by the table of the game.

use serde::{Deserialize, Serialize};

use crate::{Ending, Session};
use yomikiri_answer::{Answerer, Oracle};
use yomikiri_rules::{Outcome, Value};
use yomikiri_solve::{Playable, Result};
use yomikiri_table::Location;

/// How often a player had something to lose, and how often it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistakes {
    /// Moves made in won positions.
    pub won: u64,
    /// Those of them after which the position was not won any more.
    pub wins_spoiled: u64,
    /// Moves made in drawn positions.
    pub drawn: u64,
    /// Those of them after which the position was lost.
    pub draws_spoiled: u64,
}

impl Mistakes {
    fn count(&mut self, before: Outcome, after: Outcome) {
        match before {
            Outcome::Win => {
                self.won += 1;
                self.wins_spoiled += u64::from(after < Outcome::Win);
            }
            Outcome::Draw => {
                self.drawn += 1;
                self.draws_spoiled += u64::from(after < Outcome::Draw);
            }
            Outcome::Loss => {}
        }
    }

    pub fn add(&mut self, other: Mistakes) {
        self.won = self.won.saturating_add(other.won);
        self.wins_spoiled = self.wins_spoiled.saturating_add(other.wins_spoiled);
        self.drawn = self.drawn.saturating_add(other.drawn);
        self.draws_spoiled = self.draws_spoiled.saturating_add(other.draws_spoiled);
    }
}

/// Knows what every position is worth.
pub struct Judge<'a, G: Playable> {
    oracle: Oracle<'a, G>,
}

impl<'a, G: Playable> Judge<'a, G> {
    /// By the table of the whole game at `location`; `None` if there is none.
    pub fn open(game: &'a G, location: &Location) -> Result<Option<Self>> {
        Ok(Answerer::new(game, location).whole_table()?.map(|oracle| Judge { oracle }))
    }

    /// What the position on the board is worth for the side to move. A position that draws by repetition is a draw;
    /// repetitions before that do not count.
    pub fn outcome(&self, session: &Session<G>) -> Result<Outcome> {
        match session.ending() {
            Some(Ending::Repetition) => Ok(Outcome::Draw),
            _ => self.oracle.value(session.position()).map(Value::outcome),
        }
    }

    /// Counts the last move, which was made in a position worth `before`; returns what the position after it is worth.
    pub fn count(&self, session: &Session<G>, before: Outcome, mistakes: &mut Mistakes) -> Result<Outcome> {
        let after = self.outcome(session)?;
        mistakes.count(before, after.opposite());
        Ok(after)
    }
}
