//! Sets of numbers. Each number is the contents of a way, see [`super::ways`].

use std::array::from_fn;

use super::compact::SPREAD;
use super::lines::TargetPlaces;
use yomikiri_rules::games::binarsi::board::Squares;

/// A set of contents of a way: bit n is set if the set contains the number n.
pub type NumberSet = u128;

/// Returns the numbers of a set in ascending order.
#[inline]
pub fn each(mut set: NumberSet) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let number = (set != 0).then(|| u64::from(set.trailing_zeros()));
        set &= set.wrapping_sub(1);
        number
    })
}

/// Precomputed sets of numbers.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Indexed by number: the set that contains only this number.
    pub one: [NumberSet; 128],
    /// Indexed by the length of a way and by number: the results of rotating the number by 1 to length - 1 bits within
    /// this length.
    pub shifted: [[NumberSet; 128]; 8],
    /// Indexed by number `n`: `meets` has the numbers that share at least one set bit with `n`, and `lacks` has the
    /// numbers that lack at least one set bit of `n`.
    pub meets: [NumberSet; 128],
    pub lacks: [NumberSet; 128],
    /// Indexed by count: the numbers with at least this count of set bits.
    pub at_least: [NumberSet; 9],
    /// Indexed by direction of the way (0 for files, 1 for ranks), length and target: the contents that clear the
    /// target by a line along the way.
    pub rows: [[[NumberSet; 6]; 8]; 2],
}

#[inline]
fn numbers(has: impl Fn(usize) -> bool) -> NumberSet {
    (0..128).filter(|&number| has(number)).fold(0, |set, number| set | 1 << number)
}

/// Returns the numbers that rotations of `number` by 1 to `length - 1` bits give, within `length` bits.
#[inline]
fn shifted(number: usize, length: usize) -> NumberSet {
    let full = (1 << length) - 1;
    let number = number & full;
    (1..length).fold(0, |set, k| set | 1 << ((number << k | number >> (length - k)) & full))
}

/// Returns the contents of a way that clear a target by a line along the way. `squares` maps the stones of one colour
/// on the way to squares of the board.
fn with_row(lines: &TargetPlaces, target: usize, length: usize, squares: impl Fn(usize) -> Squares) -> NumberSet {
    let full = (1 << length) - 1;
    let own = |number: usize| if target < 3 { number & full } else { full & !number };
    numbers(|number| lines.clears(target, squares(own(number))))
}

impl Tables {
    pub fn new(lines: &TargetPlaces) -> Tables {
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
