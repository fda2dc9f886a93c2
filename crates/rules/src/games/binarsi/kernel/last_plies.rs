//! The outcome with one or two plies left.
//!
//! Then the board is full, and one or two ways are not locked; but for two plies a way can also be missing, or, with
//! `-n` or `-m`, stuck.

use arrayvec::ArrayVec;

use super::choices::{Choices, Options, Survey};
use super::compact::CompactPosition;
use super::numbers::each;
use crate::Side;

/// Whether the side to move wins with so many plies left, in a position that is not decided by targets; `None` if
/// that cannot be told here. `attainable` are the targets of the sides that can still win by targets.
#[inline]
pub fn wins(choices: &Choices, position: &CompactPosition, attainable: u8, rest: u32) -> Option<bool> {
    match rest {
        1 => Some(last(choices, position, attainable)),
        2 if (choices.ways.locks() & !position.locks).count_ones() == 2 => {
            Some(last_two(choices, position, attainable))
        }
        _ => None,
    }
}

/// With one ply left.
fn last(choices: &Choices, position: &CompactPosition, attainable: u8) -> bool {
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

/// With two plies left and two ways that are not locked.
fn last_two(choices: &Choices, position: &CompactPosition, attainable: u8) -> bool {
    let mover = Side::at_ply(choices.rules.max_plies() - 2);
    let mut ways = ArrayVec::new();
    match choices.survey(position, attainable, mover, &mut ways) {
        Survey::Win => true,
        Survey::Stuck => position.counted(&choices.rules) == mover,
        Survey::GoOn => {
            let wins = |options: &Options, number| !last(choices, &options.after(position, number), attainable);
            ways.iter().any(|options| each(options.open).any(|number| wins(options, number)))
        }
    }
}
