//! Positions as bitboards.
//!
//! The bit of a square is `8 * file + rank` on boards of every size, with rank 0 at the bottom. So a file is a byte, a
//! disc falls on the lowest clear bit of its byte, and reversing the bytes mirrors the board. Bits outside the board
//! are always clear.

use crate::Side;

/// A set of squares, bit `8 * file + rank`.
pub type Squares = u64;

/// The number of bits from one file to the next.
pub const FILE_STEP: u32 = 8;

/// The bottom rank of a board with eight files.
pub const BOTTOM: Squares = 0x0101_0101_0101_0101;

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The number of files, 3..=8.
    pub files: u8,
    /// The number of ranks, 3..=8.
    pub ranks: u8,
}

impl Board {
    /// Returns the number of squares.
    pub fn area(self) -> u32 {
        u32::from(self.files) * u32::from(self.ranks)
    }

    /// Returns all squares.
    #[inline]
    pub fn squares(self) -> Squares {
        (BOTTOM >> self.unused_file_bits()) * (0xff >> (8 - self.ranks))
    }

    /// Returns the number of high bits of a bitboard that belong to files outside the board.
    #[inline]
    fn unused_file_bits(self) -> u32 {
        64 - FILE_STEP * u32::from(self.files)
    }

    /// Mirrors the squares left to right.
    #[inline]
    pub fn mirrored(self, squares: Squares) -> Squares {
        squares.swap_bytes() >> self.unused_file_bits()
    }
}

/// Returns the bit index of a square.
#[inline]
pub fn bit(file: u8, rank: u8) -> u32 {
    FILE_STEP * u32::from(file) + u32::from(rank)
}

/// A position. The number of discs determines the side to move.
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

    /// Returns the position with these discs, or `None` if their numbers cannot arise in a game (see
    /// [`Position::has_possible_counts`]).
    pub fn of_discs(black: Squares, white: Squares) -> Option<Position> {
        let [own, other] = Side::at_ply((black | white).count_ones()).pick([[black, white], [white, black]]);
        let position = Position { own, other };
        position.has_possible_counts().then_some(position)
    }

    /// Returns all discs.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.own | self.other
    }

    /// Returns the number of discs.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.occupied().count_ones()
    }

    /// Returns the side to move.
    pub fn side(&self) -> Side {
        Side::at_ply(self.ply())
    }

    /// Returns the discs of one side.
    pub fn discs(&self, side: Side) -> Squares {
        if side == self.side() { self.own } else { self.other }
    }

    /// Returns the position or its mirror image, whichever has the smaller bitboard of occupied squares. If these
    /// bitboards are equal, the smaller bitboard of the side to move's discs decides.
    #[inline]
    pub fn canonical(&self, board: Board) -> Position {
        let [own, other] = [self.own, self.other].map(|discs| board.mirrored(discs));
        if (own | other, own) < (self.occupied(), self.own) { Position { own, other } } else { *self }
    }

    /// Returns true if the numbers of discs can arise in a game: Black, who moves first, has as many discs as White or
    /// one more.
    #[inline]
    pub fn has_possible_counts(&self) -> bool {
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
