//! Sets of what a way can hold.

use std::array::from_fn;

use super::compact::SPREAD;
use super::lines::Lines;
use crate::games::binarsi::board::Squares;

/// A set of what a way can hold: bit n for the number n, see [`super::ways`].
pub type NumberSet = u128;

/// The numbers of a set, the smallest first.
#[inline]
pub fn each(mut set: NumberSet) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let number = (set != 0).then(|| u64::from(set.trailing_zeros()));
        set &= set.wrapping_sub(1);
        number
    })
}

/// What is asked of numbers again and again.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The set of one number.
    pub one: [NumberSet; 128],
    /// What shifts make of a number, by the length of its way.
    pub shifted: [[NumberSet; 128]; 8],
    /// NumberSet that have a bit of this one, and numbers that lack one.
    pub meets: [NumberSet; 128],
    pub lacks: [NumberSet; 128],
    /// NumberSet of at least so many bits.
    pub at_least: [NumberSet; 9],
    /// NumberSet that clear a target by a row along the way, by its length, for files and for ranks.
    pub rows: [[[NumberSet; 6]; 8]; 2],
}

fn numbers(has: impl Fn(usize) -> bool) -> NumberSet {
    (0..128).filter(|&number| has(number)).fold(0, |set, number| set | 1 << number)
}

/// What shifts make of a number.
fn shifted(number: usize, length: usize) -> NumberSet {
    let full = (1 << length) - 1;
    let number = number & full;
    (1..length).fold(0, |set, k| set | 1 << ((number << k | number >> (length - k)) & full))
}

/// What has a row of a target's colour along a way.
fn with_row(lines: &Lines, target: usize, length: usize, squares: impl Fn(usize) -> Squares) -> NumberSet {
    let full = (1 << length) - 1;
    let own = |number: usize| if target < 3 { number & full } else { full & !number };
    numbers(|number| lines.clears(target, squares(own(number))))
}

impl Tables {
    pub fn new(lines: &Lines) -> Tables {
        let file = |length, target| with_row(lines, target, length, |number| SPREAD[number]);
        let rank = |length, target| with_row(lines, target, length, |number| number as Squares);
        Tables {
            one: from_fn(|number| 1 << number),
            shifted: from_fn(|length| from_fn(|number| shifted(number, length))),
            meets: from_fn(|bits| numbers(|number| number & bits != 0)),
            lacks: from_fn(|bits| numbers(|number| !number & bits != 0)),
            at_least: from_fn(|bits| numbers(|number| number.count_ones() >= bits as u32)),
            rows: [
                from_fn(|length| from_fn(|target| file(length, target))),
                from_fn(|length| from_fn(|target| rank(length, target))),
            ],
        }
    }
}
