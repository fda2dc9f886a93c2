//! Binarsi: a game of logic operations on the lines of a 7x6 board, by Muzudho.
//!
//! The rules in words are in docs/binarsi.md. Files of this folder: `rules` (variants and their codes), `board`
//! (positions as bits), `targets`, `moves`, `index` (keys and tiers), `text` (notation), `edit` (board editing),
//! `capacity` (room on a board, for estimates), `evaluate` (guesses for play), `proof` (who wins on boards without a table), `certificate` (what others can check such a proof by), `kernel` (fast reading of positions),
//! `sheet` (whole tiers at once, for the solver), `plain_rows` (rows by the rules of `moves`, for the audit), `reading` (the kernel for players), `solve`.

pub mod board;
pub mod edit;
mod game;
pub mod index;
pub mod kernel;
pub mod moves;
pub mod rules;
pub mod targets;
pub mod text;

pub use board::Position;
pub use game::Binarsi;
pub use moves::{Move, Op};
pub use rules::Rules;
