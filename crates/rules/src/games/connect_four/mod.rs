//! Connect Four on boards from 3x3 to 8x8. Three, four or five discs in a row win.
//!
//! docs/connect-four.md describes the rules. Files of this folder: `rules` (variants and their codes), `board`
//! (bitboards), `lines` (rows of discs by shifts), `moves`, `index` (rank and unrank), `text` (positions, moves,
//! diagrams), `suite` (test suites with scores), `game` (the implementation of [`crate::game::Game`]).

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
    /// The size of the board, and the number of discs in a row that win.
    pub rules: Rules,
}

impl ConnectFour {
    /// Creates the variant.
    pub fn new(rules: Rules) -> ConnectFour {
        ConnectFour { rules }
    }
}
