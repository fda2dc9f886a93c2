//! Positions as bitboards.
//!
//! The bit of a square is `ranks * file + rank`, with file `a` and rank `1` counted as 0. Ascending bits are squares in
//! the order of their names. A file is `ranks` adjacent bits. Rotating the board by 180 degrees reverses the order of
//! all bits, and mirroring it reverses the order of the files. Bits beyond the last square are always clear.

use crate::Side;

/// A set of squares, bit `ranks * file + rank`.
pub type Squares = u32;

/// Indexed by the number of ranks: rank `1` of a board with five files.
const FIRST_RANKS: [Squares; 6] = [0, 0, 0, 0x1249, 0x1_1111, 0x10_8421];

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The number of files, 2..=5, which is also the number of pieces of each side.
    pub files: u8,
    /// The number of ranks, 3..=5.
    pub ranks: u8,
}

impl Board {
    /// Returns the number of squares.
    pub fn area(self) -> u32 {
        u32::from(self.files) * u32::from(self.ranks)
    }

    /// Returns all squares.
    pub fn squares(self) -> Squares {
        (1 << self.area()) - 1
    }

    /// Returns the bit index of a square.
    pub fn bit(self, file: u8, rank: u8) -> u32 {
        u32::from(self.ranks) * u32::from(file) + u32::from(rank)
    }

    /// Returns the file and the rank of a bit index.
    pub fn file_and_rank(self, bit: u32) -> (u8, u8) {
        let ranks = u32::from(self.ranks);
        ((bit / ranks) as u8, (bit % ranks) as u8)
    }

    /// Returns the squares of one file.
    #[inline]
    pub fn file(self, file: u8) -> Squares {
        ((1 << self.ranks) - 1) << (u32::from(self.ranks) * u32::from(file))
    }

    /// Returns the squares of one rank.
    #[inline]
    pub fn rank(self, rank: u8) -> Squares {
        (FIRST_RANKS[usize::from(self.ranks)] & self.squares()) << rank
    }

    /// Rotates the squares by 180 degrees.
    #[inline]
    pub fn rotated(self, squares: Squares) -> Squares {
        squares.reverse_bits() >> (32 - self.area())
    }

    /// Mirrors the squares left to right.
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

/// A position: the pieces on squares numbered as Black sees them, and the side to move. Repetitions are not
/// counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pieces of the side to move.
    pub own: Squares,
    /// The pieces of the side that has just moved.
    pub other: Squares,
    /// The side to move.
    pub side: Side,
}

impl Position {
    /// Returns the pieces of one side.
    pub fn pieces(&self, side: Side) -> Squares {
        if side == self.side { self.own } else { self.other }
    }

    /// Returns the pieces of the side to move and of the other side, on squares as the side to move sees them. White
    /// sees the board rotated by 180 degrees, so that rank `1` is its goal too.
    #[inline]
    pub fn seen_by_mover(&self, board: Board) -> (Squares, Squares) {
        match self.side {
            Side::Black => (self.own, self.other),
            Side::White => (board.rotated(self.own), board.rotated(self.other)),
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
            assert_eq!(board.rotated(corner(0, 0)), corner(files - 1, ranks - 1));
            assert_eq!(board.mirrored(corner(0, 0)), corner(files - 1, 0));
            assert_eq!(board.mirrored(board.file(1)), board.file(files - 2));
            assert_eq!(board.rotated(board.rank(0)), board.rank(ranks - 1));
            assert_eq!(board.file_and_rank(board.bit(1, 2)), (1, 2));
        }
    }

    #[test]
    fn position_is_three_words_of_32_bits() {
        assert_eq!(size_of::<Position>(), 12);
    }
}
