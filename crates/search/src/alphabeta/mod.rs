//! Exact values of single positions of games that never repeat, by alpha-beta search.
//!
//! A sequence of null-window searches closes in on the value (`solver`). Each search asks whether the score is above
//! `alpha`, and stores bounds in a transposition table (`bounds`). Moves are ordered (`candidates`), and threads can
//! share the later moves of a position (`null_window`). A game adds knowledge beyond its rules through the hooks of
//! [`AlphaBeta`], which are compiled into the search. [`Plain`] needs only the rules. [`Scored`] converts the values of
//! games to scores.

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
pub use solver::{Solver, WindowResult};

use crate::transposition::Key;
use yomikiri_rules::Game;

/// The minimum number of plies left at which the search uses each of its costly techniques. With fewer plies left, the
/// technique costs more than it saves.
#[derive(Clone, Copy)]
pub struct Depths {
    /// The minimum number of plies left for ordering the moves. With fewer plies left, [`AlphaBeta::endgame`] searches
    /// the position.
    pub ordering: u32,
    /// The minimum number of plies left for looking up and storing bounds in the transposition table.
    pub table: u32,
    /// The minimum number of plies left for looking up all children in the table before searching any of them.
    pub lookahead: u32,
    /// The minimum number of plies left for checking whether the result of the search is still needed.
    pub interrupt: u32,
    /// The minimum number of plies left for dividing the moves of a position among threads.
    pub split: u32,
    /// The minimum number of plies left for calling [`AlphaBeta::probcut`] in a selective search. With fewer plies
    /// left, a selective search is exact.
    pub selective: u32,
}

/// The reason why a position has no moves.
pub enum NoMoves<P> {
    /// The game is over, with this score for the side to move.
    Terminal(i32),
    /// The side to move must pass. The field is the position after the pass, from the view of the other side.
    Pass(P),
}

/// A game as alpha-beta search sees it. Positions and scores ([`Scored`]) are relative to the side to move: greater is
/// better, and a score of `s` for one side is `-s` for the other.
///
/// A null-window search asks whether the score is above `alpha`. A result above `alpha` is a lower bound of the score,
/// any other result an upper bound. The position after a move is searched with `!alpha`, which is `-alpha - 1`, because
/// scores are negated there.
pub trait AlphaBeta: Sized + Send + Sync {
    /// The rules.
    type Game: Game<Value: Scored>;
    /// A position from the view of the side to move.
    type Position: Copy + Send + Sync;
    /// A move other than a pass.
    type Move: Copy + Send + Sync;
    /// The legal moves of a position, at least one, before the search orders them.
    type Legal;
    /// The list type for the moves of a position.
    type List: List<Candidate<Self>>;
    /// The type of keys in the transposition table.
    type Key: Key;

    /// The minimum number of plies left for each costly technique of the search.
    const DEPTHS: Depths;

    /// The ratio of the number of nodes searched to the number of buckets in use in the transposition table. The table
    /// grows with the search to keep this ratio.
    const NODES_PER_BUCKET: usize = 128;

    /// True if the table also grows in the middle of a null-window search, which then begins again. Otherwise it grows
    /// only between searches.
    const GROWS_AT_ONCE: bool = false;

    /// The rules of the variant.
    fn rules(&self) -> &Self::Game;

    /// Converts a position of the rules to one of the search.
    fn position(&self, position: &<Self::Game as Game>::Position) -> Self::Position;

    /// Converts a move of the search, or a pass if `mv` is `None`, to a move of the rules. Returns `None` if a pass is
    /// not a move of the rules.
    fn rules_move(&self, mv: Option<Self::Move>) -> Option<<Self::Game as Game>::Move>;

    /// Returns an upper bound on the number of moves left in the game, passes not counted.
    fn plies_left(&self, position: &Self::Position) -> u32;

    /// Returns the key under which bounds are stored. Positions that share a key have the same score.
    fn key(&self, position: &Self::Position) -> Self::Key;

    /// Returns the legal moves, or the reason why there are none.
    fn legal(&self, position: &Self::Position) -> Result<Self::Legal, NoMoves<Self::Position>>;

    /// Returns the moves with their priorities. Moves whose codes are in `first` come before all others. Nodes searched
    /// to find the order are added to `nodes`.
    fn candidates(
        &self,
        position: &Self::Position,
        legal: Self::Legal,
        first: [u8; 2],
        nodes: &mut u64,
    ) -> Candidates<Self>;

    /// Returns the exact score and a best move if they are known without a search. Called for the root only.
    fn solved_at_once(&self, _position: &Self::Position) -> Option<(i32, Self::Move)> {
        None
    }

    /// Returns a bound that shows on which side of `_alpha` the score lies, if the game finds one faster than a look-up
    /// in the table. Otherwise returns `None`.
    #[inline(always)]
    fn quick_bound(&self, _position: &Self::Position, _alpha: i32) -> Option<i32> {
        None
    }

    /// Returns a bound that shows on which side of `_alpha` the score lies, if the game finds one without a search.
    /// Otherwise returns `None`. Called if the table has no such bound.
    #[inline(always)]
    fn bound(&self, _position: &Self::Position, _alpha: i32) -> Option<i32> {
        None
    }

    /// Calls [`Worker::search_node`], which recurses through this method. A game can override the method to compile the
    /// search for an instruction set.
    #[inline(always)]
    fn search_node(worker: &mut Worker<Self>, position: Self::Position, alpha: i32) -> i32 {
        worker.search_node(position, alpha)
    }

    /// Searches a position with fewer plies left than [`Depths::ordering`], in place of [`Worker::search_node`].
    #[inline(always)]
    fn endgame(worker: &mut Worker<Self>, position: Self::Position, alpha: i32) -> i32 {
        worker.search_node(position, alpha)
    }

    /// Returns the least and the greatest score that the position can have.
    fn range(&self, _position: &Self::Position) -> [i32; 2] {
        let most = <<Self::Game as Game>::Value as Scored>::MAX;
        [-most, most]
    }

    /// Returns the `alpha` of the next null window, given that the score is between `lower` and `upper`, inclusive.
    /// `lower` is less than `upper`, and the result is at least `lower` and less than `upper`. The parameter `alpha` is
    /// a suggestion.
    fn window(&self, lower: i32, upper: i32, alpha: i32) -> i32 {
        <<Self::Game as Game>::Value as Scored>::window(lower, upper, alpha)
    }

    /// The remainder modulo 2 of all scores of the variant; `None` if some scores are even and others odd.
    fn parity(&self) -> Option<i32> {
        None
    }

    /// Returns an evaluation of the position as a score. The search for the exact score begins with it.
    fn evaluate(&self, _position: &Self::Position) -> i32 {
        0
    }

    /// Returns the number `n` of selective searches, which use [`AlphaBeta::probcut`], before the exact search. Their
    /// results serve only as a first guess and for move ordering. They have the levels `n` down to 1; level 0 is the
    /// exact search.
    fn selective_levels(&self, _position: &Self::Position) -> u8 {
        0
    }

    /// Returns the key under which a selective search of level `_level` stores bounds. This key must never be the
    /// [`AlphaBeta::key`] of any position.
    fn selective_key(&self, position: &Self::Position, _level: u8) -> Self::Key {
        self.key(position)
    }

    /// Returns the score that a selective search of level `_level` assumes without searching the position. Returns
    /// `None` if the estimate ([`Candidates::estimate`]) is too close to `_alpha` to assume one.
    fn probcut(&self, _level: u8, _candidates: &Candidates<Self>, _alpha: i32) -> Option<i32> {
        None
    }

    /// Returns the number of buckets of the transposition table at the start of a search, a power of two. The table
    /// grows as the search goes on. The default is larger than any table, so all buckets are in use from the start.
    fn buckets(&self, _plies_left: u32) -> usize {
        1 << (usize::BITS - 2)
    }

    /// Returns `Ok` if finding the values of a position and of all its moves takes seconds, or minutes at worst.
    /// Otherwise returns the reason why it takes longer, in a few words.
    fn reach(&self, position: &Self::Position) -> Result<(), String>;

    /// Returns true if finding the value of a position takes at most a few tenths of a second.
    fn is_quick(&self, position: &Self::Position) -> bool;

    /// Returns true if finding the value of a position is likely to take hours.
    fn takes_hours(&self, position: &Self::Position) -> bool;
}
