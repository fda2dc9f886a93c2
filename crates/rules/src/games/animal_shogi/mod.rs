//! Animal shogi (dobutsu shogi) with any moves of its five pieces.
//!
//! The rules in words are in docs/animal-shogi.md. Files of this folder: `rules` (rule codes, where pieces go),
//! `board` (positions as bits), `moves` (moves and un-moves), `index` (dense numbers), `text` (keys, board texts, moves), `sfen` (positions as shogi programs write them),
//! `graph` (what the solver asks), `evaluate` (guesses for play), `game`, `solve`; for exports `digits` (keys of many boards) and `candidates` (an order
//! of moves).

pub mod board;
pub mod candidates;
pub mod digits;
mod game;
pub mod index;
pub mod moves;
pub mod rules;
pub mod sfen;
pub mod text;

pub use board::{Board, Kind, Position};
pub use game::AnimalShogi;
pub use moves::Move;
pub use rules::Rules;
