//! Positions as bits.
//!
//! Bit `ranks * file + rank` stands for a square, file `a` and rank `1` being 0: bits upwards are squares in the order
//! of their names. A file is `ranks` bits side by side, a half turn of the board reverses the order of all bits, and a
//! mirror image has the files in reverse order. All other bits stay clear.

use crate::Side;

/// A set of squares, bit `ranks * file + rank`.
pub type Squares = u32;

/// Rank `1` of five files, by the number of ranks.
const FIRST_RANKS: [Squares; 6] = [0, 0, 0, 0x1249, 0x1_1111, 0x10_8421];

/// The size of a board and what follows from it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// 2..=5; also the number of pieces of each side.
    pub files: u8,
    /// 3..=5
    pub ranks: u8,
}

impl Board {
    /// Number of squares.
    pub fn area(self) -> u32 {
        u32::from(self.files) * u32::from(self.ranks)
    }

    /// All squares.
    pub fn squares(self) -> Squares {
        (1 << self.area()) - 1
    }

    /// Number of the bit of a square.
    pub fn bit(self, file: u8, rank: u8) -> u32 {
        u32::from(self.ranks) * u32::from(file) + u32::from(rank)
    }

    /// File and rank of a bit number.
    pub fn file_and_rank(self, bit: u32) -> (u8, u8) {
        let ranks = u32::from(self.ranks);
        ((bit / ranks) as u8, (bit % ranks) as u8)
    }

    /// The squares of one file.
    #[inline]
    pub fn file(self, file: u8) -> Squares {
        ((1 << self.ranks) - 1) << (u32::from(self.ranks) * u32::from(file))
    }

    /// The squares of one rank.
    #[inline]
    pub fn rank(self, rank: u8) -> Squares {
        (FIRST_RANKS[usize::from(self.ranks)] & self.squares()) << rank
    }

    /// The squares after a half turn of the board.
    #[inline]
    pub fn turned(self, squares: Squares) -> Squares {
        squares.reverse_bits() >> (32 - self.area())
    }

    /// The squares with left and right exchanged.
    #[inline]
    pub fn mirrored(self, squares: Squares) -> Squares {
        let (files, ranks) = (u32::from(self.files), u32::from(self.ranks));
        let mut image = 0;
        for file in 0..files {
            let content = squares >> (ranks * file) & ((1 << ranks) - 1);
            image |= content << (ranks * (files - 1 - file));
        }
        image
    }
}

/// A position: the absolute board and who is to move, and so equal exactly when the rules call it the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Pieces of the side to move.
    pub own: Squares,
    /// Pieces of the side that has just moved.
    pub other: Squares,
    pub side: Side,
}

impl Position {
    /// The pieces of one side.
    pub fn pieces(&self, side: Side) -> Squares {
        if side == self.side { self.own } else { self.other }
    }

    /// Own and other pieces as the side to move sees them: a half turn for White, whose goal is then rank `1` too.
    #[inline]
    pub fn seen(&self, board: Board) -> (Squares, Squares) {
        match self.side {
            Side::Black => (self.own, self.other),
            Side::White => (board.turned(self.own), board.turned(self.other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_a_corner() {
        for (files, ranks) in [(2, 3), (3, 3), (4, 5), (5, 4), (5, 5)] {
            let board = Board { files, ranks };
            let corner = |file, rank| 1 << board.bit(file, rank);
            assert_eq!(board.turned(corner(0, 0)), corner(files - 1, ranks - 1));
            assert_eq!(board.mirrored(corner(0, 0)), corner(files - 1, 0));
            assert_eq!(board.mirrored(board.file(1)), board.file(files - 2));
            assert_eq!(board.turned(board.rank(0)), board.rank(ranks - 1));
            assert_eq!(board.file_and_rank(board.bit(1, 2)), (1, 2));
        }
    }

    #[test]
    fn position_is_three_words_of_32_bits() {
        assert_eq!(size_of::<Position>(), 12);
    }
}
