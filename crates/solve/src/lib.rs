//! From rules to values. `brute` is the oracle of the tests, `tiers` the kernel for dense acyclic games, `levels` the
//! one for sparse acyclic games and for the subgame of a late position (`subgame`, for one question); `retrograde` is
//! the kernel for dense cyclic games, `sparse` the one for cyclic games of few positions. `search` stands for what
//! finds the values of single positions without a table, as `alphabeta` does for acyclic games with what it keeps by
//! `transposition`; `proof` is df-pn for acyclic games with two outcomes, `certificate` what others can check a proof
//! by, and `strategy` stands for what knows who wins and how. `audit` checks tables.
//!
//! `solvable` is what the command asks of a game, `adapter` what a game adds to its kernel, `kernels` ties the two:
//! which kernel solves which game. `lookup` asks a table for many positions at once, `move_counts` how many of their
//! moves win. `pipeline` is the whole way of a table, `two_steps` a run of an acyclic game with a
//! store for either step, `options` what a run is asked to do, and `memory` where large pieces of it come from.

// Without `write` much of what only whole runs use is left over.
#![cfg_attr(not(feature = "write"), allow(dead_code, unused_imports))]

pub mod adapter;
pub mod adapters;
pub mod alphabeta;
pub mod audit;
pub mod brute;
mod cache;
pub mod certificate;
mod counts;
mod error;
pub mod estimate;
pub mod evaluate;
#[cfg(test)]
mod heaps;
pub mod kernels;
pub mod levels;
pub mod lookup;
pub mod memory;
pub mod move_counts;
mod options;
pub mod perft;
#[cfg(feature = "write")]
pub mod pipeline;
#[cfg(feature = "write")]
pub mod proof;
pub mod retrograde;
pub mod search;
mod solvable;
mod sorted_keys;
pub mod space;
pub mod sparse;
mod strategy;
pub mod subgame;
pub mod tiers;
pub mod transposition;
#[cfg(feature = "write")]
mod two_steps;

pub use adapter::Adapter;
pub use error::{Result, SolveError};
pub use evaluate::{Evaluate, Playable};
pub use options::{Costs, SolveOptions};
pub use search::{Search, Solution, best_line};
pub use solvable::{Solvable, Solved};
pub use strategy::Strategy;
