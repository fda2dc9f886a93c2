//! Whole tables of small boards: all positions, occupancy by occupancy.
//!
//! A position is a set of occupied squares (an occupancy) and their colours, a number with one bit for each occupied
//! square. A move puts a disc on a square. So an occupancy leads to one occupancy for each free square, and a ply to
//! the next. The positions of a ply are a set of bits, in which the bits of an occupancy are contiguous. A step makes
//! one move for all positions of an occupancy together. Their children are contiguous too, and both ranges fit into the
//! caches. Tables give the effect of a move on colours (`placing`).
//!
//! `occupancies` lists the occupancies. `sets` stores a ply as bits, and maps colours to squares and to their symmetric
//! images. The steps are pure functions: `expand` finds positions from the ply before, and `reduce` finds values from
//! the next ply. `enumerate` and `solve` run these steps on threads and keep the plies on disk. `rows` converts
//! positions to the rows of a table, `run` is the whole run, and `capacity` is its limits.

mod capacity;
mod enumerate;
mod expand;
mod occupancies;
mod placing;
mod reduce;
#[cfg(feature = "write")]
mod rows;
#[cfg(feature = "write")]
mod run;
mod sets;
#[cfg(feature = "write")]
mod solve;

pub use capacity::{memory_needed, takes};
#[cfg(feature = "write")]
pub use run::analyze;
