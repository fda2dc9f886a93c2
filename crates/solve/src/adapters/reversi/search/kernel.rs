//! What is searched, and the functions that are compiled for a machine.

use super::masks::BoardMasks;
use crate::alphabeta;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::Squares;

/// Discs seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discs {
    pub own: Squares,
    pub other: Squares,
}

/// One variant, searched by a kernel.
pub struct ReversiSearch<K> {
    pub game: Reversi,
    pub masks: BoardMasks,
    pub kernel: K,
}

/// One thread's share of a search.
pub type Worker<'a, K> = alphabeta::Worker<'a, ReversiSearch<K>>;

/// The functions that call each other from position to position, as any machine has them.
pub trait Kernel: Copy + Send + Sync + 'static {
    fn last_three(self, worker: &mut Worker<Self>, own: Squares, other: Squares, alpha: i32, squares: [u8; 3]) -> i32 {
        worker.last_three(own, other, alpha, squares)
    }

    fn plain(
        self,
        worker: &mut Worker<Self>,
        own: Squares,
        other: Squares,
        alpha: i32,
        empty: Squares,
        odd: Squares,
    ) -> i32 {
        worker.plain(own, other, alpha, empty, odd)
    }

    fn search_node(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32) -> i32 {
        worker.search_node(discs, alpha)
    }

    fn eval(self, masks: &BoardMasks, discs: [Squares; 2], depth: u32, window: [i32; 2]) -> i32 {
        masks.eval(self, discs, depth, window)
    }
}
