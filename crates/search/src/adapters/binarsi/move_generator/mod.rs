//! Binarsi for searches: compact positions (`compact`), the ways that have moves (`ways`), the distinct successors of a
//! position (`successors`), lines for targets (`lines`), all moves of a way together as sets of numbers (`choices`,
//! `numbers`), and the exact endgame solver (`endgame`, with its `transposition` table, its `move_order`, and special
//! code for the `last_plies`). A way is a file or a rank of the board. A target is a line of stones in a given
//! direction, which a side clears once it has such a line.
//!
//! All of it works for every board and variant. Tests compare it with the plain rules of `moves` and with brute force.

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
pub use endgame::{EndgameSolver, StopFn};
pub use lines::{TargetDistance, TargetPlaces};
pub use successors::{MAX_SUCCESSORS, Successor, Successors};
