//! How much room a board has, for estimates.

use crate::estimate::{Capacity, choose};
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::connect_four::board::{Board, Position};

impl Capacity for ConnectFour {
    /// All positions of a ply are one class.
    type Class = ();

    fn class(&self, _: &Position) {}

    /// Ways to fill the files with so many discs, and which of these are Black's. Two mirror images are one position.
    fn capacity(&self, (): (), ply: u32) -> f64 {
        (fillings(self.rules.board, ply) * choose(ply, ply / 2) / 2.0).max(1.0)
    }
}

/// Number of ways to share so many discs among the files.
fn fillings(board: Board, discs: u32) -> f64 {
    let ranks = usize::from(board.ranks);
    let mut ways = vec![0.0; discs as usize + 1];
    ways[0] = 1.0;
    for _ in 0..board.files {
        ways = (0..ways.len()).map(|discs| ways[discs.saturating_sub(ranks)..=discs].iter().sum()).collect();
    }
    ways[discs as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::game::Game;

    #[test]
    fn files_are_filled_in_all_ways() {
        let fillings = |code: &str, discs| fillings(ConnectFour::parse(code).unwrap().rules.board, discs);
        assert_eq!([0, 1, 2, 9].map(|discs| fillings("con3x3-k3", discs)), [1.0, 3.0, 6.0, 1.0]);
        assert_eq!((0..=42).map(|discs| fillings("con7x6", discs)).sum::<f64>(), 7f64.powi(7));
    }
}
