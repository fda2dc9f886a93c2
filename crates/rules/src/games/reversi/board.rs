//! Positions as bitboards.
//!
//! The bit of a square is `8 * rank + file` on boards of every size, with file `a` and rank `1` (the top one) counted
//! as 0. Ascending bits are squares in reading order. A step in any of the eight directions is the same shift on all
//! boards. Bits outside the board are always clear.

use crate::Side;

/// A set of squares, bit `8 * rank + file`.
pub type Squares = u64;

/// The number of bits from one rank to the next.
pub const RANK_STEP: u32 = 8;

/// File `a` of a board with eight ranks.
pub const FIRST_FILE: Squares = 0x0101_0101_0101_0101;

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
        let rank = u64::MAX >> (64 - u32::from(self.files)) & 0xff;
        (FIRST_FILE >> self.unused_rank_bits()) * rank
    }

    /// Returns the bit index of a square.
    #[inline]
    pub fn bit(self, file: u8, rank: u8) -> u32 {
        RANK_STEP * u32::from(rank) + u32::from(file)
    }

    /// Returns the number of high bits of a bitboard that belong to ranks outside the board.
    #[inline]
    fn unused_rank_bits(self) -> u32 {
        64 - RANK_STEP * u32::from(self.ranks)
    }

    /// Mirrors the squares left to right.
    #[inline]
    fn files_reversed(self, squares: Squares) -> Squares {
        squares.reverse_bits().swap_bytes() >> (8 - self.files)
    }

    /// Mirrors the squares top to bottom.
    #[inline]
    fn ranks_reversed(self, squares: Squares) -> Squares {
        squares.swap_bytes() >> self.unused_rank_bits()
    }

    /// Returns the board with files and ranks exchanged.
    pub fn transpose(self) -> Board {
        Board { files: self.ranks, ranks: self.files }
    }

    /// Returns the number of symmetries: 8 on a square board, otherwise 4.
    #[inline]
    pub fn image_count(self) -> usize {
        if self.files == self.ranks { 8 } else { 4 }
    }

    /// Returns the image of `squares` under symmetry `number`, which is below [`Board::image_count`]. Symmetry 0 is the
    /// identity. Bit 0 of the number exchanges left and right, bit 1 exchanges top and bottom, and bit 2 then exchanges
    /// files and ranks.
    #[inline]
    pub fn image(self, number: usize, squares: Squares) -> Squares {
        let squares = if number & 1 == 1 { self.files_reversed(squares) } else { squares };
        let squares = if number & 2 == 2 { self.ranks_reversed(squares) } else { squares };
        if number & 4 == 4 { transposed(squares) } else { squares }
    }

    /// Returns the image of `discs`, over all symmetries of the board, with the smallest bitboard of occupied squares.
    /// If several images have it, returns the one with the smallest `discs[0]`.
    #[inline]
    pub fn smallest_image(self, discs: [Squares; 2]) -> [Squares; 2] {
        let image = |number| [discs[0] | discs[1], discs[0]].map(|squares| self.image(number, squares));
        let mut least = image(0).min(image(1)).min(image(2).min(image(3)));
        if self.image_count() == 8 {
            least = least.min(image(4).min(image(5)).min(image(6).min(image(7))));
        }
        let [occupied, first] = least;
        [first, occupied ^ first]
    }
}

/// Exchanges files and ranks: square `(file, rank)` becomes `(rank, file)`.
#[inline]
pub fn transposed(squares: Squares) -> Squares {
    // Swaps the off-diagonal 4x4 blocks of the board, then the 2x2 blocks in each of its quarters, then the squares in
    // each 2x2 block.
    let swap = |squares: Squares, upper: Squares, distance: u32| {
        let changed = (squares ^ squares >> distance) & upper;
        squares ^ changed ^ changed << distance
    };
    let squares = swap(squares, 0x0000_0000_f0f0_f0f0, 28);
    let squares = swap(squares, 0x0000_cccc_0000_cccc, 14);
    swap(squares, 0x00aa_00aa_00aa_00aa, 7)
}

/// A position: the discs and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Discs of the side to move.
    pub own: Squares,
    /// Discs of the other side.
    pub other: Squares,
    /// The side to move.
    pub side: Side,
}

impl Position {
    /// Returns the discs of one side.
    pub fn discs(&self, side: Side) -> Squares {
        if side == self.side { self.own } else { self.other }
    }

    /// Returns all discs.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.own | self.other
    }

    /// Returns the same discs with the other side to move.
    #[inline]
    pub fn passed(&self) -> Position {
        Position { own: self.other, other: self.own, side: self.side.other() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> impl Iterator<Item = Board> {
        (3..=8).flat_map(|files| (3..=8).map(move |ranks| Board { files, ranks }))
    }

    #[test]
    fn boards_have_their_squares() {
        for board in boards() {
            let corners = [(0, 0), (board.files - 1, board.ranks - 1)].map(|(file, rank)| board.bit(file, rank));
            assert_eq!(board.squares().count_ones(), board.area());
            assert!(corners.iter().all(|&bit| board.squares() >> bit & 1 == 1));
        }
    }

    #[test]
    fn images_of_a_square() {
        for board in boards() {
            let at = |file, rank| 1 << board.bit(file, rank);
            let (right, down) = (board.files - 1, board.ranks - 1);
            let discs = [at(1, 0), at(0, 2)];
            let images = (0..board.image_count()).map(|number| discs.map(|side| board.image(number, side)));
            let mut expected = vec![
                [at(1, 0), at(0, 2)],
                [at(right - 1, 0), at(right, 2)],
                [at(1, down), at(0, down - 2)],
                [at(right - 1, down), at(right, down - 2)],
            ];
            if board.files == board.ranks {
                expected.extend([[at(0, 1), at(2, 0)], [at(0, right - 1), at(2, right)]]);
                expected.extend([[at(down, 1), at(down - 2, 0)], [at(down, right - 1), at(down - 2, right)]]);
            }
            assert_eq!(images.collect::<Vec<_>>(), expected, "{board:?}");
        }
    }
}
