//! One search, compiled twice: for any machine, and for machines with wide registers.
//!
//! The functions of the search are written once and inlined into the entry points of both implementations of
//! [`Machine`]. The module of [`Wide`] documents the mechanism.

use super::machine::{Discs, EmptySquares, Machine, PatternPosition, WeightedBoard, Worker};
use super::masks::BoardMasks;
use yomikiri_rules::games::reversi::board::Squares;
use yomikiri_rules::games::reversi::lines;
use yomikiri_rules::wide::{Wide, wide};

/// Code for any machine.
#[derive(Clone, Copy)]
pub struct Portable;

impl Machine for Portable {}

impl Machine for Wide {
    #[inline(always)]
    fn flips(square: u8, own: Squares, other: Squares) -> Squares {
        lines::flips_by_shifts(square, own, other)
    }

    #[inline(always)]
    fn last_three(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32, squares: [u8; 3]) -> i32 {
        wide!(self, |worker: &mut Worker<Wide>, discs: Discs, alpha: i32, squares: [u8; 3]| -> i32 {
            worker.last_three(discs, alpha, squares)
        })
    }

    #[inline(always)]
    fn plain(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32, empty: EmptySquares, legal: Squares) -> i32 {
        wide!(self, |worker: &mut Worker<Wide>, discs: Discs, alpha: i32, empty: EmptySquares, legal: Squares| -> i32 {
            worker.plain(discs, alpha, empty, legal)
        })
    }

    #[inline(always)]
    fn ordered(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32, empty: EmptySquares, legal: Squares) -> i32 {
        wide!(self, |worker: &mut Worker<Wide>, discs: Discs, alpha: i32, empty: EmptySquares, legal: Squares| -> i32 {
            worker.ordered(discs, alpha, empty, legal)
        })
    }

    #[inline(always)]
    fn search_node(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32) -> i32 {
        wide!(self, |worker: &mut Worker<Wide>, discs: Discs, alpha: i32| -> i32 { worker.search_node(discs, alpha) })
    }

    #[inline(always)]
    fn eval(self, masks: &BoardMasks, discs: Discs, depth: u32, window: [i32; 2]) -> i32 {
        let machine = self;
        wide!(self, |machine: Wide, masks: &BoardMasks, discs: Discs, depth: u32, window: [i32; 2]| -> i32 {
            masks.eval(machine, discs, depth, window)
        })
    }

    #[inline(always)]
    fn look(self, board: WeightedBoard, seen: &PatternPosition, depth: u32, window: [i32; 2], nodes: &mut u64) -> i32 {
        let machine = self;
        wide!(self, |machine: Wide,
                     board: WeightedBoard,
                     seen: &PatternPosition,
                     depth: u32,
                     window: [i32; 2],
                     nodes: &mut u64|
         -> i32 { board.look(machine, seen, depth, window, nodes) })
    }
}
