//! Reversi for the kernels: `occupancy` (whole boards) and `audit` (of their tables), `search` (exact scores of single
//! positions), `solve` (search, costs and room on a board for the kernels), `evaluate` (for play).

pub mod audit;
mod evaluate;
pub mod occupancy;
pub mod patterns;
pub mod search;
mod solve;
pub mod weights;
