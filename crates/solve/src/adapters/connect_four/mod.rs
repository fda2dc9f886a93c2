//! Connect Four for the kernels: `capacity` (room on a board, for estimates), `solve` (by levels), `evaluate` (for play).

mod capacity;
mod evaluate;
mod solve;
