//! Sets of squares as lists of names.

use yomikiri_rules::bits::squares_of;

/// Returns the names of the squares in a bitboard. `name` maps the bit index of a square to its name.
pub fn names(squares: u64, name: impl Fn(u8) -> String) -> Vec<String> {
    squares_of(squares).map(name).collect()
}

/// Returns `count` consecutive letters or digits, beginning with `first`, as names of files or ranks.
pub fn count_from(first: char, count: u8) -> Vec<String> {
    (first..).take(count.into()).map(String::from).collect()
}
