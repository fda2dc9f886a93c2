//! Exact scores of single positions by search: reversi's hooks for alpha-beta search.
//!
//! `masks` is the board, `stable` finds discs that can never be turned, and `turned` finds the discs that a move turns.
//! `machine` defines positions and the functions that are compiled for each kind of machine, and `machines` has the two
//! kinds. `eval` is an evaluation by features, and `look` one by patterns. `order` orders moves. `endgame` and
//! `last_flip` search the last empty squares. `solver` puts all of this together.

mod endgame;
mod eval;
mod last_flip;
mod look;
mod machine;
mod machines;
mod masks;
mod order;
mod solver;
mod stable;
mod turned;

pub use masks::around;
pub use solver::{searched_eval, searcher};
