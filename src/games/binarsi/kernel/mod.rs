//! Fast reading of positions: compact positions (`field`), the distinct positions after all moves (`successors`), lines that
//! clear targets or still can (`lines`), and who can force a win within so many plies (`reader`, with its `memory`).
//!
//! Everything holds for all boards and variants. Tests hold it to the plain rules of `moves` and to brute force.

mod field;
mod lines;
mod memory;
mod reader;
mod successors;

pub use field::{Field, gathered};
pub use lines::{Lines, Prospect};
pub use reader::{Reader, Stop};
pub use successors::{MOST, SLOTS, Successor, Successors};
