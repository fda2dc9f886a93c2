//! Exact values of single positions of games that never repeat, by alpha-beta search.
//!
//! A row of searches with null windows closes in on the value (`solver`). A search asks whether a score is above
//! `alpha` and keeps bounds in a transposition table (`bounds`); moves come in order (`candidates`), and the later
//! moves of a position can be shared between threads (`null_window`). What a game knows beside its rules are hooks of
//! [`AlphaBeta`], compiled into the search; [`Plain`] makes do with the rules. [`Scored`] turns the values of games
//! into scores.

mod bounds;
mod candidates;
mod null_window;
mod plain;
mod scored;
mod solver;

pub use bounds::{Bounds, NO_MOVE};
pub use candidates::{Candidate, Candidates, List};
pub use null_window::Worker;
pub use plain::Plain;
pub use scored::Scored;
pub use solver::{Answer, Solver};

use crate::transposition::Key;
use yomikiri_rules::Game;

/// Plies left from which on the search does more, because it is worth its while there.
#[derive(Clone, Copy)]
pub struct Depths {
    /// Moves are put in order; with fewer plies left [`AlphaBeta::endgame`] is asked.
    pub ordering: u32,
    /// Bounds are kept in the transposition table.
    pub table: u32,
    /// The positions after all moves are looked up before any is searched.
    pub lookahead: u32,
    /// Threads ask whether the result is still wanted.
    pub interrupt: u32,
    /// Threads share the moves of a position.
    pub split: u32,
    /// Selective searches ask [`AlphaBeta::probcut`]; with fewer plies left they are exact.
    pub selective: u32,
}

/// Why a position has no moves.
pub enum NoMoves<P> {
    /// The game is over; its score for the side to move.
    Terminal(i32),
    /// The side to move must pass; the position seen by the other side.
    Pass(P),
}

/// A game as alpha-beta search sees it. Positions are seen by the side to move, so are scores ([`Scored`]): greater is
/// better, and what is `score` for one side is `-score` for the other.
///
/// A null window is given by `alpha`: a result above `alpha` is a lower bound of the score, any other an upper bound.
/// `!alpha` is the window seen by the other side, `-alpha - 1`.
pub trait AlphaBeta: Sized + Send + Sync {
    /// The rules.
    type Game: Game<Value: Scored>;
    type Position: Copy + Send + Sync;
    /// A move of a position, other than a pass.
    type Move: Copy + Send + Sync;
    /// The legal moves of a position before they are put in order; at least one.
    type Legal;
    /// Room for the moves of a position.
    type List: List<Candidate<Self>>;
    type Key: Key;

    const DEPTHS: Depths;

    /// A search of so many nodes fills a bucket of the table.
    const NODES_A_BUCKET: usize = 128;

    fn rules(&self) -> &Self::Game;

    fn position(&self, position: &<Self::Game as Game>::Position) -> Self::Position;

    /// The move of the rules; `None` is a pass.
    fn rules_move(&self, mv: Option<Self::Move>) -> Option<<Self::Game as Game>::Move>;

    /// Most moves to the end of the game, passes not counted.
    fn plies_left(&self, position: &Self::Position) -> u32;

    /// The key under which bounds are kept. Positions that share a key have the same score.
    fn key(&self, position: &Self::Position) -> Self::Key;

    fn legal(&self, position: &Self::Position) -> Result<Self::Legal, NoMoves<Self::Position>>;

    /// The moves in their order for the search; those with the codes `first` come before all others. Positions looked
    /// at to find the order are added to `nodes`.
    fn candidates(
        &self,
        position: &Self::Position,
        legal: Self::Legal,
        first: [u8; 2],
        nodes: &mut u64,
    ) -> Candidates<Self>;

    /// The exact score of a position and a best move where they are seen at once. Only positions that people ask
    /// about are looked at in this way.
    fn solved_at_once(&self, _position: &Self::Position) -> Option<(i32, Self::Move)> {
        None
    }

    /// A bound that settles the null window and is found faster than by the table.
    #[inline(always)]
    fn quick_bound(&self, _position: &Self::Position, _alpha: i32) -> Option<i32> {
        None
    }

    /// A bound that settles the null window without a search; asked for where the table has none.
    #[inline(always)]
    fn bound(&self, _position: &Self::Position, _alpha: i32) -> Option<i32> {
        None
    }

    /// The entrance of [`Worker::search_node`], through which it calls itself: a place to compile it for the machine.
    #[inline(always)]
    fn search_node(worker: &mut Worker<Self>, position: Self::Position, alpha: i32) -> i32 {
        worker.search_node(position, alpha)
    }

    /// [`Worker::search`] with fewer plies left than [`Depths::ordering`].
    #[inline(always)]
    fn endgame(worker: &mut Worker<Self>, position: Self::Position, alpha: i32) -> i32 {
        worker.search_node(position, alpha)
    }

    /// The least and the greatest score that the position can have.
    fn range(&self, _position: &Self::Position) -> [i32; 2] {
        let most = <<Self::Game as Game>::Value as Scored>::MOST;
        [-most, most]
    }

    /// The remainder by 2 of all scores, where they have the same.
    fn parity(&self) -> Option<i32> {
        None
    }

    /// An evaluation: a score to ask about first.
    fn evaluate(&self, _position: &Self::Position) -> i32 {
        0
    }

    /// How many selective searches come before the exact one. They say what to ask about first and which moves to try
    /// first, and nothing else of what they find is believed. Levels count down, to 0 for the exact search.
    fn selective_levels(&self, _position: &Self::Position) -> u8 {
        0
    }

    /// The key under which a selective search of a level keeps bounds: never [`AlphaBeta::key`] of any position.
    fn selective_key(&self, position: &Self::Position, _level: u8) -> Self::Key {
        self.key(position)
    }

    /// What a selective search of a level takes for the answer, if the estimate is far from `alpha`.
    fn probcut(&self, _level: u8, _candidates: &Candidates<Self>, _alpha: i32) -> Option<i32> {
        None
    }

    /// Buckets of the table to begin a search with so many plies left with, a power of two; they become more as the
    /// search goes on.
    fn buckets(&self, _plies_left: u32) -> usize {
        1 << (usize::BITS - 2)
    }

    /// Whether the values of a position and of all its moves take seconds, or minutes at the worst; if not, why, in a
    /// few words.
    fn reach(&self, position: &Self::Position) -> Result<(), String>;

    /// Whether the value of a position takes a few tenths of a second at most.
    fn is_quick(&self, position: &Self::Position) -> bool;

    /// Whether the value of a position is likely to take hours.
    fn takes_hours(&self, position: &Self::Position) -> bool;
}
