//! Reversi for the kernels. `occupancy` makes the tables of small boards, and `audit` checks them. `solve` connects
//! the game to the kernels.

pub mod audit;
pub mod occupancy;
mod solve;
