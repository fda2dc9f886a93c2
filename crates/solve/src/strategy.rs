//! Who wins and how, without how soon.

use yomikiri_rules::{Game, Side};

/// Knows who wins some positions, and moves that win them: what a certificate lists.
pub trait Strategy<G: Game> {
    /// Who wins a position, where that is known.
    fn winner(&self, position: &G::Position) -> Option<Side>;

    /// A legal move that wins for the side to move, where one is known.
    fn winning_move(&self, position: &G::Position) -> Option<G::Move>;
}
