//! Finds exact values of single positions by search, without a table.

#[cfg(feature = "write")]
pub mod checkpoint;

use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::{Result, SearchError};
use yomikiri_rules::{Game, Notation, Value};
use yomikiri_table::Progress;

/// The result of a finished search.
pub struct Solution<G: Game> {
    /// The value for the side to move.
    pub value: G::Value,
    /// A move that keeps the value; `None` if the game is over.
    pub best: Option<G::Move>,
    /// The number of nodes searched.
    pub nodes: u64,
}

/// The result of a search that was stopped: bounds on the value for the side to move.
pub struct Bounded<V> {
    /// The lower bound, inclusive.
    pub at_least: V,
    /// The upper bound, inclusive.
    pub at_most: V,
    /// True if the search has raised the lower bound; false if the rules alone give it.
    pub is_raised: bool,
    /// True if the search has lowered the upper bound; false if the rules alone give it.
    pub is_lowered: bool,
    /// The number of nodes searched.
    pub nodes: u64,
}

/// The handles by which the caller controls and watches a running search.
pub struct SearchRun<'a> {
    /// The search ends once this is set.
    pub stop: &'a AtomicBool,
    /// The number of nodes searched so far. A caller that resumes a search starts it with the nodes of earlier runs.
    pub nodes: &'a AtomicU64,
    /// Receives the progress of the run. Each null-window question about the value is one step, with a total of
    /// [`yomikiri_table::ESTIMATED_TOTAL`] units.
    pub progress: &'a dyn Progress,
}

/// An entry of a search's transposition table, in the form that checkpoints store. Bounds are scores as the search uses
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchEntry {
    /// The words of the key. The second word is 0 if keys have only one word.
    pub key: [u64; 2],
    /// The lower bound, inclusive; `i16::MIN` if none is known.
    pub lower: i16,
    /// The upper bound, inclusive; `i16::MAX` if none is known.
    pub upper: i16,
    /// The best move and the previous best move, as the codes by which the search stores moves.
    pub moves: [u8; 2],
    /// Base-2 logarithm of the number of nodes searched for this entry.
    pub cost: u8,
}

/// A search for the exact value of any position. Its transposition table is kept from one call to the next.
pub trait Search<G: Game>: Send + Sync {
    /// Returns the value and a best move, or the bounds known so far if the run is stopped first.
    fn solve_until(&self, position: &G::Position, run: &SearchRun<'_>) -> Result<Solution<G>, Bounded<G::Value>>;

    /// Like [`Search::solve_until`], but cannot be stopped.
    fn solve(&self, position: &G::Position, progress: &dyn Progress) -> Solution<G> {
        let run = SearchRun { stop: &AtomicBool::new(false), nodes: &AtomicU64::new(0), progress };
        self.solve_until(position, &run).unwrap_or_else(|_| unreachable!("nobody stops it"))
    }

    /// Iterates over all entries of the table. A search may run at the same time.
    fn entries(&self) -> Box<dyn Iterator<Item = SearchEntry> + '_>;

    /// Grows the table to make room for the entries of earlier runs, in which the search of `position` has visited
    /// `nodes` nodes.
    fn make_room(&self, position: &G::Position, nodes: u64);

    /// Puts an entry of an earlier run of the search of `position` into the table. Skips entries whose bounds are
    /// impossible in this search.
    fn restore(&self, position: &G::Position, remembered: SearchEntry);

    /// Hashes the keys of a position and of its children, with the codes of the moves. Checkpoints store this hash, so
    /// that entries are refused if a version of the program computes keys differently.
    fn keys(&self, position: &G::Position) -> u64;

    /// Returns `Ok` if the search for the values of a position and of all its moves takes seconds, or minutes at worst.
    /// Otherwise returns the reason why it takes longer, in a few words.
    fn reach(&self, position: &G::Position) -> Result<(), String>;

    /// Returns true if the search for the value of a position takes at most a few tenths of a second.
    fn is_quick(&self, position: &G::Position) -> bool;

    /// Returns true if the search for the value of a position is likely to take hours.
    fn takes_hours(&self, position: &G::Position) -> bool;
}

/// Returns the best line from a solved position to the end of the game. Solves the position after each move to find the
/// next move. The game must not repeat positions.
///
/// # Errors
///
/// [`SearchError::ValueChanges`] if the value changes along the line.
pub fn best_line<G: Notation>(
    game: &G,
    search: &dyn Search<G>,
    position: &G::Position,
    solution: &Solution<G>,
    progress: &dyn Progress,
) -> Result<Vec<G::Move>> {
    let mut line = Vec::new();
    let (mut here, mut value, mut best) = (*position, solution.value, solution.best);
    while let Some(mv) = best {
        line.push(mv);
        here = game.play(&here, mv);
        let next = search.solve(&here, progress);
        if next.value.of_move() != value {
            let (position, moves) = (game.position_text(position), game.moves_text(&line));
            return Err(SearchError::ValueChanges { position, moves });
        }
        (value, best) = (next.value, next.best);
    }
    Ok(line)
}
