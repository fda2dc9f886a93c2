//! The [`Adapter`] of reversi, and the capacity of its boards for estimates.

use crate::Costs;
use crate::adapter::Adapter;
use crate::estimate::{self, Capacity, Estimate, Limits, choose};
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::Position;
use yomikiri_rules::games::reversi::index::MAX_SQUARES;
use yomikiri_rules::{Game, Side};

impl Adapter for Reversi {
    fn costs(&self) -> Costs {
        Costs { table: 1.6, work: 1.5, rate: 6e6 }
    }

    /// Returns `None`: because of passes and symmetry, the number of discs does not determine the side to move.
    fn side_at(&self, _: u32) -> Option<Side> {
        None
    }

    /// Estimates the numbers of positions by sampling. If the positions have no keys, takes the capacity of each ply
    /// instead.
    fn estimate_from(&self, root: &Position, limits: Limits) -> Estimate {
        if self.has_keys() {
            return estimate::positions(self, root, limits);
        }
        let room = |discs: u32| (1..discs).map(|own| self.capacity(own, discs)).sum();
        let room = (4..self.rules.board.area()).map(room);
        Estimate { by_ply: room.collect(), exact_plies: 0, memory: None }
    }

    fn why_no_tables(&self) -> String {
        format!("{}: boards of more than {MAX_SQUARES} squares have no tables", self.code())
    }
}

impl Capacity for Reversi {
    /// The number of moves that lead to the same position grows with the ply; this is the exponent of the growth. It
    /// was fitted to the boards of the test below, with [`Limits::exact`] at 50,000 or more. With a smaller limit, the
    /// exponent is too high.
    const MEETING_EXPONENT: f64 = 2.75;

    /// Returns the number of discs of the side to move.
    fn class(&self, position: &Position) -> u32 {
        position.own.count_ones()
    }

    /// Returns the number of ways to choose the squares for the discs added since the start, times the number of ways
    /// to choose the discs that belong to the side to move, divided by the number of symmetries of the board.
    fn capacity(&self, own: u32, discs: u32) -> f64 {
        let board = self.rules.board;
        let images = if board.files == board.ranks { 8.0 } else { 4.0 };
        (choose(board.area() - 4, discs.saturating_sub(4)) * choose(discs, own) / images).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares estimates with the numbers of positions in whole tables (precomp/expected).
    #[test]
    fn estimates_are_near_the_truth() {
        let boards =
            [("rev4x5", 2_392_805), ("rev6x4", 120_698_058), ("rev6x4-p", 102_297_131), ("rev5x5", 360_955_879)];
        for (code, positions) in boards {
            let game = Reversi::parse(code).unwrap();
            let ratio = game.estimate_from(&game.start(), Limits::default()).total() / f64::from(positions);
            assert!((ratio - 1.0).abs() < 0.25, "{code}: off by {ratio}");
        }
    }
}
