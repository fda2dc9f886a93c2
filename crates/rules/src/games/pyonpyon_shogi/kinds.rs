//! The kinds of pieces and how each steps.

/// A piece of shogi other than the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    Pawn,
    Lance,
    Knight,
    Silver,
    Gold,
    Bishop,
    Rook,
}

use Kind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};

impl Kind {
    pub const ALL: [Kind; 7] = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook];

    /// The kind with a number below 7.
    pub fn of(number: u32) -> Kind {
        Kind::ALL[number as usize]
    }

    /// The letter as shogi programs write it for Black.
    pub fn letter(self) -> char {
        ['P', 'L', 'N', 'S', 'G', 'B', 'R'][self as usize]
    }

    /// The kind with a letter, as written for Black.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    pub fn name(self) -> &'static str {
        ["pawn", "lance", "knight", "silver", "gold", "bishop", "rook"][self as usize]
    }

    /// Where Black's piece steps, in files to the right and ranks down: Black goes up the board. Pieces that slide go
    /// on in the same direction.
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

    /// Whether it goes any number of empty squares in its directions.
    pub fn slides(self) -> bool {
        matches!(self, Lance | Bishop | Rook)
    }
}
