//! Reversi for the kernels: `occupancy` (whole boards) and `audit` (of their tables), `search` (exact scores of single positions), `capacity` (room on a
//! board, for estimates), `solve` (which kernel solves it), `evaluate` (for play).

mod audit;
mod capacity;
mod evaluate;
mod occupancy;
pub mod search;
mod solve;
