//! Fast reading of positions: compact positions (`field`), the ways on which moves can be made (`ways`), the distinct positions
//! after all moves (`successors`), lines that clear targets or still can (`lines`), all moves of a way together as sets of numbers (`choices`, `numbers`),
//! and who can force a win within so many plies (`reader`, with its `memory`, the `order` of moves, and the `last` two plies).
//!
//! Everything holds for all boards and variants. Tests hold it to the plain rules of `moves` and to brute force.

mod choices;
mod field;
mod last;
mod lines;
mod memory;
mod numbers;
mod order;
mod reader;
mod successors;
mod ways;

pub use field::{Field, gathered};
pub use lines::{Lines, Prospect};
pub use reader::{Reader, Stop};
pub use successors::{MOST, Successor, Successors};
