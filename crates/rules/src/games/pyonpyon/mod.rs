//! The pyonpyon game: five pieces a side that step and jump to the other end of a 5x5 board, by Muzudho.
//!
//! Files of this folder: `rules` (variants, their codes, starts and goals), `board` (positions as bits), `moves`
//! (with `lines` under it), `index` (keys, with `combinations` and `gaps` under it), `text` (notation), `graph`, `audit`
//! (with `ranks` under it) and `solve` (what the solver asks), `evaluate` (guesses for play without a table).

pub mod board;
pub mod combinations;
mod game;
pub mod gaps;
pub mod index;
pub mod lines;
pub mod moves;
pub mod rules;
pub mod text;

pub use board::{Board, Position};
pub use game::Pyonpyon;
pub use moves::Move;
pub use rules::{Reading, Rules};
