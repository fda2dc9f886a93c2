//! Connect Four on boards from 3x3 to 8x8, with three, four or five in a row to win.
//!
//! The rules in words are in docs/connect-four.md. Files of this folder: `rules` (variants and their codes), `board`
//! (positions as bitboards), `lines` (rows of discs by shifts), `moves`, `index` (rank and unrank of keys), `text`
//! (positions, moves, pictures), `game`, `capacity` (room on a board, for estimates), `evaluate` (heuristic for play),
//! `solve`, `search` (values of single positions).

pub mod board;
mod capacity;
mod evaluate;
mod game;
pub mod index;
pub mod lines;
pub mod moves;
pub mod rules;
mod search;
mod solve;
pub mod text;

pub use board::{Board, Position, Squares};
pub use game::ConnectFour;
pub use moves::Move;
pub use rules::Rules;
