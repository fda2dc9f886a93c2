//! Reversi on boards from 3x3 to 8x8, valued by the final difference of discs.
//!
//! The rules in words are in docs/reversi.md. Files of this folder: `rules` (variants, their codes, starts and
//! scores), `board` (positions as bits, symmetries), `lines` (fills and rays in eight directions), `moves` (with
//! perft), `wide` (code for machines with wide registers), `index` (rank and unrank), `text` (positions, moves,
//! transcripts, pictures), `suite` (lines of test suites with scores), `ggf` (boards and games of
//! GGS), `game` (all of it as a [`crate::game::Game`]).

pub mod board;
mod game;
mod ggf;
pub mod index;
pub mod lines;
pub mod moves;
pub mod rules;
mod suite;
pub mod text;
pub mod wide;

pub use board::{Board, Position, Squares};
pub use moves::Move;
pub use rules::Rules;

/// One variant of reversi.
#[derive(Clone, Copy, Debug)]
pub struct Reversi {
    pub rules: Rules,
}

impl Reversi {
    pub fn new(rules: Rules) -> Reversi {
        Reversi { rules }
    }
}
