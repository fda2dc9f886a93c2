//! What is searched, and the functions that are compiled for a machine.

use super::masks::BoardMasks;
use crate::adapters::reversi::patterns::States;
use crate::adapters::reversi::weights::Weights;
use crate::alphabeta::{self, Bounds};
use crate::transposition::{Key, TranspositionTable};
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::Squares;
use yomikiri_rules::games::reversi::lines;

/// From so many empty squares on moves are looked at some plies deep to find their order.
pub const LOOKED_AT: u32 = 12;

/// Discs seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discs {
    pub own: Squares,
    pub other: Squares,
}

/// A position with the states of its patterns.
#[derive(Clone, Copy)]
pub struct Seen {
    pub own: Squares,
    pub other: Squares,
    pub states: States,
}

impl Seen {
    #[inline(always)]
    pub fn new(weights: &Weights, own: Squares, other: Squares) -> Seen {
        Seen { own, other, states: weights.patterns.states(own, other) }
    }

    #[inline(always)]
    pub fn after(&self, weights: &Weights, square: u8, flips: Squares) -> Seen {
        let states = self.states.after(&weights.patterns, square, flips);
        Seen { own: self.other & !flips, other: self.own | flips | 1 << square, states }
    }

    #[inline(always)]
    pub fn passed(&self) -> Seen {
        Seen { own: self.other, other: self.own, states: self.states.passed() }
    }
}

/// A position as the key of a place of its own.
#[derive(Clone, Copy)]
pub struct OfOnePlace(pub [u64; 2]);

impl Key for OfOnePlace {
    const WORDS: usize = 2;
    const BUCKET: usize = 4;

    #[inline(always)]
    fn word(self, at: usize) -> u64 {
        self.0[at]
    }

    fn from_words(word: impl Fn(usize) -> u64) -> OfOnePlace {
        OfOnePlace([word(0), word(1)])
    }

    #[inline(always)]
    fn hash(self) -> u64 {
        self.0.hash()
    }
}

/// Bounds of the positions with few empty squares that were searched last: small, to stay in the caches.
pub type Recent = TranspositionTable<OfOnePlace, Bounds>;

/// One variant, searched by a kernel.
pub struct ReversiSearch<K> {
    pub game: Reversi,
    pub masks: BoardMasks,
    pub kernel: K,
    /// Bounds of positions with few empty squares.
    pub recent: Recent,
}

impl<K> ReversiSearch<K> {
    /// The weights of the board for positions with so many empty squares; none where it has none, or where a look costs
    /// more than it saves. They are read when they are first asked for.
    #[inline(always)]
    pub fn weights(&self, empty: u32) -> Option<&'static Weights> {
        if empty < LOOKED_AT { None } else { Weights::of(self.masks.board) }
    }
}

/// One thread's share of a search.
pub type Worker<'a, K> = alphabeta::Worker<'a, ReversiSearch<K>>;

/// The functions that call each other from position to position, as any machine has them.
pub trait Kernel: Copy + Send + Sync + 'static {
    /// The discs of `other` that a move turns.
    #[inline(always)]
    fn flips(square: u8, own: Squares, other: Squares) -> Squares {
        lines::flips(square, own, other)
    }

    fn last_three(self, worker: &mut Worker<Self>, own: Squares, other: Squares, alpha: i32, squares: [u8; 3]) -> i32 {
        worker.last_three(own, other, alpha, squares)
    }

    #[expect(clippy::too_many_arguments)]
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
        worker.plain(own, other, alpha, empty, odd, legal)
    }

    #[expect(clippy::too_many_arguments)]
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
        worker.ordered(own, other, alpha, empty, odd, legal)
    }

    fn search_node(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32) -> i32 {
        worker.search_node(discs, alpha)
    }

    fn eval(self, masks: &BoardMasks, discs: [Squares; 2], depth: u32, window: [i32; 2]) -> i32 {
        masks.eval(self, discs, depth, window)
    }

    fn look(
        self,
        (weights, masks): (&Weights, &BoardMasks),
        seen: &Seen,
        depth: u32,
        window: [i32; 2],
        nodes: &mut u64,
    ) -> i32 {
        weights.look((self, masks), seen, depth, window, nodes)
    }
}
