//! Keys: positions as numbers to the base three.
//!
//! The squares of the board in reading order are the digits, the first the lowest: 0 for an empty square, 1 for a disc
//! of the side to move, 2 for one of the other side. Forty digits fit 64 bits; larger boards have no keys.

use super::board::{Board, RANK_STEP, Squares};

/// Most squares of a board whose positions have keys: 3^40 < 2^64 < 3^41.
pub const MOST_SQUARES: u32 = 40;

/// Sum of the powers of three of the bits of a rank.
static TERNARY: [u16; 256] = {
    let mut sums = [0; 256];
    let mut rank = 1;
    while rank < 256 {
        // The lowest digit and three times the others.
        sums[rank] = (rank & 1) as u16 + 3 * sums[rank >> 1];
        rank += 1;
    }
    sums
};

/// The number of a position without regard to symmetry.
pub fn number(board: Board, own: Squares, other: Squares) -> u64 {
    let base = rank_base(board);
    let rank_number = |rank: u32| {
        let digits = |squares: Squares| u64::from(TERNARY[(squares >> (RANK_STEP * rank)) as usize & 0xff]);
        digits(own) + 2 * digits(other)
    };
    (0..board.ranks.into()).rev().fold(0, |number, rank| number * base + rank_number(rank))
}

/// Discs of the side to move and of the other by number; `None` for numbers with more digits than the board has squares.
pub fn discs(board: Board, mut number: u64) -> Option<(Squares, Squares)> {
    let base = rank_base(board);
    let (mut own, mut other) = (0, 0);
    for rank in 0..board.ranks {
        let (rank_own, rank_other) = RANKS[(number % base) as usize];
        own |= Squares::from(rank_own) << board.bit(0, rank);
        other |= Squares::from(rank_other) << board.bit(0, rank);
        number /= base;
    }
    (number == 0).then_some((own, other))
}

/// Numbers of a rank.
fn rank_base(board: Board) -> u64 {
    3u64.pow(board.files.into())
}

/// The discs of both sides on a rank by its number.
static RANKS: [(u8, u8); 6561] = {
    let mut ranks = [(0, 0); 6561];
    let mut number = 1;
    while number < ranks.len() {
        let (own, other) = ranks[number / 3];
        let digit = (number % 3) as u8;
        ranks[number] = (own << 1 | digit & 1, other << 1 | digit >> 1);
        number += 1;
    }
    ranks
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_digits_in_reading_order() {
        let board = Board { files: 3, ranks: 4 };
        // O to move: X on a1, O on b1 and c4.
        let (own, other) = (1 << board.bit(1, 0) | 1 << board.bit(2, 3), 1 << board.bit(0, 0));
        assert_eq!(number(board, own, other), 2 + 3 + 3u64.pow(11));
        assert_eq!(discs(board, 2 + 3 + 3u64.pow(11)), Some((own, other)));
    }

    #[test]
    fn every_number_of_a_small_board_leads_back() {
        let board = Board { files: 4, ranks: 3 };
        for key in 0..3u64.pow(12) {
            let (own, other) = discs(board, key).unwrap();
            assert_eq!(own & other, 0);
            assert_eq!(number(board, own, other), key);
        }
        assert_eq!(discs(board, 3u64.pow(12)), None);
    }

    #[test]
    fn the_largest_number_fits() {
        let board = Board { files: 5, ranks: 8 };
        assert_eq!(board.area(), MOST_SQUARES);
        assert_eq!(number(board, 0, board.squares()), 3u64.pow(MOST_SQUARES) - 1);
        assert!(3u64.checked_pow(MOST_SQUARES + 1).is_none());
    }
}
