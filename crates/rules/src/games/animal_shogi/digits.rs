//! Keys of many boards, quickly.

use super::board::{Board, COLUMN_SQUARES, SQUARES, Squares};

/// Bits of a key that are squares; the hands are above them.
pub const SQUARE_BITS: u32 = 4 * SQUARES as u32;

/// Bits of a column.
const COLUMN_BITS: u32 = 4 * COLUMN_SQUARES as u32;

/// Leads from sets of squares to digits.
pub struct Digits {
    /// By set: the lowest bit of the digit of each of its squares.
    spread: Box<[u64]>,
}

impl Digits {
    pub fn new() -> Digits {
        let bit = |square: usize| 1u64 << (4 * (SQUARES - 1 - square));
        let spread = |set: usize| (0..SQUARES).filter(|square| set >> square & 1 == 1).map(bit).sum();
        Digits { spread: (0..1 << SQUARES).map(spread).collect() }
    }

    /// The squares' part of the smaller of the keys of a board and its mirror image.
    #[inline]
    pub fn canonical(&self, board: &Board) -> u64 {
        let squares = self.squares(board);
        let column = (1 << COLUMN_BITS) - 1;
        let mirror =
            (squares & column) << (2 * COLUMN_BITS) | squares & column << COLUMN_BITS | squares >> (2 * COLUMN_BITS);
        squares.min(mirror)
    }

    /// The squares' part of the key of exactly this board, bit by bit of the digits: 1 lion, 2 elephant, 3 giraffe,
    /// 4 chick, 5 hen, and 8 more for the opponent's.
    #[inline]
    fn squares(&self, board: &Board) -> u64 {
        let spread = |set: Squares| self.spread[usize::from(set)];
        spread(board.lions() | board.giraffes() | board.hens())
            | spread(board.elephants() | board.giraffes()) << 1
            | spread(board.chicks()) << 2
            | spread(board.opponent()) << 3
    }
}

impl Default for Digits {
    fn default() -> Digits {
        Digits::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::games::animal_shogi::AnimalShogi;

    #[test]
    fn digits_are_those_of_the_key() {
        let (game, digits) = (AnimalShogi::parse("val1n").unwrap(), Digits::new());
        for number in (0..game.index.size()).step_by(99_991) {
            let board = game.index.unrank(number);
            let key = u64::from(board.hands()) << SQUARE_BITS | digits.canonical(&board);
            assert_eq!(key, board.canonical_key(), "number {number}");
        }
    }
}
