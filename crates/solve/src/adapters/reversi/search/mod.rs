//! Exact scores of single positions by search: what reversi knows beside its rules.
//!
//! `masks` (the board), `stable` (discs that stay), `kernel` (what is searched, and what is compiled for a machine),
//! `turned` (what a move turns), `eval` (evaluation), `look` (evaluation by patterns), `order` (which move first),
//! `endgame` and `last_flip` (the last empty squares), `machines` (the two kernels), `solver` (all of it as alpha-beta
//! search sees it).

mod endgame;
mod eval;
mod kernel;
mod last_flip;
mod look;
mod machines;
mod masks;
mod order;
mod solver;
mod stable;
mod turned;

pub use masks::around;
pub use solver::{looked_at, searcher};
