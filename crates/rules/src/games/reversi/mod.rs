//! Reversi on boards from 3x3 to 8x8, valued by the final difference of discs.
//!
//! The rules in words are in docs/reversi.md. Files of this folder: `rules` (variants, their codes, starts and scores),
//! `board` (positions as bits, symmetries), `lines` (the move kernels: fills and rays in eight directions), `moves`, `sequences`
//! (counts of them), `wide` (code for machines with wide registers),
//! `index` (keys), `text` (positions, moves, pictures), `transcript` (moves of a game without spaces), `suite` (scores in
//! lines of test suites), `game`, `capacity` (room on a board, for estimates), `whole` (the kernel for whole tables),
//! `audit` (of its tables), `evaluate` (guesses for play), `solve`, `search` (exact scores of single positions).

pub mod board;
mod game;
pub mod index;
pub mod lines;
pub mod moves;
pub mod rules;
pub mod sequences;
pub mod suite;
pub mod text;
pub mod transcript;
pub mod wide;

pub use board::{Board, Position, Squares};
pub use game::Reversi;
pub use moves::Move;
pub use rules::Rules;
