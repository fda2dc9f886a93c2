//! Binarsi for searches: compact positions (`compact`), the ways on which moves can be made (`ways`), the distinct
//! successors of a position (`successors`), lines that clear targets or still can (`lines`), all moves of a way
//! together as sets of numbers (`choices`, `numbers`), and the exact endgame solver (`endgame`, with its
//! `transposition` table, the `move_order`, and special code for the `last_plies`).
//!
//! Everything holds for all boards and variants. Tests hold it to the plain rules of `moves` and to brute force.

mod choices;
mod compact;
mod endgame;
mod last_plies;
mod lines;
mod move_order;
mod numbers;
mod successors;
mod transposition;
mod ways;

pub use compact::{CompactPosition, gathered};
pub use endgame::{EndgameSolver, Stop};
pub use lines::{Lines, Prospect};
pub use successors::{MOST, Successor, Successors};
