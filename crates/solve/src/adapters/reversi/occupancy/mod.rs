//! Whole tables of small boards: all positions, occupancy by occupancy.
//!
//! A position is a set of occupied squares and their colours, a number of as many bits. A move puts a disc on a square,
//! so that an occupancy leads to one occupancy for each free square, and a ply to the next. A ply is a set of bits:
//! those of an occupancy lie together, and so do those that a move leads to; both fit the caches while all positions of
//! an occupancy go through the same move. What a move does to colours is looked up (`placing`).
//!
//! `occupancies` (which there are), `placing`, `sets` (a ply as bits; colours as squares and their symmetries); the
//! steps `expand` (occupancies from the ply before) and `reduce` (values from the next ply), pure functions;
//! `enumerate` and `solve` (threads drive the steps, plies are kept on disk), `rows` (as a table has them), `run`.

mod enumerate;
mod expand;
mod occupancies;
mod placing;
mod reduce;
#[cfg(feature = "write")]
mod rows;
mod run;
mod sets;
#[cfg(feature = "write")]
mod solve;

#[cfg(feature = "write")]
pub use run::analyze;
pub use run::{memory_needed, takes};
