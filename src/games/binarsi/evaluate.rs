//! A guess at what a position is worth: targets cleared, the longest rows towards the others, stones.

use super::board::Position;
use super::game::Binarsi;
use super::targets;
use crate::engine::Evaluate;
use crate::value::Side;

/// What a cleared target is worth.
const TARGET: i32 = 1000;

/// What one stone is worth.
const STONE: i32 = 10;

impl Evaluate for Binarsi {
    fn evaluate(&self, position: &Position) -> i32 {
        let cleared = |set: u8| TARGET * (position.targets & set).count_ones() as i32;
        let black = cleared(targets::BLACK_ALL) + STONE * self.wealth(position, Side::Black);
        let white = cleared(targets::WHITE_ALL) + STONE * self.wealth(position, Side::White);
        if position.side() == Side::Black { black - white } else { white - black }
    }

    /// Stones on the board.
    fn wealth(&self, position: &Position, side: Side) -> i32 {
        let stones = if side == Side::Black { position.stones } else { position.white() };
        stones.count_ones() as i32
    }
}
