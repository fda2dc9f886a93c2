//! Reversi on boards from 3x3 to 8x8, valued by the final difference of discs.
//!
//! docs/reversi.md describes the rules. Files of this folder: `rules` (variants, their codes, starting positions and
//! scores), `board` (bitboards, symmetries), `lines` (fills and rays in eight directions), `moves` (with perft), `index`
//! (rank and unrank), `text` (positions, moves, transcripts, diagrams), `suite` (test suites with scores), `ggf` (boards
//! and games of GGS), `wtb` (files of the WTHOR database), `game` (the implementation of [`crate::game::Game`]).

pub mod board;
mod game;
mod ggf;
pub mod index;
pub mod lines;
pub mod moves;
pub mod rules;
mod suite;
pub mod text;
mod wtb;

pub use board::{Board, Position, Squares};
pub use moves::Move;
pub use rules::Rules;

/// One variant of reversi.
#[derive(Clone, Copy, Debug)]
pub struct Reversi {
    /// The size of the board, the start and the scoring.
    pub rules: Rules,
}

impl Reversi {
    /// Creates the variant.
    pub fn new(rules: Rules) -> Reversi {
        Reversi { rules }
    }
}
