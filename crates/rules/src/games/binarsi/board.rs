//! Positions as bits.
//!
//! Bit `8 * rank + file` of `stones` is set where a black stone (`1`) lies; the stones of both colours fill the
//! rectangle `rect`, so white stones (`0`) are the rectangle's other squares. Bit 7 of every byte stays clear and
//! keeps lines from running over the edge.

use super::rules::Rules;
use crate::Side;

/// A set of squares, bit `8 * rank + file`.
pub type Squares = u64;

/// First bit of every rank's byte.
pub const FIRST_FILE: Squares = 0x0101_0101_0101_0101;

/// The rectangle that the stones fill. Orders by size first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rect {
    /// Number of files, then of ranks, at least 1.
    pub width: u8,
    pub height: u8,
    /// Lowest file and rank, from 0.
    pub file: u8,
    pub rank: u8,
}

impl Rect {
    pub fn area(self) -> u32 {
        u32::from(self.width) * u32::from(self.height)
    }

    /// The squares of the rectangle.
    pub fn squares(self) -> Squares {
        let row = ((1u64 << self.width) - 1) << self.file;
        let ranks = u64::MAX >> (64 - 8 * u32::from(self.height));
        ((FIRST_FILE * row) & ranks) << (8 * self.rank)
    }

    /// The smallest rectangle around `squares`; `None` for the empty set.
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

/// A file or a rank of the board. Orders as people list them: files, then ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    File(u8),
    Rank(u8),
}

impl Way {
    /// All ways of a board, `1234567abcdef` on the full one.
    pub fn all(rules: &Rules) -> impl Iterator<Item = Way> + use<> {
        (0..rules.files).map(Way::File).chain((0..rules.ranks).map(Way::Rank))
    }

    /// The squares of the way on an endless board.
    #[inline]
    pub fn squares(self) -> Squares {
        match self {
            Way::File(file) => FIRST_FILE << file,
            Way::Rank(rank) => 0x7f << (8 * rank),
        }
    }

    /// Bit of the way in a set of locks: files from bit 0, ranks from bit 7.
    #[inline]
    pub fn lock(self) -> u16 {
        match self {
            Way::File(file) => 1 << file,
            Way::Rank(rank) => 0x80 << rank,
        }
    }

    /// Distance in bits between neighbouring ways of this direction.
    #[inline]
    pub fn unit(self) -> u32 {
        match self {
            Way::File(_) => 1,
            Way::Rank(_) => 8,
        }
    }

    /// Distance in bits between neighbouring squares along the way.
    #[inline]
    pub fn along(self) -> u32 {
        9 - self.unit()
    }
}

/// A position. `clear_plies` is only remembered for display; all the rest decides the game.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Black stones.
    pub stones: Squares,
    pub rect: Rect,
    /// Locked ways, see [`Way::lock`].
    pub locks: u16,
    /// Cleared targets, see `targets`.
    pub targets: u8,
    /// The ply that cleared each target; where that is not known, the position's own ply.
    pub clear_plies: [u8; 6],
}

impl Position {
    /// Plies since the start: every ply grew the rectangle or locked a way.
    pub fn ply(&self) -> u32 {
        u32::from(self.rect.width + self.rect.height) - 2 + self.locks.count_ones()
    }

    pub fn side(&self) -> Side {
        Side::at_ply(self.ply())
    }

    /// White stones.
    pub fn white(&self) -> Squares {
        self.rect.squares() & !self.stones
    }

    /// Whether the way holds stones.
    pub fn holds(&self, way: Way) -> bool {
        self.rect.squares() & way.squares() != 0
    }

    /// The same position on the board seen from the other side of its files, its ranks, or both.
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

/// One of the four symmetries of the board; each is its own inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Image {
    /// Whether the order of the files, and that of the ranks, is reversed.
    pub files: bool,
    pub ranks: bool,
}

impl Image {
    pub const IDENTITY: Image = Image { files: false, ranks: false };

    /// All symmetries, the identity first.
    pub const ALL: [Image; 4] = [
        Image::IDENTITY,
        Image { files: true, ranks: false },
        Image { files: false, ranks: true },
        Image { files: true, ranks: true },
    ];

    /// Where some squares come to lie.
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
