//! Reversi for the kernels. `occupancy` makes the tables of small boards, and `audit` checks them. `search` finds exact
//! scores of single positions, with evaluation by `patterns` and `weights`. `solve` connects the game to the kernels,
//! and `evaluate` is the evaluation for play.

pub mod audit;
mod evaluate;
pub mod occupancy;
pub mod patterns;
pub mod search;
mod solve;
pub mod weights;
