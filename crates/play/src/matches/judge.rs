//! Counts the players' mistakes, as judged by the table of the game.

use serde::{Deserialize, Serialize};

use crate::{Ending, Session};
use yomikiri_answer::{Answerer, Oracle};
use yomikiri_rules::{AnyGame, Outcome, Value};
use yomikiri_solve::Result;
use yomikiri_table::Location;

/// Counts of a player's moves in won and in drawn positions, and of the mistakes among these moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistakes {
    /// The number of moves in won positions.
    pub won: u64,
    /// The number of moves in won positions that did not keep the win.
    pub wins_spoiled: u64,
    /// The number of moves in drawn positions.
    pub drawn: u64,
    /// The number of moves in drawn positions that lost.
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

    /// Adds the counts of `other`. The sums saturate at `u64::MAX`.
    pub fn add(&mut self, other: Mistakes) {
        self.won = self.won.saturating_add(other.won);
        self.wins_spoiled = self.wins_spoiled.saturating_add(other.wins_spoiled);
        self.drawn = self.drawn.saturating_add(other.drawn);
        self.draws_spoiled = self.draws_spoiled.saturating_add(other.draws_spoiled);
    }
}

/// Looks up the outcome of every position in a table.
pub struct Judge<'a> {
    oracle: Oracle<'a>,
}

impl<'a> Judge<'a> {
    /// Opens the table at `location` that has all positions of the game. Returns `None` if there is no such table.
    pub fn open(game: &'a AnyGame, location: &Location) -> Result<Option<Self>> {
        Ok(Answerer::new(game, location).whole_table()?.map(|oracle| Judge { oracle }))
    }

    /// Returns the outcome of the current position for the side to move. The third occurrence of a position is a draw;
    /// earlier repetitions do not count.
    pub fn outcome(&self, session: &Session) -> Result<Outcome> {
        match session.ending() {
            Some(Ending::Repetition) => Ok(Outcome::Draw),
            _ => self.oracle.value(session.position()).map(Value::outcome),
        }
    }

    /// Counts the last move in `mistakes`. `before` is the outcome of the position before the move, for the side that
    /// made the move. Returns the outcome of the position after the move, for the side to move there.
    pub fn count(&self, session: &Session, before: Outcome, mistakes: &mut Mistakes) -> Result<Outcome> {
        let after = self.outcome(session)?;
        mistakes.count(before, after.opposite());
        Ok(after)
    }
}
