//! Exact scores of single positions by search.
//!
//! `field` (the board), `last` and `few` (the last empty squares), `order` (which move first), `stable` (discs that
//! stay), `memory` (positions known), `window` (the search), `split` and `worker` (threads), `solver` (from windows to
//! scores).

mod few;
mod field;
mod kernel;
mod last;
mod memory;
mod order;
mod outlook;
mod solver;
mod split;
mod stable;
mod window;
mod worker;

pub use outlook::around;
pub use solver::Solver;
