//! Counts the moves of positions in a table: all moves, the moves that win, and the moves that draw.

use crate::Result;
use yomikiri_rules::Outcome;

/// Counts of the moves of one position, by their outcome for the side to move. Moves that neither win nor draw lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveCounts {
    /// The number of legal moves.
    pub legal: u16,
    /// The number of moves that win.
    pub winning: u16,
    /// The number of moves that draw.
    pub drawing: u16,
}

impl MoveCounts {
    /// Counts one more move by its outcome.
    pub(crate) fn add(&mut self, outcome: Outcome) {
        self.legal += 1;
        match outcome {
            Outcome::Win => self.winning += 1,
            Outcome::Draw => self.drawing += 1,
            Outcome::Loss => {}
        }
    }
}

/// Counts the moves of positions in one table. Every legal move counts, even if several lead to the same position.
pub trait CountMoves {
    /// Returns the counts for each key, in order. The keys must be in ascending order and in the table. Successive
    /// calls are fastest if each continues after the last key of the previous call.
    fn count(&mut self, keys: &[u64]) -> Result<Vec<MoveCounts>>;
}
