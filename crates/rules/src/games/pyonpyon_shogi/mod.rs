//! The pyonpyon game with shogi pieces: the author's next step after the game itself. Pieces jump as in the pyonpyon
//! game and step as they do in shogi; nothing is captured, dropped or promoted.
//!
//! The rules in words are in docs/pyonpyon.md. Files of this folder: `kinds` (the pieces and their steps), `rules`
//! (variants, their codes and starts), `board` (positions as bits), `steps`, `moves`, `index` (rank and unrank),
//! `text` (notation), `game` (all of it as a [`crate::game::Game`]). Boards, lines of jumps, goals and the numbers of
//! placements are those of [`crate::games::pyonpyon`].

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
    pub rules: Rules,
    pub lines: Arc<Lines>,
    pub steps: Arc<Steps>,
    pub index: Arc<Index>,
}

impl PyonpyonShogi {
    pub fn new(rules: Rules) -> PyonpyonShogi {
        let board = rules.race.board;
        PyonpyonShogi {
            rules,
            lines: Arc::new(Lines::new(board)),
            steps: Arc::new(Steps::new(board)),
            index: Arc::new(Index::new(board, rules.kinds())),
        }
    }
}
