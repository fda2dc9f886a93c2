//! Connect Four on boards from 3x3 to 8x8, with three, four or five in a row to win.
//!
//! The rules in words are in docs/connect-four.md. Files of this folder: `rules` (variants and their codes), `board`
//! (positions as bitboards), `lines` (rows of discs by shifts), `moves`, `index` (rank and unrank of keys), `text`
//! (positions, moves, pictures), `suite` (lines of test suites with scores), `game` (all of it as a
//! [`crate::game::Game`]).

pub mod board;
mod game;
pub mod index;
pub mod lines;
pub mod moves;
pub mod rules;
mod suite;
pub mod text;

pub use board::{Board, Position, Squares};
pub use moves::Move;
pub use rules::Rules;

/// One variant of Connect Four.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour {
    pub rules: Rules,
}

impl ConnectFour {
    pub fn new(rules: Rules) -> ConnectFour {
        ConnectFour { rules }
    }
}
