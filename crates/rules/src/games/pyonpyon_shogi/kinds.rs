//! The kinds of pieces and their steps.

/// A piece of shogi other than the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Steps one square forward.
    Pawn,
    /// Slides forward.
    Lance,
    /// Leaps two ranks forward and one file to either side.
    Knight,
    /// Steps one square forward or diagonally.
    Silver,
    /// Steps one square forward, diagonally forward, sideways or back.
    Gold,
    /// Slides diagonally.
    Bishop,
    /// Slides along files and ranks.
    Rook,
}

use Kind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};

impl Kind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Kind; 7] = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook];

    /// Returns the kind with this number, which must be below 7.
    pub fn of(number: u32) -> Kind {
        Kind::ALL[number as usize]
    }

    /// Returns the letter of the kind, as shogi programs write it for Black.
    pub fn letter(self) -> char {
        ['P', 'L', 'N', 'S', 'G', 'B', 'R'][self as usize]
    }

    /// Returns the kind with this letter, in upper case as for Black's pieces, or `None` if no kind has the letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Returns the English name in lower case.
    pub fn name(self) -> &'static str {
        ["pawn", "lance", "knight", "silver", "gold", "bishop", "rook"][self as usize]
    }

    /// Returns the steps of Black's piece, in files to the right and ranks down. Black moves up the board. Sliding
    /// pieces continue in the same direction.
    pub fn steps(self) -> &'static [(i8, i8)] {
        match self {
            Pawn | Lance => &[(0, -1)],
            Knight => &[(-1, -2), (1, -2)],
            Silver => &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)],
            Gold => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)],
            Bishop => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
            Rook => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
        }
    }

    /// Returns true if the piece can move any number of empty squares in each of its directions.
    pub fn slides(self) -> bool {
        matches!(self, Lance | Bishop | Rook)
    }
}
