//! Who wins when one or two plies are left.
//!
//! Then the board is full, and one or two ways are not locked; but for two plies a way can also be missing, or, with `-n`, stuck.

use arrayvec::ArrayVec;

use super::choices::{Choices, Options, Survey};
use super::field::Field;
use super::numbers::each;
use crate::value::Side;

/// Whether the side to move wins with so many plies left, in a position that is not decided by targets; `None` if that cannot be told here.
/// `hope` are the targets of the sides that can still win by targets.
#[inline]
pub fn wins(choices: &Choices, field: &Field, hope: u8, rest: u32) -> Option<bool> {
    match rest {
        1 => Some(last(choices, field, hope)),
        2 if (choices.ways.locks() & !field.locks).count_ones() == 2 => Some(last_two(choices, field, hope)),
        _ => None,
    }
}

/// With one ply left.
fn last(choices: &Choices, field: &Field, hope: u8) -> bool {
    let mover = Side::at_ply(choices.rules.max_plies() - 1);
    let (way, inputs) = choices.ways.last(field);
    let results = choices.results(inputs);
    if results == 0 {
        return field.counted(&choices.rules) == mover;
    }
    let [own, other] =
        [mover, mover.other()].map(|side| choices.clears_all(field, hope, &way, inputs.length, side, results));
    let count = choices.counts(field, &way, mover);
    results & (own & !other | count & !(own ^ other)) != 0
}

/// With two plies left and two ways that are not locked.
fn last_two(choices: &Choices, field: &Field, hope: u8) -> bool {
    let mover = Side::at_ply(choices.rules.max_plies() - 2);
    let mut ways = ArrayVec::new();
    match choices.survey(field, hope, mover, &mut ways) {
        Survey::Win => true,
        Survey::Stuck => field.counted(&choices.rules) == mover,
        Survey::GoOn => {
            let wins = |options: &Options, number| !last(choices, &options.after(field, number), hope);
            ways.iter().any(|options| each(options.open).any(|number| wins(options, number)))
        }
    }
}
