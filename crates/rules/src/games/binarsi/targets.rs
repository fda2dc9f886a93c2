//! The six targets. Each is a line of stones of one colour: b3, b4 and b5 are the short, the diagonal and the long
//! target of Black, w3, w4 and w5 those of White. In a set of targets, bits 0 to 5 stand for them in this order.

use super::board::Squares;
use super::rules::Rules;
use crate::Side;

/// The names of the targets by bit.
pub const NAMES: [&str; 6] = ["b3", "b4", "b5", "w3", "w4", "w5"];

/// The three targets of Black.
pub const BLACK_ALL: u8 = 0b000_111;
/// The three targets of White.
pub const WHITE_ALL: u8 = 0b111_000;

/// All targets.
pub const ALL: u8 = BLACK_ALL | WHITE_ALL;

/// Returns the three targets of a side.
#[inline]
pub const fn all(side: Side) -> u8 {
    match side {
        Side::Black => BLACK_ALL,
        Side::White => WHITE_ALL,
    }
}

/// The state of the game, as far as the cleared targets determine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on.
    Open,
    /// This side, and only this side, has cleared its three targets and has won.
    Won(Side),
    /// Both sides have cleared their three targets. The stones are counted.
    Count,
}

/// Returns the verdict on a set of cleared targets.
#[inline]
pub fn verdict(targets: u8) -> Verdict {
    match (targets & BLACK_ALL == BLACK_ALL, targets & WHITE_ALL == WHITE_ALL) {
        (false, false) => Verdict::Open,
        (true, false) => Verdict::Won(Side::Black),
        (false, true) => Verdict::Won(Side::White),
        (true, true) => Verdict::Count,
    }
}

/// Returns the set of targets that are on the board now. A target is a line of stones of one colour.
#[inline]
pub fn on_board(rules: &Rules, black: Squares, white: Squares) -> u8 {
    let [short, diagonal, long] = rules.lengths;
    let slopes = |stones| has_row(stones, 9, diagonal) || has_row(stones, 7, diagonal);
    u8::from(has_row(black, 1, short))
        | u8::from(slopes(black)) << 1
        | u8::from(has_row(black, 8, long)) << 2
        | u8::from(has_row(white, 8, short)) << 3
        | u8::from(slopes(white)) << 4
        | u8::from(has_row(white, 1, long)) << 5
}

/// Returns true if `length` stones are in a line, `unit` bits apart.
#[inline]
fn has_row(stones: Squares, unit: u32, length: u8) -> bool {
    let mut ends = stones;
    let mut reached = 1;
    while 2 * reached <= u32::from(length) {
        ends &= ends >> (unit * reached);
        reached *= 2;
    }
    ends &= ends >> (unit * (u32::from(length) - reached));
    ends != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_every_length_are_seen() {
        for length in 2..=7u8 {
            for have in 1..=7u8 {
                let row = (1u64 << have) - 1;
                assert_eq!(has_row(row << 16, 1, length), have >= length, "{have} for {length}");
            }
        }
        assert!(!has_row(u64::MAX >> 1 & 0x7f7f_7f7f_7f7f, 1, 9));
    }

    #[test]
    fn rows_do_not_run_over_the_edge() {
        let rules = Rules::parse("bin7x6").unwrap();
        let black = 1 << 5 | 1 << 6 | 1 << 8;
        assert_eq!(on_board(&rules, black, 0), 0);
        assert_eq!(on_board(&rules, 0b111_0000, 0), 1);
    }
}
