//! Binarsi: a game of logic operations on the lines of a 7x6 board, by Muzudho.
//!
//! The rules in words are in docs/binarsi.md. Files of this folder: `rules` (variants and their codes), `board`
//! (positions as bits), `targets`, `moves`, `index` (keys and tiers), `text` (notation), `edit` (board editing),
//! `capacity` (room on a board, for estimates), `evaluate` (heuristic evaluation for play), `kernel` (compact positions and the endgame
//! solver), `reading` (the kernel for players), `sheet` (whole tiers at once, for the solver), `plain_rows` (rows by the rules of
//! `moves`, for the audit), `solve`; `proof` and `certificate` (df-pn and certificates, for all games), `proof_hooks`, `prior` and
//! `certificate_moves` (what Binarsi adds to them).

pub mod board;
mod capacity;
pub mod certificate;
mod certificate_moves;
pub mod edit;
mod evaluate;
mod game;
pub mod index;
pub mod kernel;
pub mod moves;
mod plain_rows;
mod prior;
pub mod proof;
mod proof_hooks;
mod reading;
pub mod rules;
mod sheet;
mod solve;
pub mod targets;
pub mod text;

pub use board::Position;
pub use game::Binarsi;
pub use moves::{Move, Op};
pub use proof_hooks::BinarsiProof;
pub use rules::Rules;
