//! Values of single positions by search, without a table.

#[cfg(feature = "write")]
pub mod checkpoint;

use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::{Result, SolveError};
use yomikiri_rules::{Game, Value};
use yomikiri_table::Progress;

/// What a search found out about a position.
pub struct Solution<G: Game> {
    pub value: G::Value,
    /// A move that keeps the value; none if the game is over.
    pub best: Option<G::Move>,
    /// Positions looked at.
    pub nodes: u64,
}

/// What a search knows that was stopped: bounds of the value for the side to move.
pub struct Bounded<V> {
    pub at_least: V,
    pub at_most: V,
    /// Positions looked at.
    pub nodes: u64,
}

/// A search as those see it who wait for it.
pub struct Run<'a> {
    /// Whoever sets it ends the search.
    pub stop: &'a AtomicBool,
    /// Positions looked at so far; before the search begins, those of earlier runs of it.
    pub nodes: &'a AtomicU64,
    /// A step is one question about the value; its units are [`yomikiri_table::SHARES`].
    pub progress: &'a dyn Progress,
}

/// What a search remembers of a position: bounds of its score, as the search sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The second word is 0 where keys have one.
    pub key: [u64; 2],
    pub lower: i16,
    pub upper: i16,
    /// Codes of the best moves.
    pub moves: [u8; 2],
    /// Logarithm to base 2 of the positions looked at for it.
    pub cost: u8,
}

/// A search that gives the exact value of any position. It remembers what it has seen from one question to the next.
pub trait Search<G: Game>: Send + Sync {
    /// The value of a position and a best move, unless somebody stops the run before it is known: then what is known.
    fn solve_until(&self, position: &G::Position, run: &Run<'_>) -> Result<Solution<G>, Bounded<G::Value>>;

    /// [`Search::solve_until`] without a stop.
    fn solve(&self, position: &G::Position, progress: &dyn Progress) -> Solution<G> {
        let run = Run { stop: &AtomicBool::new(false), nodes: &AtomicU64::new(0), progress };
        self.solve_until(position, &run).unwrap_or_else(|_| unreachable!("nobody stops it"))
    }

    /// All that it remembers, while it may be at work.
    fn remembered(&self) -> Box<dyn Iterator<Item = Remembered> + '_>;

    /// Before a search of a position goes on that has looked at so many positions in earlier runs: makes room for what
    /// it remembered.
    fn make_room(&self, position: &G::Position, nodes: u64);

    /// Remembers what an earlier run of the search of a position has; bounds that no position after it can have are
    /// passed over.
    fn remember(&self, position: &G::Position, remembered: Remembered);

    /// Hash of the keys of a position and of those after its moves, with the codes of these.
    fn keys(&self, position: &G::Position) -> u64;

    /// Whether the values of a position and of all its moves take seconds, or minutes at the worst; if not, why, in a
    /// few words.
    fn reach(&self, position: &G::Position) -> Result<(), String>;

    /// Whether the value of a position takes a few tenths of a second at most.
    fn is_quick(&self, position: &G::Position) -> bool;

    /// Whether the value of a position is likely to take hours.
    fn takes_hours(&self, position: &G::Position) -> bool;
}

/// Best play to the end from a position that has been solved, in a game without repetition: each move found by solving
/// the position before it.
pub fn best_line<G: Game>(
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
            let (text, name) = (game.position_text(position), game.moves_text(&line));
            return Err(SolveError::Wrong(format!("{text}: the value changes along its best line, after {name}")));
        }
        (value, best) = (next.value, next.best);
    }
    Ok(line)
}
