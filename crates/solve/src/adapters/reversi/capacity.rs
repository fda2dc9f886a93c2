//! How much room a board has, for estimates.

use crate::estimate::{Capacity, choose};
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::Position;

impl Capacity for Reversi {
    /// Number of discs of the side to move.
    type Class = u32;

    fn class(&self, position: &Position) -> u32 {
        position.own.count_ones()
    }

    /// Places of the discs that were not there at the start, and which of all discs are the side to move's.
    fn capacity(&self, own: u32, discs: u32) -> f64 {
        let board = self.rules.board;
        let images = if board.files == board.ranks { 8.0 } else { 4.0 };
        (choose(board.area() - 4, discs.saturating_sub(4)) * choose(discs, own) / images).max(1.0)
    }
}
