//! How many moves positions of a table have, and how many of them win or draw.

use crate::Result;
use yomikiri_rules::Outcome;

/// The moves of one position, by what they are worth to the side that makes them; the others lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveCounts {
    pub legal: u16,
    pub winning: u16,
    pub drawing: u16,
}

impl MoveCounts {
    /// One more move, with its outcome.
    pub(crate) fn add(&mut self, outcome: Outcome) {
        self.legal += 1;
        match outcome {
            Outcome::Win => self.winning += 1,
            Outcome::Draw => self.drawing += 1,
            Outcome::Loss => {}
        }
    }
}

/// Counts the moves of positions of one table. Legal moves are counted one by one, also where several lead to the same
/// position.
pub trait CountMoves {
    /// The counts of positions by their keys, which ascend and are in the table; fastest if the keys of one call begin
    /// where those of the last one end.
    fn count(&mut self, keys: &[u64]) -> Result<Vec<MoveCounts>>;
}
