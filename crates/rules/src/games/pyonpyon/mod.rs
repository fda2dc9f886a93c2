//! The pyonpyon game: five pieces a side step and jump to the other end of a 5x5 board, by Muzudho.
//!
//! docs/pyonpyon.md describes the rules. Files of this folder: `rules` (variants, their codes, starting positions and
//! goals), `board` (bitboards), `moves` (with tables of lines), `index` (rank and unrank, with `combinations`), `text`
//! (notation), `game` (the implementation of [`crate::game::Game`]).

pub mod board;
pub mod combinations;
mod game;
pub mod index;
pub mod moves;
pub mod rules;
pub mod text;

use std::sync::Arc;

use index::Index;
use moves::Lines;

pub use board::{Board, Position};
pub use moves::Move;
pub use rules::{Reading, Rules};

/// One variant of the pyonpyon game with its tables.
#[derive(Clone, Debug)]
pub struct Pyonpyon {
    /// The size of the board, and the reading of the rule about wins.
    pub rules: Rules,
    /// The tables for move generation.
    pub lines: Arc<Lines>,
    /// The keys of the positions.
    pub index: Arc<Index>,
}

impl Pyonpyon {
    /// Creates the variant and computes its tables.
    pub fn new(rules: Rules) -> Pyonpyon {
        Pyonpyon { rules, lines: Arc::new(Lines::new(rules.board)), index: Arc::new(Index::new(rules.board)) }
    }
}
