//! Values of single positions by search, without a table.

use std::sync::atomic::AtomicBool;

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

/// A search that gives the exact value of any position. It remembers what it has seen from one question to the next.
pub trait Search<G: Game>: Send + Sync {
    /// The value of a position and a best move, unless somebody sets `stop` before it is known: then what is known. A
    /// step of the progress is one question about the value; its units are [`yomikiri_table::SHARES`].
    fn solve_until(
        &self,
        position: &G::Position,
        stop: &AtomicBool,
        progress: &dyn Progress,
    ) -> Result<Solution<G>, Bounded<G::Value>>;

    /// [`Search::solve_until`] without a stop.
    fn solve(&self, position: &G::Position, progress: &dyn Progress) -> Solution<G> {
        let solved = self.solve_until(position, &AtomicBool::new(false), progress);
        solved.unwrap_or_else(|_| unreachable!("nobody stops it"))
    }

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
