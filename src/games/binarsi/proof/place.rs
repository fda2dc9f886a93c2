//! Which positions are the same for a proof.
//!
//! Mirror images are, as for tables. And a side that misses a target which can no longer be cleared can win by the count
//! alone: its other targets do not matter any more, whichever it has cleared. Its bits are then all set, which no position
//! of a game that goes on has.

use crate::games::binarsi::game::Binarsi;
use crate::games::binarsi::kernel::Field;
use crate::games::binarsi::targets::{BLACK_ALL, WHITE_ALL};

/// The number of a position that is not decided by targets; positions with the same number have the same winner.
pub fn key(game: &Binarsi, field: &Field) -> u64 {
    let mut position = field.position();
    position.targets = targets_that_matter(game, field);
    game.keys.canonical(&game.rules, &position).1
}

fn targets_that_matter(game: &Binarsi, field: &Field) -> u8 {
    let reachable = field.targets | game.successors.lines.open(field);
    [BLACK_ALL, WHITE_ALL].into_iter().filter(|all| reachable & all != *all).fold(field.targets, |set, all| set | all)
}
