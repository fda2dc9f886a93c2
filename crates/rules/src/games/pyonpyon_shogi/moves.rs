//! Move generation, un-moves and play.
//!
//! A piece jumps as in the pyonpyon game, or takes one step of its kind to an empty square. Steps are not reversible,
//! but the pieces of the other side step in the opposite directions. So a white piece can have come from any square
//! that a black piece of the same kind in its place could go to, and vice versa.

use std::ops::ControlFlow;

use super::PyonpyonShogi;
use super::board::Position;
use super::kinds::Kind;
use crate::Side;
use crate::bits::set_bits;
use crate::games::pyonpyon::Board;
use crate::games::pyonpyon::board::Squares;

pub use crate::games::pyonpyon::Move;

impl PyonpyonShogi {
    /// Returns the squares that a piece of this kind on `from` can go to. `occupied` has the squares of all pieces.
    #[inline]
    pub fn destinations(&self, side: Side, kind: Kind, occupied: Squares, from: u32) -> Squares {
        self.steps.from(side, kind, occupied, from) | self.lines.jumps(occupied, from)
    }

    /// Visits every move of the side to move in the order of their texts, until `visit` breaks. Does not check if the
    /// game is over.
    #[inline]
    pub fn each_move(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let occupied = position.own | position.other;
        for from in set_bits(position.own) {
            for to in set_bits(self.destinations(position.side, position.kinds.at(from), occupied, from)) {
                visit(Move { from: from as u8, to: to as u8 })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits every move by which the other side can have reached this position, until `visit` breaks. Does not check
    /// if the game was already over before the move.
    #[inline]
    pub fn each_unmove(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let occupied = position.own | position.other;
        for to in set_bits(position.other) {
            // The piece can have come from any square that it could go to if it belonged to the side to move.
            for from in set_bits(self.destinations(position.side, position.kinds.at(to), occupied, to)) {
                visit(Move { from: from as u8, to: to as u8 })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns true if the side to move has a move.
    #[inline]
    pub fn can_move(&self, position: &Position) -> bool {
        let occupied = position.own | position.other;
        let goes = |from| self.destinations(position.side, position.kinds.at(from), occupied, from) != 0;
        set_bits(position.own).any(goes)
    }

    /// Returns the steps of Black's piece of a kind on an empty board, in files to the right and ranks down. The steps
    /// are sorted by ranks, then files.
    pub fn steps_of(&self, kind: Kind) -> Vec<[i8; 2]> {
        let Board { files, ranks } = self.rules.base.board;
        let farthest = if kind.slides() { files.max(ranks) as i8 - 1 } else { 1 };
        let far = |&(right, down): &(i8, i8)| (1..=farthest).map(move |times| [right * times, down * times]);
        let fits = |&[right, down]: &[i8; 2]| right.unsigned_abs() < files && down.unsigned_abs() < ranks;
        let mut steps: Vec<[i8; 2]> = kind.steps().iter().flat_map(far).filter(fits).collect();
        steps.sort_unstable_by_key(|&[right, down]| (down, right));
        steps
    }

    /// Returns the squares that a piece visits on a move, including both ends. If there are several paths, a step is
    /// preferred, then a shortest chain of jumps.
    pub fn path(&self, position: &Position, mv: Move) -> Vec<u32> {
        let (from, to, occupied) = (u32::from(mv.from), u32::from(mv.to), position.own | position.other);
        match self.steps.from(position.side, position.kinds.at(from), occupied, from) >> to & 1 {
            1 => vec![from, to],
            _ => self.lines.jumped(occupied, mv),
        }
    }
}

/// Returns the position after a move.
#[inline]
pub fn play(position: &Position, mv: Move) -> Position {
    Position {
        own: position.other,
        other: position.own ^ mv.squares(),
        kinds: position.kinds.moved(mv.from.into(), mv.to.into()),
        side: position.side.other(),
    }
}

/// Takes back `mv`, the move that led to `position`, and returns the position before it.
#[inline]
pub fn take_back(position: &Position, mv: Move) -> Position {
    Position {
        own: position.other ^ mv.squares(),
        other: position.own,
        kinds: position.kinds.moved(mv.to.into(), mv.from.into()),
        side: position.side.other(),
    }
}
