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

impl Discs {
    /// Returns the discs after a move on `square` that turns `flips`, from the view of the other side.
    #[inline(always)]
    pub fn after(self, square: u8, flips: Squares) -> Discs {
        Discs { own: self.other & !flips, other: self.own | flips | 1 << square }
    }

    #[inline(always)]
    pub fn passed(self) -> Discs {
        Discs { own: self.other, other: self.own }
    }
}

/// The empty squares of a position with few of them.
#[derive(Clone, Copy)]
pub struct EmptySquares {
    pub all: Squares,
    /// The squares of the quarters of the board with an odd number of empty squares.
    pub odd: Squares,
}

/// A position with the states of its patterns ([`States`]).
#[derive(Clone, Copy)]
pub struct PatternPosition {
    pub discs: Discs,
    pub states: States,
}

/// A board that has weights of patterns.
#[derive(Clone, Copy)]
pub struct WeightedBoard<'a> {
    pub weights: &'a Weights,
    pub masks: &'a BoardMasks,
}

impl PatternPosition {
    #[inline(always)]
    pub fn new(weights: &Weights, discs: Discs) -> PatternPosition {
        PatternPosition { discs, states: weights.patterns.states(discs.own, discs.other) }
    }

    /// Returns the position after a move on `square` that turns `flips`, from the view of the other side.
    #[inline(always)]
    pub fn after(&self, weights: &Weights, square: u8, flips: Squares) -> PatternPosition {
        let states = self.states.after(&weights.patterns, square, flips);
        PatternPosition { discs: self.discs.after(square, flips), states }
    }

    #[inline(always)]
    pub fn passed(&self) -> PatternPosition {
        PatternPosition { discs: self.discs.passed(), states: self.states.passed() }
    }
}

/// A position as the key of a transposition table whose buckets have one entry each.
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

/// A transposition table with bounds of recent positions with few empty squares. It is small enough for the caches of
/// the processor.
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
    /// Returns the weights of the board for positions with `empty` empty squares. Returns `None` if the board has no
    /// weights, or if so few squares are empty that ordering moves by search costs more than it saves. The weights are
    /// unpacked on first use.
    #[inline(always)]
    pub fn weights(&self, empty: u32) -> Option<&'static Weights> {
        if empty < ORDERED_BY_SEARCH { None } else { Weights::of(self.masks.board) }
    }
}

/// One thread's share of a search.
pub type Worker<'a, K> = alphabeta::Worker<'a, ReversiSearch<K>>;

/// The recursive functions of the search. The default methods run on any machine.
///
/// Structs that these functions take by value have two words at most, and so are passed in registers.
pub trait Machine: Copy + Send + Sync + 'static {
    /// Returns the discs of `other` that a move on `square` turns.
    #[inline(always)]
    fn flips(square: u8, own: Squares, other: Squares) -> Squares {
        lines::flips(square, own, other)
    }

    fn last_three(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32, squares: [u8; 3]) -> i32 {
        worker.last_three(discs, alpha, squares)
    }

    fn plain(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32, empty: EmptySquares, legal: Squares) -> i32 {
        worker.plain(discs, alpha, empty, legal)
    }

    fn ordered(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32, empty: EmptySquares, legal: Squares) -> i32 {
        worker.ordered(discs, alpha, empty, legal)
    }

    fn search_node(self, worker: &mut Worker<Self>, discs: Discs, alpha: i32) -> i32 {
        worker.search_node(discs, alpha)
    }

    fn eval(self, masks: &BoardMasks, discs: Discs, depth: u32, window: [i32; 2]) -> i32 {
        masks.eval(self, discs, depth, window)
    }

    fn look(self, board: WeightedBoard, seen: &PatternPosition, depth: u32, window: [i32; 2], nodes: &mut u64) -> i32 {
        board.look(self, seen, depth, window, nodes)
    }
}
