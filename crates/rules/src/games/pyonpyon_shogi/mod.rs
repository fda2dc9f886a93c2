//! The pyonpyon game with shogi pieces, a variant that the game's author proposed. Pieces jump as in the pyonpyon game
//! and step as in shogi. Nothing is captured, dropped or promoted.
//!
//! docs/pyonpyon.md describes the rules. Files of this folder: `kinds` (pieces and their steps), `rules` (variants,
//! their codes and starting positions), `board` (bitboards), `steps`, `moves`, `index` (rank and unrank), `text`
//! (notation), `game` (the implementation of [`crate::game::Game`]). Boards, lines of jumps, goals and the numbering of
//! placements come from [`crate::games::pyonpyon`].

pub mod board;
mod game;
pub mod index;
pub mod kinds;
pub mod moves;
pub mod rules;
pub mod steps;
pub mod text;

use std::sync::Arc;

use super::pyonpyon::moves::Lines;
use index::Index;
use steps::Steps;

pub use board::Position;
pub use kinds::Kind;
pub use rules::Rules;

/// One variant of the game with its tables.
#[derive(Clone, Debug)]
pub struct PyonpyonShogi {
    /// The board, the reading of the rule about wins, and the pieces.
    pub rules: Rules,
    /// The tables for jumps.
    pub lines: Arc<Lines>,
    /// The tables for steps.
    pub steps: Arc<Steps>,
    /// The keys of the positions.
    pub index: Arc<Index>,
}

impl PyonpyonShogi {
    /// Creates the variant and computes its tables.
    pub fn new(rules: Rules) -> PyonpyonShogi {
        let board = rules.base.board;
        PyonpyonShogi {
            rules,
            lines: Arc::new(Lines::new(board)),
            steps: Arc::new(Steps::new(board)),
            index: Arc::new(Index::new(board, rules.kinds())),
        }
    }
}
