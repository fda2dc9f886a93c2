//! Positions as bitboards.
//!
//! Bit `8 * file + rank` stands for a square, rank 0 being the bottom one, whatever the size of the board: a file is a
//! byte, a disc falls on the lowest clear bit of its byte, and the byte order reversed is the mirror image. Bits beyond
//! the board stay clear.

use crate::Side;

/// A set of squares, bit `8 * file + rank`.
pub type Squares = u64;

/// Bits from one file to the next.
pub const FILE_STEP: u32 = 8;

/// The bottom rank of eight files.
pub const BOTTOM: Squares = 0x0101_0101_0101_0101;

/// The size of a board and what follows from it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// 3..=8
    pub files: u8,
    /// 3..=8
    pub ranks: u8,
}

impl Board {
    /// Number of squares.
    pub fn area(self) -> u32 {
        u32::from(self.files) * u32::from(self.ranks)
    }

    /// All squares.
    #[inline]
    pub fn squares(self) -> Squares {
        (BOTTOM >> self.unused_file_bits()) * (0xff >> (8 - self.ranks))
    }

    /// Bits of files that the board does not have.
    #[inline]
    fn unused_file_bits(self) -> u32 {
        64 - FILE_STEP * u32::from(self.files)
    }

    /// The squares with left and right exchanged.
    #[inline]
    pub fn mirrored(self, squares: Squares) -> Squares {
        squares.swap_bytes() >> self.unused_file_bits()
    }
}

/// Number of the bit of a square.
#[inline]
pub fn bit(file: u8, rank: u8) -> u32 {
    FILE_STEP * u32::from(file) + u32::from(rank)
}

/// A position. Who is to move follows from the number of discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Discs of the side to move.
    pub own: Squares,
    /// Discs of the other side.
    pub other: Squares,
}

impl Position {
    /// The empty board.
    pub const START: Position = Position { own: 0, other: 0 };

    /// The position with these discs; `None` unless there are as many black as white ones, or one more.
    pub fn of_discs(black: Squares, white: Squares) -> Option<Position> {
        let [own, other] = Side::at_ply((black | white).count_ones()).pick([[black, white], [white, black]]);
        let position = Position { own, other };
        position.has_fair_counts().then_some(position)
    }

    /// All discs.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.own | self.other
    }

    /// Number of discs.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.occupied().count_ones()
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        Side::at_ply(self.ply())
    }

    /// The discs of one side.
    pub fn discs(&self, side: Side) -> Squares {
        if side == self.side() { self.own } else { self.other }
    }

    /// The position or its mirror image: that in which the occupied squares are the smaller number, or the discs of the
    /// side to move if these are the same.
    #[inline]
    pub fn canonical(&self, board: Board) -> Position {
        let [own, other] = [self.own, self.other].map(|discs| board.mirrored(discs));
        if (own | other, own) < (self.occupied(), self.own) { Position { own, other } } else { *self }
    }

    /// Whether the numbers of discs are those of a game: as many of both sides, or one more of Black, who moves first.
    #[inline]
    pub fn has_fair_counts(&self) -> bool {
        self.own.count_ones() == self.ply() / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_their_squares_and_mirror_images() {
        for (files, ranks) in (3..=8).flat_map(|files| (3..=8).map(move |ranks| (files, ranks))) {
            let board = Board { files, ranks };
            assert_eq!(board.squares().count_ones(), board.area());
            assert_eq!(board.mirrored(board.squares()), board.squares());
            for file in 0..files {
                let square = 1 << bit(file, ranks - 1);
                assert_eq!(board.squares() & square, square);
                assert_eq!(board.mirrored(square), 1 << bit(files - 1 - file, ranks - 1), "{board:?}");
            }
        }
    }
}
