//! The pyonpyon game: five pieces a side that step and jump to the other end of a 5x5 board, by Muzudho.
//!
//! The rules in words are in docs/pyonpyon.md. Files of this folder: `rules` (variants, their codes, starts and
//! goals), `board` (positions as bits), `moves` (with tables of lines), `index` (rank and unrank, by `combinations`),
//! `text` (notation), `game` (all of it as a [`crate::game::Game`]).

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
    pub rules: Rules,
    pub lines: Arc<Lines>,
    pub index: Arc<Index>,
}

impl Pyonpyon {
    pub fn new(rules: Rules) -> Pyonpyon {
        Pyonpyon { rules, lines: Arc::new(Lines::new(rules.board)), index: Arc::new(Index::new(rules.board)) }
    }
}
