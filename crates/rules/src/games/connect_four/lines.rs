//! Rows of discs in four directions, found by shifts.
//!
//! With up to seven ranks, the top bit of each file is clear, so that a row cannot wrap into the next file. With eight
//! ranks there is no such bit, so a mask limits the ranks on which a row can start.

use super::board::{BOTTOM, Squares};
use super::rules::Rules;

/// A direction in which discs can form a row.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    /// The number of bits from one square of a row to the next.
    pub step: u32,
    /// The number of ranks from one square of a row to the next: 1, 0 or -1.
    pub rise: i8,
}

/// The four directions: up, down to the right, right, up to the right.
pub const DIRECTIONS: [Direction; 4] = [
    Direction { step: 1, rise: 1 },
    Direction { step: 7, rise: -1 },
    Direction { step: 8, rise: 0 },
    Direction { step: 9, rise: 1 },
];

/// Returns the squares on which a row of `length` discs can start without crossing the top or the bottom edge of a
/// board with eight ranks. `rise` is as in [`Direction::rise`].
#[inline(always)]
pub const fn starts(length: u32, rise: i8) -> Squares {
    match rise {
        1 => BOTTOM * (0xff >> (length - 1)),
        -1 => BOTTOM * (0xff << (length - 1) & 0xff),
        _ => Squares::MAX,
    }
}

/// Returns the first squares of all rows of `LENGTH` (3 to 5) squares that lie inside `squares`.
#[inline(always)]
fn begins_of<const LENGTH: u32>(squares: Squares, direction: Direction) -> Squares {
    let Direction { step, rise } = direction;
    let pairs = squares & squares >> step;
    let mut begins = pairs & pairs >> ((LENGTH - 2) * step);
    if LENGTH == 5 {
        begins &= pairs >> (2 * step);
    }
    begins & starts(LENGTH, rise)
}

#[inline(always)]
fn has_row_of<const LENGTH: u32>(discs: Squares) -> bool {
    DIRECTIONS.iter().fold(0, |begins, &direction| begins | begins_of::<LENGTH>(discs, direction)) != 0
}

impl Rules {
    /// Returns true if the discs contain a winning row.
    #[inline]
    pub fn has_row(&self, discs: Squares) -> bool {
        match self.row {
            3 => has_row_of::<3>(discs),
            4 => has_row_of::<4>(discs),
            _ => has_row_of::<5>(discs),
        }
    }

    /// Returns the first squares of all winning rows on the board in this direction.
    pub fn rows(&self, direction: Direction) -> Squares {
        let squares = self.board.squares();
        match self.row {
            3 => begins_of::<3>(squares, direction),
            4 => begins_of::<4>(squares, direction),
            _ => begins_of::<5>(squares, direction),
        }
    }

    /// Returns the number of winning rows on the board: 69 on the standard board.
    #[cfg(test)]
    fn row_count(&self) -> u32 {
        DIRECTIONS.iter().map(|&direction| self.rows(direction).count_ones()).sum()
    }
}

/// Returns the top disc of each file.
pub fn tops(occupied: Squares) -> Squares {
    occupied & !(occupied >> 1 & (BOTTOM * 0x7f))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect_four::board::{Board, bit};

    /// Returns all rows on a board, found square by square.
    fn plain_rows(rules: &Rules) -> Vec<Squares> {
        let (files, ranks) = (rules.board.files as i32, rules.board.ranks as i32);
        let mut rows = Vec::new();
        for (right, up) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
            for (file, rank) in (0..files).flat_map(|file| (0..ranks).map(move |rank| (file, rank))) {
                let squares = (0..i32::from(rules.row)).map(|at| (file + at * right, rank + at * up));
                if squares.clone().all(|(file, rank)| (0..files).contains(&file) && (0..ranks).contains(&rank)) {
                    rows.push(squares.map(|(file, rank)| 1 << bit(file as u8, rank as u8)).sum());
                }
            }
        }
        rows
    }

    #[test]
    fn every_row_is_found_and_no_other() {
        let mut seed = 1u64;
        for (size, row) in (3..=8).flat_map(|files| (3..=8).map(move |ranks| (files, ranks))).zip((3..=5).cycle()) {
            let (files, ranks) = size;
            for row in [row, 4, 3].into_iter().filter(|&row| row <= files.max(ranks)) {
                let rules = Rules { board: Board { files, ranks }, row };
                let rows = plain_rows(&rules);
                assert_eq!(rules.row_count() as usize, rows.len(), "{}", rules.code());
                assert!(rows.iter().all(|&squares| rules.has_row(squares)), "{}", rules.code());
                for _ in 0..2000 {
                    // The first round of splitmix64, which is random enough here.
                    seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    let discs = (mixed ^ mixed >> 27) & rules.board.squares();
                    let plain = rows.iter().any(|&row| row & !discs == 0);
                    assert_eq!(rules.has_row(discs), plain, "{}: {discs:x}", rules.code());
                }
            }
        }
    }

    #[test]
    fn the_standard_board_has_69_rows() {
        assert_eq!(Rules::parse("con7x6").unwrap().row_count(), 69);
    }
}
