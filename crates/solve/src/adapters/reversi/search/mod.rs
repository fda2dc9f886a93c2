//! Exact scores of single positions by search: what reversi knows beside its rules.
//!
//! `solver` (reversi as alpha-beta search sees it), `masks` (the board), `endgame` and `last_flip` (the last empty squares),
//! `order` (which move first) by `eval` (evaluation), `stable` (discs that stay), `kernel` (machines).

mod endgame;
mod eval;
mod kernel;
mod last_flip;
mod masks;
mod order;
mod solver;
mod stable;

pub use eval::around;
pub use solver::searcher;

use crate::alphabeta;

/// One thread's share of a search.
type Worker<'a, K> = alphabeta::Worker<'a, solver::ReversiSearch<K>>;
