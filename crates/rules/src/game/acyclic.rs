//! Games that come to an end.

use super::Game;

/// A game in which every move brings the end nearer, so that no position comes up twice.
pub trait Acyclic: Game {
    /// An upper bound on the plies that a game can still take from a position, 0 only where it is over. Every move
    /// lowers it, and symmetric positions have the same.
    fn plies_left(&self, position: &Self::Position) -> u32;
}
