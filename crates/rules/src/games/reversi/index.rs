//! Keys: positions numbered by their number of discs, then by the occupied squares, then by the colours.
//!
//! Squares are numbered from 0 in reading order. A set of squares is numbered among the sets of its size by the sum of
//! `C(s, i)` over its squares, where `s` is the `i`-th lowest square, with `i` from 1 on. The colours are a bit set:
//! bit `i` is set if the disc on the `i`-th occupied square, from 0 on, belongs to the side to move. Every number below
//! `3^area` is one placement of discs of both sides. Keys fit 64 bits on boards of up to 40 squares; positions of
//! larger boards have no keys.

use super::board::{Board, RANK_STEP, Squares};
use crate::bits::squares_of;

/// The largest number of squares for which positions have keys: 3^40 < 2^64 < 3^41.
pub const MAX_SQUARES: u32 = 40;

const SIZES: usize = MAX_SQUARES as usize + 1;

/// Binomial coefficients: `SETS[area][size]` is the number of sets of `size` squares among `area` squares.
static SETS: [[u64; SIZES]; SIZES] = {
    let mut sets = [[0; SIZES]; SIZES];
    let mut area = 0;
    while area < SIZES {
        sets[area][0] = 1;
        let mut size = 1;
        while size <= area {
            sets[area][size] = sets[area - 1][size - 1] + sets[area - 1][size];
            size += 1;
        }
        area += 1;
    }
    sets
};

/// `FIRST[area][discs]` is the first key of positions with `discs` discs on `area` squares. The entry after the last
/// number of discs is the end of all keys.
static FIRST: [[u64; SIZES + 1]; SIZES] = {
    let mut first = [[0; SIZES + 1]; SIZES];
    let mut area = 0;
    while area < SIZES {
        let mut discs = 0;
        while discs <= area {
            first[area][discs + 1] = first[area][discs] + (SETS[area][discs] << discs);
            discs += 1;
        }
        area += 1;
    }
    first
};

/// Returns the first key of positions with `discs` discs. `discs` is at most the number of squares plus 1; for this
/// largest value, the result is the end of all keys.
#[inline]
pub fn first_key(board: Board, discs: u32) -> u64 {
    FIRST[board.area() as usize][discs as usize]
}

/// Returns the first key of positions with these occupied squares. The keys of these positions are consecutive: `2^n`
/// keys for `n` discs.
pub fn first_key_of(board: Board, occupied: Squares) -> u64 {
    rank(board, 0, occupied)
}

/// Returns the key of the position itself. Its images under the symmetries of the board can have other keys.
pub fn rank(board: Board, own: Squares, other: Squares) -> u64 {
    let (mut place, mut colours) = (0, 0);
    for (square, bit) in squares_of(own | other).zip(0..) {
        place += SETS[place_of(board, square)][bit + 1];
        colours |= (own >> square & 1) << bit;
    }
    let discs = (own | other).count_ones();
    first_key(board, discs) + (place << discs | colours)
}

/// Returns the index of a square in reading order, from its bit index.
#[inline]
fn place_of(board: Board, square: u8) -> usize {
    usize::from(square / RANK_STEP as u8 * board.files + square % RANK_STEP as u8)
}

/// Returns the number of discs of the position with this key, or `None` if the key is out of range.
pub fn disc_count(board: Board, number: u64) -> Option<u32> {
    (0..=board.area()).find(|&discs| number < first_key(board, discs + 1))
}

/// Returns the discs of the side to move and of the other side, or `None` if the number is out of range.
pub fn unrank(board: Board, number: u64) -> Option<(Squares, Squares)> {
    let mut size = disc_count(board, number)? as usize;
    let number = number - first_key(board, size as u32);
    let (mut place, colours) = (number >> size, number & ((1 << size) - 1));
    let (mut own, mut other) = (0, 0);
    // Goes from the last square down. The sets of `size` squares that leave the square out have the numbers below
    // `SETS[fewer][size]`. So the square is occupied if `place`, the number of the set, is not below it.
    let squares = (0..board.ranks).rev().flat_map(|rank| (0..board.files).rev().map(move |file| board.bit(file, rank)));
    for (square, fewer) in squares.zip((0..board.area() as usize).rev()) {
        if size > 0 && SETS[fewer][size] <= place {
            place -= SETS[fewer][size];
            size -= 1;
            let side = if colours >> size & 1 == 1 { &mut own } else { &mut other };
            *side |= 1 << square;
        }
    }
    Some((own, other))
}

/// Converts the squares of the side to move's discs to the colour bits of a key, and back. There is one colour bit for
/// each occupied square. Adjacent occupied squares are moved together, by one shift.
#[derive(Clone, Copy)]
pub struct Packing {
    /// For each group of adjacent occupied squares: the squares, and the number of bits by which they move down.
    runs: [(Squares, u32); 32],
    count: usize,
}

impl Packing {
    /// Creates the conversion for a set of occupied squares.
    pub fn new(occupied: Squares) -> Packing {
        let mut packing = Packing { runs: [(0, 0); 32], count: 0 };
        let (mut rest, mut packed) = (occupied, 0);
        while rest != 0 {
            let first = rest.trailing_zeros();
            let length = (rest >> first).trailing_ones();
            let run = (u64::MAX >> (64 - length)) << first;
            packing.runs[packing.count] = (run, first - packed);
            packing.count += 1;
            packed += length;
            rest &= !run;
        }
        packing
    }

    /// Returns the colour bits of `own`, the discs of the side to move, which must be on occupied squares.
    #[inline]
    pub fn pack(&self, own: Squares) -> u64 {
        self.runs[..self.count].iter().fold(0, |colours, &(run, shift)| colours | (own & run) >> shift)
    }

    /// Returns the discs of the side to move that have these colour bits.
    #[inline]
    pub fn unpack(&self, colours: u64) -> Squares {
        self.runs[..self.count].iter().fold(0, |own, &(run, shift)| own | colours << shift & run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_discs_then_squares_then_colours() {
        let board = Board { files: 3, ranks: 4 };
        // O to move: X on a1, O on b1 and c4, squares 0, 1 and 11.
        let (own, other) = (1 << board.bit(1, 0) | 1 << board.bit(2, 3), 1 << board.bit(0, 0));
        let fewer = 1 + 12 * 2 + 66 * 4;
        let sets = 11 * 10 * 9 / 6;
        assert_eq!(rank(board, own, other), fewer + (sets << 3) + 0b110);
        assert_eq!(unrank(board, fewer + (sets << 3) + 0b110), Some((own, other)));
    }

    #[test]
    fn every_number_of_a_small_board_leads_back() {
        let board = Board { files: 4, ranks: 3 };
        for key in 0..3u64.pow(12) {
            let (own, other) = unrank(board, key).unwrap();
            assert_eq!(own & other, 0);
            assert_eq!(own | other, (own | other) & board.squares());
            assert_eq!(rank(board, own, other), key);
        }
        assert_eq!(unrank(board, 3u64.pow(12)), None);
    }

    #[test]
    fn packing_is_what_numbers_have() {
        for board in [Board { files: 5, ranks: 5 }, Board { files: 8, ranks: 4 }] {
            for number in (0..3u64.pow(board.area())).step_by(3usize.pow(board.area()) / 1000) {
                let (own, other) = unrank(board, number).unwrap();
                let (packing, first) = (Packing::new(own | other), first_key_of(board, own | other));
                assert_eq!(packing.pack(own), number - first);
                assert_eq!(packing.unpack(number - first), own);
            }
        }
    }

    #[test]
    fn the_largest_number_fits() {
        for board in [Board { files: 5, ranks: 8 }, Board { files: 8, ranks: 5 }] {
            assert_eq!(board.area(), MAX_SQUARES);
            assert_eq!(rank(board, board.squares(), 0), 3u64.pow(MAX_SQUARES) - 1);
            assert_eq!(unrank(board, 3u64.pow(MAX_SQUARES) - 1), Some((board.squares(), 0)));
        }
        assert!(3u64.checked_pow(MAX_SQUARES + 1).is_none());
    }
}
