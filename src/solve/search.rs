//! Values of single positions by search, without a table.

use super::Progress;
use crate::game::Game;

/// What a search found out about a position.
pub struct Solution<G: Game> {
    pub value: G::Value,
    /// A move that keeps the value; none if the game is over.
    pub best: Option<G::Move>,
    /// Positions looked at.
    pub nodes: u64,
}

/// A search that gives the exact value of any position. It remembers what it has seen from one question to the next.
pub trait Search<G: Game>: Send + Sync {
    /// The value of a position and a best move. A step of the progress is one question about the value; its units are
    /// shares of the work, as far as they can be foreseen.
    fn solve(&self, position: &G::Position, progress: &dyn Progress) -> Solution<G>;
}
