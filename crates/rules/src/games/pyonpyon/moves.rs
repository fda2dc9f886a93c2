//! Legal moves and what they do.
//!
//! A move along a line ends on the line's first empty square: a step if it is the neighbour, a jump if it lies behind a
//! run of pieces. A chain goes on with jumps from where it landed; the square it started from counts as empty. Moves are
//! reversible: where a piece can go, it could have come from.

use super::board::{Position, Squares};
use super::lines::Lines;

/// A piece goes from one square to another, numbers of bits. Two paths with the same ends are one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub from: u8,
    pub to: u8,
}

impl Move {
    /// Both squares of the move.
    #[inline]
    pub fn squares(self) -> Squares {
        1 << self.from | 1 << self.to
    }
}

impl Lines {
    /// Where the piece on square number `from` can go, all pieces being `occupied`; without `from` itself.
    #[inline]
    pub fn destinations(&self, occupied: Squares, from: u32) -> Squares {
        let start = 1 << from;
        let empty = self.squares() & !occupied | start;
        let first = self.first_empty(from, empty);
        let mut open = first & !self.neighbours(from);
        let mut landed = open | start;
        while open != 0 {
            let square = open.trailing_zeros();
            let further = self.first_empty(square, empty) & !self.neighbours(square) & !landed;
            open = open & (open - 1) | further;
            landed |= further;
        }
        (first | landed) & !start
    }

    /// Calls `visit` with every move of the pieces `own` among all pieces `occupied`: squares from and to as bit
    /// numbers, in rising order. The same moves backwards are those by which these pieces can have come here.
    #[inline]
    pub fn each(&self, own: Squares, occupied: Squares, mut visit: impl FnMut(u32, u32)) {
        for from in bits(own) {
            for to in bits(self.destinations(occupied, from)) {
                visit(from, to);
            }
        }
    }
}

/// The numbers of the set bits, rising.
#[inline]
pub fn bits(squares: Squares) -> impl Iterator<Item = u32> {
    let mut rest = squares;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
        bit
    })
}

/// Adds the moves of the side to move in the order of their texts. Whether the game is over is not looked at.
pub fn generate(lines: &Lines, position: &Position, moves: &mut Vec<Move>) {
    let occupied = position.own | position.other;
    lines.each(position.own, occupied, |from, to| moves.push(Move { from: from as u8, to: to as u8 }));
}

/// The position after a move.
#[inline]
pub fn play(position: &Position, mv: Move) -> Position {
    Position { own: position.other, other: position.own ^ mv.squares(), side: position.side.other() }
}
