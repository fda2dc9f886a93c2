//! Games that always come to an end.

use super::Game;

/// A game in which no position can repeat, because every move brings the end nearer.
pub trait Acyclic: Game {
    /// Returns an upper bound on the number of plies from a position to the end of the game. The bound is 0 only if the
    /// game is over. Every move lowers the bound, and symmetric positions have the same bound.
    fn plies_left(&self, position: &Self::Position) -> u32;
}
