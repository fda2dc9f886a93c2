//! Fast computation of the keys of many boards.

use super::board::{Board, COLUMN_SQUARES, SQUARES, Squares};

/// The number of bits that the squares take in a key. The hands are in the bits above those of the squares.
pub const SQUARE_BITS: u32 = 4 * SQUARES as u32;

/// The number of bits that a column takes in a key.
const COLUMN_BITS: u32 = 4 * COLUMN_SQUARES as u32;

/// A table for the fast computation of keys. A key has one hexadecimal digit for each square.
pub struct Digits {
    /// Indexed by set of squares: a key with the digit 1 on each of these squares.
    spread: Box<[u64]>,
}

impl Digits {
    /// Creates the table, with an entry for each of the 4,096 sets of squares.
    pub fn new() -> Digits {
        let bit = |square: usize| 1u64 << (4 * (SQUARES - 1 - square));
        let spread = |set: usize| (0..SQUARES).filter(|square| set >> square & 1 == 1).map(bit).sum();
        Digits { spread: (0..1 << SQUARES).map(spread).collect() }
    }

    /// Returns the digits of all squares in the canonical key: the smaller of the keys of the board and of its mirror
    /// image. The bits of the hands are 0.
    #[inline]
    pub fn canonical(&self, board: &Board) -> u64 {
        let squares = self.squares(board);
        let column = (1 << COLUMN_BITS) - 1;
        let mirror =
            (squares & column) << (2 * COLUMN_BITS) | squares & column << COLUMN_BITS | squares >> (2 * COLUMN_BITS);
        squares.min(mirror)
    }

    /// Returns the digits of all squares in the key of this board itself. The bits of the hands are 0. The digits are 1
    /// lion, 2 elephant, 3 giraffe, 4 chick, 5 hen, plus 8 for the opponent's pieces. Each of the four bits of a digit
    /// is computed for all squares at once.
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
