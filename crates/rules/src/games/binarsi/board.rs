//! Positions as bitboards.
//!
//! Bit `8 * rank + file` of `stones` is set if the square has a black stone (`1`). The stones of both colours fill the
//! rectangle `rect`, so all other squares of `rect` have white stones (`0`). Bit 7 of every byte is always clear, so
//! that shifted lines do not wrap around the edge.

use super::rules::Rules;
use crate::Side;

/// A set of squares, bit `8 * rank + file`.
pub type Squares = u64;

/// The first square of every rank.
pub const FIRST_FILE: Squares = 0x0101_0101_0101_0101;

/// The rectangle that the stones fill. Rectangles are ordered by width, then height, then file, then rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rect {
    /// The number of files, at least 1.
    pub width: u8,
    /// The number of ranks, at least 1.
    pub height: u8,
    /// The first file, counted from 0.
    pub file: u8,
    /// The first rank, counted from 0.
    pub rank: u8,
}

impl Rect {
    /// Returns the number of squares.
    #[inline]
    pub fn area(self) -> u32 {
        u32::from(self.width) * u32::from(self.height)
    }

    /// Returns the squares of the rectangle.
    #[inline]
    pub fn squares(self) -> Squares {
        let row = ((1u64 << self.width) - 1) << self.file;
        let ranks = u64::MAX >> (64 - 8 * u32::from(self.height));
        ((FIRST_FILE * row) & ranks) << (8 * self.rank)
    }

    /// Returns the smallest rectangle around `squares`, or `None` for the empty set.
    #[inline]
    pub fn around(squares: Squares) -> Option<Rect> {
        if squares == 0 {
            return None;
        }
        let mut row = squares;
        for shift in [32, 16, 8] {
            row |= row >> shift;
        }
        let row = row as u8;
        let (file, rank) = (row.trailing_zeros() as u8, (squares.trailing_zeros() / 8) as u8);
        Some(Rect {
            width: 8 - row.leading_zeros() as u8 - file,
            height: 8 - (squares.leading_zeros() / 8) as u8 - rank,
            file,
            rank,
        })
    }
}

/// A way: a file or a rank of the board. Files are ordered before ranks, as in move lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// A file, counted from 0.
    File(u8),
    /// A rank, counted from 0.
    Rank(u8),
}

impl Way {
    /// Returns all ways of a board: `1234567abcdef` on the full board.
    pub fn all(rules: &Rules) -> impl Iterator<Item = Way> + use<> {
        (0..rules.files).map(Way::File).chain((0..rules.ranks).map(Way::Rank))
    }

    /// Returns the squares of the way, including those beyond the edges of the board.
    #[inline]
    pub fn squares(self) -> Squares {
        match self {
            Way::File(file) => FIRST_FILE << file,
            Way::Rank(rank) => 0x7f << (8 * rank),
        }
    }

    /// Returns the set of locks with only this way: files from bit 0, ranks from bit 7.
    #[inline]
    pub fn lock(self) -> u16 {
        match self {
            Way::File(file) => 1 << file,
            Way::Rank(rank) => 0x80 << rank,
        }
    }

    /// Returns the distance in bits from a square of this way to the adjacent square of the next way.
    #[inline]
    pub fn unit(self) -> u32 {
        match self {
            Way::File(_) => 1,
            Way::Rank(_) => 8,
        }
    }

    /// Returns the distance in bits from one square of the way to the next square of the way.
    #[inline]
    pub fn along(self) -> u32 {
        9 - self.unit()
    }
}

/// A position. `clear_plies` is only for display; the other fields determine how the game can go on.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Black stones.
    pub stones: Squares,
    /// The rectangle that the stones fill.
    pub rect: Rect,
    /// The set of locked ways, in the bits of [`Way::lock`]: files from bit 0, ranks from bit 7.
    pub locks: u16,
    /// The set of cleared targets: Black's in bits 0 to 2, White's in bits 3 to 5. A target is a line of stones of one
    /// colour.
    pub targets: u8,
    /// The ply that cleared each target, or 0 for a target that is not cleared. Keys do not contain these plies: in a
    /// position read from a key, each cleared target has the ply of the position.
    pub clear_plies: [u8; 6],
}

impl Position {
    /// Returns the number of plies since the start. Every ply adds a way to the rectangle or locks a way.
    #[inline]
    pub fn ply(&self) -> u32 {
        u32::from(self.rect.width + self.rect.height) - 2 + self.locks.count_ones()
    }

    /// Returns the side to move, which the ply determines.
    #[inline]
    pub fn side(&self) -> Side {
        Side::at_ply(self.ply())
    }

    /// White stones.
    #[inline]
    pub fn white(&self) -> Squares {
        self.rect.squares() & !self.stones
    }

    /// Returns true if the way holds stones.
    pub fn holds(&self, way: Way) -> bool {
        self.rect.squares() & way.squares() != 0
    }

    /// Returns the image of the position under the symmetry `image`.
    pub fn mirrored(&self, rules: &Rules, image: Image) -> Position {
        let mut result = *self;
        result.stones = image.squares(rules, self.stones);
        if image.files {
            result.rect.file = rules.files - self.rect.file - self.rect.width;
            let files = (result.locks as u8 & 0x7f).reverse_bits() >> (8 - rules.files);
            result.locks = (result.locks & !0x7f) | u16::from(files);
        }
        if image.ranks {
            result.rect.rank = rules.ranks - self.rect.rank - self.rect.height;
            let ranks = ((result.locks >> 7) as u8).reverse_bits() >> (8 - rules.ranks);
            result.locks = (result.locks & 0x7f) | (u16::from(ranks) << 7);
        }
        result
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        (self.stones, self.rect, self.locks, self.targets) == (other.stones, other.rect, other.locks, other.targets)
    }
}

impl Eq for Position {}

impl std::hash::Hash for Position {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.stones, self.rect, self.locks, self.targets).hash(state);
    }
}

/// A symmetry of the board. There are four, and each is its own inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Image {
    /// True if the order of the files is reversed.
    pub files: bool,
    /// True if the order of the ranks is reversed.
    pub ranks: bool,
}

impl Image {
    /// The symmetry that leaves every square in place.
    pub const IDENTITY: Image = Image { files: false, ranks: false };

    /// All symmetries, the identity first.
    pub const ALL: [Image; 4] = [
        Image::IDENTITY,
        Image { files: true, ranks: false },
        Image { files: false, ranks: true },
        Image { files: true, ranks: true },
    ];

    /// Returns the image of a set of squares under this symmetry.
    #[inline]
    pub fn squares(self, rules: &Rules, mut squares: Squares) -> Squares {
        if self.files {
            squares = squares.reverse_bits().swap_bytes() >> (8 - rules.files);
        }
        if self.ranks {
            squares = squares.swap_bytes() >> (8 * (8 - rules.ranks));
        }
        squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_and_their_squares() {
        for (width, height, file, rank) in [(1, 1, 0, 0), (7, 6, 0, 0), (2, 3, 4, 1), (7, 1, 0, 5), (1, 6, 6, 0)] {
            let rect = Rect { width, height, file, rank };
            assert_eq!(rect.squares().count_ones(), rect.area());
            assert_eq!(Rect::around(rect.squares()), Some(rect));
        }
        assert_eq!(Rect::around(0), None);
    }

    #[test]
    fn position_is_three_words() {
        assert_eq!(size_of::<Position>(), 24);
    }
}
