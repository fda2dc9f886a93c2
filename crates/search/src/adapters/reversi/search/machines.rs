//! One search, compiled twice: for any machine, and for machines with wide registers.
//!
//! The functions of the search are written once and inlined into the entry points of both implementations of
//! [`Machine`]. The module of [`Wide`] documents the mechanism.

use super::machine::{Discs, Machine, PatternPosition, Worker};
use super::masks::BoardMasks;
use crate::adapters::reversi::weights::Weights;
use yomikiri_rules::games::reversi::board::Squares;
use yomikiri_rules::games::reversi::lines;
use yomikiri_rules::games::reversi::wide::{Wide, wide};

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
    fn last_three(self, worker: &mut Worker<Self>, own: Squares, other: Squares, alpha: i32, squares: [u8; 3]) -> i32 {
        wide!(self, |worker: &mut Worker<Wide>, own: Squares, other: Squares, alpha: i32, squares: [u8; 3]| -> i32 {
            worker.last_three(own, other, alpha, squares)
        })
    }

    #[inline(always)]
    fn plain(
        self,
        worker: &mut Worker<Self>,
        own: Squares,
        other: Squares,
        alpha: i32,
        empty: Squares,
        odd: Squares,
        legal: Squares,
    ) -> i32 {
        wide!(self, |worker: &mut Worker<Wide>,
                     own: Squares,
                     other: Squares,
                     alpha: i32,
                     empty: Squares,
                     odd: Squares,
                     legal: Squares|
         -> i32 { worker.plain(own, other, alpha, empty, odd, legal) })
    }

    #[inline(always)]
    fn ordered(
        self,
        worker: &mut Worker<Self>,
        own: Squares,
        other: Squares,
        alpha: i32,
        empty: Squares,
        odd: Squares,
        legal: Squares,
    ) -> i32 {
        wide!(self, |worker: &mut Worker<Wide>,
                     own: Squares,
                     other: Squares,
                     alpha: i32,
                     empty: Squares,
                     odd: Squares,
                     legal: Squares|
         -> i32 { worker.ordered(own, other, alpha, empty, odd, legal) })
    }

    #[inline(always)]
    fn search_node(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32) -> i32 {
        wide!(self, |worker: &mut Worker<Wide>, discs: Discs, alpha: i32| -> i32 { worker.search_node(discs, alpha) })
    }

    #[inline(always)]
    fn eval(self, masks: &BoardMasks, discs: [Squares; 2], depth: u32, window: [i32; 2]) -> i32 {
        let machine = self;
        wide!(self, |machine: Wide, masks: &BoardMasks, discs: [Squares; 2], depth: u32, window: [i32; 2]| -> i32 {
            masks.eval(machine, discs, depth, window)
        })
    }

    #[inline(always)]
    fn look(
        self,
        board: (&Weights, &BoardMasks),
        seen: &PatternPosition,
        depth: u32,
        window: [i32; 2],
        nodes: &mut u64,
    ) -> i32 {
        let (machine, (weights, masks)) = (self, board);
        wide!(self, |machine: Wide,
                     weights: &Weights,
                     masks: &BoardMasks,
                     seen: &PatternPosition,
                     depth: u32,
                     window: [i32; 2],
                     nodes: &mut u64|
         -> i32 { weights.look((machine, masks), seen, depth, window, nodes) })
    }
}
