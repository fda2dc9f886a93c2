//! Which positions are the same for a proof.
//!
//! Mirror images are, as for tables. And a side that misses a target which can no longer be cleared can win by the count
//! alone: its other targets do not matter any more, whichever it has cleared. Its bits are then all set, which no position
//! of a game that goes on has.

use crate::games::binarsi::game::Binarsi;
use crate::games::binarsi::kernel::Field;
use crate::games::binarsi::targets;

/// A position with all targets set of each side that cannot win by targets any more.
pub fn normal(game: &Binarsi, field: &Field) -> Field {
    let hope = game.successors.lines.hope(field, targets::ALL);
    Field { targets: field.targets | targets::ALL & !hope, ..*field }
}

/// The number of a position that is not decided by targets; positions with the same number have the same winner.
pub fn key(game: &Binarsi, field: &Field) -> u64 {
    key_of_normal(game, &normal(game, field))
}

/// The same for a position whose targets are set as [`normal`] does.
pub fn key_of_normal(game: &Binarsi, normal: &Field) -> u64 {
    game.keys.canonical(&game.rules, &normal.position()).1
}
