//! Rows by the plain rules, for the audit. Nothing here shares code with `sheet`.

use super::board::{Position, Squares};
use super::game::Binarsi;
use super::moves;
use super::targets::{self, Verdict};
use crate::game::Game;
use crate::solve::tiers::RowMove;
use crate::value::{Distance, Outcome, Side, Value};

impl Binarsi {
    /// The row as a position without cleared targets.
    fn row_position(&self, base: u64, row: u32) -> Option<Position> {
        self.keys.position(base + (u64::from(row) << 6))
    }

    pub(super) fn plain_row_moves(&self, base: u64, row: u32, found: &mut Vec<RowMove>) {
        found.clear();
        let Some(position) = self.row_position(base, row) else { return };
        // Moves on one way that leave the same stones are one for the audit.
        let mut way = None;
        let mut way_stones: Vec<Squares> = Vec::with_capacity(16);
        moves::each(&self.rules, &position, |mv, stones| {
            if way != Some(mv.way) {
                way = Some(mv.way);
                way_stones.clear();
            }
            if way_stones.contains(&stones) {
                return;
            }
            way_stones.push(stones);
            let child = moves::play(&self.rules, &position, mv);
            let key = self.key(&Position { targets: 0, ..child });
            let won = |winner| won_by(winner, child.side()).to_byte();
            let ends = [0, won(Side::Black), won(Side::White), self.counted_value(&child).to_byte()];
            found.push(RowMove { key, added: child.targets, ends });
        });
    }

    /// 0 for open lanes, 1 where Black has won, 2 where White has, 3 where the stones are counted.
    pub(super) fn plain_lane_ends(&self) -> [u8; 64] {
        std::array::from_fn(|lane| match targets::verdict(lane as u8) {
            Verdict::Open => 0,
            Verdict::Won(Side::Black) => 1,
            Verdict::Won(Side::White) => 2,
            Verdict::Count => 3,
        })
    }

    pub(super) fn plain_row_end(&self, base: u64, row: u32) -> Distance {
        let position = self.row_position(base, row).expect("a row of the table");
        self.counted_value(&position)
    }

    /// The value if the stones are counted now.
    fn counted_value(&self, position: &Position) -> Distance {
        let (black, white) = (position.stones.count_ones(), position.white().count_ones());
        won_by(self.rules.stones_winner(black, white), position.side())
    }
}

fn won_by(winner: Side, mover: Side) -> Distance {
    Distance::new(if winner == mover { Outcome::Win } else { Outcome::Loss }, 0)
}
