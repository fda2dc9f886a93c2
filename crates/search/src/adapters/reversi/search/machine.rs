//! Positions of the search, and the functions that are compiled for each kind of machine.

use super::masks::BoardMasks;
use crate::adapters::reversi::patterns::States;
use crate::adapters::reversi::weights::Weights;
use crate::alphabeta::{self, Bounds};
use crate::transposition::{Key, TranspositionTable};
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::Squares;
use yomikiri_rules::games::reversi::lines;

/// The minimum number of empty squares at which moves are searched some plies deep to order them.
pub const ORDERED_BY_SEARCH: u32 = 12;

/// Discs from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discs {
    pub own: Squares,
    pub other: Squares,
}

/// A position with the states of its patterns ([`States`]).
#[derive(Clone, Copy)]
pub struct PatternPosition {
    pub own: Squares,
    pub other: Squares,
    pub states: States,
}

impl PatternPosition {
    #[inline(always)]
    pub fn new(weights: &Weights, own: Squares, other: Squares) -> PatternPosition {
        PatternPosition { own, other, states: weights.patterns.states(own, other) }
    }

    /// The position after a move on `square` that turns `flips`, from the view of the other side.
    #[inline(always)]
    pub fn after(&self, weights: &Weights, square: u8, flips: Squares) -> PatternPosition {
        let states = self.states.after(&weights.patterns, square, flips);
        PatternPosition { own: self.other & !flips, other: self.own | flips | 1 << square, states }
    }

    #[inline(always)]
    pub fn passed(&self) -> PatternPosition {
        PatternPosition { own: self.other, other: self.own, states: self.states.passed() }
    }
}

/// A position as the key of a table whose buckets have one entry each.
#[derive(Clone, Copy)]
pub struct OneEntryKey(pub [u64; 2]);

impl Key for OneEntryKey {
    const WORDS: usize = 2;
    const BUCKET_WORDS: usize = 4;

    #[inline(always)]
    fn word(self, at: usize) -> u64 {
        self.0[at]
    }

    fn from_words(word: impl Fn(usize) -> u64) -> OneEntryKey {
        OneEntryKey([word(0), word(1)])
    }

    #[inline(always)]
    fn hash(self) -> u64 {
        self.0.hash()
    }
}

/// A table with bounds of recent positions with few empty squares. It is small enough to stay in the caches.
pub type Recent = TranspositionTable<OneEntryKey, Bounds>;

/// The search of one variant, with the code for one kind of machine.
pub struct ReversiSearch<K> {
    pub game: Reversi,
    pub masks: BoardMasks,
    pub machine: K,
    /// Bounds of positions with few empty squares.
    pub recent: Recent,
}

impl<K> ReversiSearch<K> {
    /// The weights of the board for positions with `empty` empty squares. `None` if the board has none, or if so few
    /// squares are empty that ordering moves by search costs more than it saves. The weights are unpacked on first use.
    #[inline(always)]
    pub fn weights(&self, empty: u32) -> Option<&'static Weights> {
        if empty < ORDERED_BY_SEARCH { None } else { Weights::of(self.masks.board) }
    }
}

/// One thread's share of a search.
pub type Worker<'a, K> = alphabeta::Worker<'a, ReversiSearch<K>>;

/// The recursive functions of the search. The default methods run on any machine.
pub trait Machine: Copy + Send + Sync + 'static {
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
        seen: &PatternPosition,
        depth: u32,
        window: [i32; 2],
        nodes: &mut u64,
    ) -> i32 {
        weights.look((self, masks), seen, depth, window, nodes)
    }
}
