//! Positions as bitboards: squares as in the pyonpyon game, and the kind of each piece.

use super::kinds::Kind;
use crate::Side;
use crate::bits::set_bits;
use crate::games::pyonpyon::Board;
use crate::games::pyonpyon::board::Squares;

/// The kind of each piece as a three-bit number, stored as one set of squares for each bit. Empty squares have the
/// number 0, as pawns do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds([Squares; 3]);

impl Kinds {
    /// Returns the kind of the piece on a square.
    #[inline]
    pub fn at(&self, bit: u32) -> Kind {
        Kind::of(self.number(bit))
    }

    #[inline]
    fn number(&self, bit: u32) -> u32 {
        let [low, middle, high] = self.0.map(|squares| squares >> bit & 1);
        low | middle << 1 | high << 2
    }

    /// Places a piece on an empty square.
    pub fn put(&mut self, bit: u32, kind: Kind) {
        self.put_number(bit, kind as u32);
    }

    fn put_number(&mut self, bit: u32, number: u32) {
        for (place, squares) in self.0.iter_mut().enumerate() {
            *squares |= (number >> place & 1) << bit;
        }
    }

    /// Returns the kinds after the piece on `from` has moved to the empty square `to`.
    #[inline]
    pub fn moved(&self, from: u32, to: u32) -> Kinds {
        Kinds(self.0.map(|squares| squares & !(1 << from) | (squares >> from & 1) << to))
    }

    /// Returns the kinds with all squares transformed by `image`.
    #[inline]
    pub fn map(&self, image: impl Fn(Squares) -> Squares) -> Kinds {
        Kinds(self.0.map(image))
    }

    /// Returns the union of these kinds and `others`, which must be on other squares.
    pub fn and(&self, others: Kinds) -> Kinds {
        Kinds([0, 1, 2].map(|place| self.0[place] | others.0[place]))
    }

    /// Returns the kinds of the given pieces in the order of their squares, three bits for each, from the lowest bits
    /// on.
    #[inline]
    pub fn listed(&self, pieces: Squares) -> u16 {
        set_bits(pieces).zip(0..).map(|(bit, place)| (self.number(bit) as u16) << (3 * place)).sum()
    }

    /// Inverts [`Kinds::listed`]: returns the kinds of `pieces`, given their list.
    #[inline]
    pub fn of_list(pieces: Squares, list: u16) -> Kinds {
        let mut kinds = Kinds::default();
        for (bit, place) in set_bits(pieces).zip(0..) {
            kinds.put_number(bit, u32::from(list) >> (3 * place) & 7);
        }
        kinds
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
    /// The kinds of all pieces.
    pub kinds: Kinds,
    /// The side to move.
    pub side: Side,
}

impl Position {
    /// Returns the pieces of one side.
    pub fn pieces(&self, side: Side) -> Squares {
        if side == self.side { self.own } else { self.other }
    }

    /// Returns the position as the side to move sees it: rotated by 180 degrees for White, so that rank `1` is the goal
    /// and Black is to move.
    #[inline]
    pub fn seen_by_mover(&self, board: Board) -> Position {
        match self.side {
            Side::Black => *self,
            Side::White => Position { side: Side::Black, ..self.map(|squares| board.rotated(squares)) },
        }
    }

    /// Returns the position with all squares transformed by `image`.
    #[inline]
    pub fn map(&self, image: impl Fn(Squares) -> Squares) -> Position {
        Position { own: image(self.own), other: image(self.other), kinds: self.kinds.map(&image), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_move_and_are_listed() {
        let mut kinds = Kinds::default();
        let pieces = [(0, Kind::Rook), (3, Kind::Pawn), (7, Kind::Silver), (24, Kind::Lance)];
        pieces.iter().for_each(|&(bit, kind)| kinds.put(bit, kind));
        let squares = pieces.iter().map(|(bit, _)| 1 << bit).sum();
        let list = kinds.listed(squares);
        assert_eq!(list, 6 | 3 << 6 | 1 << 9);
        assert_eq!(Kinds::of_list(squares, list), kinds);
        assert_eq!((kinds.moved(7, 8).at(8), kinds.moved(7, 8).at(24)), (Kind::Silver, Kind::Lance));
        assert_eq!(kinds.moved(7, 8).moved(8, 7), kinds);
        assert_eq!(kinds.listed(1 << 24 | 1), 6 | 1 << 3);
    }
}
