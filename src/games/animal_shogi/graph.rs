//! Animal shogi as the kernel for cyclic games sees it.

use std::ops::ControlFlow;

use super::board::Board;
use super::game::AnimalShogi;
use crate::solve::waves::{Child, Cyclic};
use crate::value::Outcome;

impl Cyclic for AnimalShogi {
    type Board = Board;

    fn open_keys(&self) -> u32 {
        self.index.open()
    }

    /// The position turned round: both moves and un-moves start from there.
    #[inline]
    fn board(&self, key: u32) -> Board {
        self.index.unrank(key).rotated()
    }

    #[inline]
    fn children(&self, board: &Board, mut visit: impl FnMut(Child) -> ControlFlow<()>) -> ControlFlow<()> {
        board.after_moves(&self.rules, |_, next, attacked| {
            visit(if attacked {
                Child::Over(Outcome::Win, 1)
            } else if next.tried(&self.rules) {
                Child::Over(Outcome::Loss, 0)
            } else {
                Child::Open(self.index.rank(next))
            })
        })
    }

    #[inline]
    fn parents(&self, board: &Board, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        board.before_moves(&self.rules, self.index.open_lions(), |before| visit(self.index.rank(before)))
    }
}
