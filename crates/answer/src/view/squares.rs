//! Sets of squares as lists of names.

/// Returns the indices of the set bits, in ascending order.
pub fn bits(mut squares: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (squares != 0).then_some(squares.trailing_zeros() as u8);
        squares &= squares.wrapping_sub(1);
        bit
    })
}

/// Returns the names of the squares of a set.
pub fn names(squares: u64, name: impl Fn(u8) -> String) -> Vec<String> {
    bits(squares).map(name).collect()
}

/// Returns `count` consecutive letters or digits, as names of files or ranks.
pub fn count_from(first: char, count: u8) -> Vec<String> {
    (first..).take(count.into()).map(String::from).collect()
}
