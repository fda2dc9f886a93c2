//! The outcome with one or two plies left.
//!
//! With one ply left, the board is full and a single way is unlocked. With two plies left, the board is full and two
//! ways are unlocked, or one way of the board is still empty; this second case is not handled here. With `-n` or `-m`,
//! an unlocked way may have no legal move.

use arrayvec::ArrayVec;

use super::choices::{MoveScan, WayMoveGenerator, WayMoves};
use super::compact::CompactPosition;
use super::numbers::each;
use yomikiri_rules::Side;

/// Returns true if the side to move wins with `rest` plies left. Returns `None` if this function does not handle the
/// position. The position must not be decided by targets. `attainable` has the three targets of each side that can
/// still clear all three.
#[inline]
pub fn wins(choices: &WayMoveGenerator, position: &CompactPosition, attainable: u8, rest: u32) -> Option<bool> {
    match rest {
        1 => Some(last(choices, position, attainable)),
        2 if (choices.ways.locks() & !position.locks).count_ones() == 2 => {
            Some(last_two(choices, position, attainable))
        }
        _ => None,
    }
}

/// Returns true if the side to move wins with one ply left.
#[inline]
fn last(choices: &WayMoveGenerator, position: &CompactPosition, attainable: u8) -> bool {
    let mover = Side::at_ply(choices.rules.max_plies() - 1);
    let (way, inputs) = choices.ways.last(position);
    let results = choices.results(position, &way, inputs);
    if results == 0 {
        return position.counted(&choices.rules) == mover;
    }
    let [own, other] =
        [mover, mover.other()].map(|side| choices.clears_all(position, attainable, &way, inputs.length, side, results));
    let count = choices.counts(position, &way, mover);
    results & (own & !other | count & !(own ^ other)) != 0
}

/// Returns true if the side to move wins with two plies left and two unlocked ways.
fn last_two(choices: &WayMoveGenerator, position: &CompactPosition, attainable: u8) -> bool {
    let mover = Side::at_ply(choices.rules.max_plies() - 2);
    let mut ways = ArrayVec::new();
    match choices.scan_moves(position, attainable, mover, &mut ways) {
        MoveScan::Win => true,
        MoveScan::Stuck => position.counted(&choices.rules) == mover,
        MoveScan::GoOn => {
            let wins = |options: &WayMoves, number| !last(choices, &options.after(position, number), attainable);
            ways.iter().any(|options| each(options.open).any(|number| wins(options, number)))
        }
    }
}
