//! Legal moves and what they do.
//!
//! A piece jumps as in the pyonpyon game, or goes a step of its kind to an empty square. Steps forwards are no steps
//! backwards, but a piece of the other side goes the same ways turned half round: where Black's piece can go, White's
//! can come from.

use std::ops::ControlFlow;

use super::PyonpyonShogi;
use super::board::Position;
use super::kinds::Kind;
use crate::Side;
use crate::games::pyonpyon::Board;
use crate::games::pyonpyon::board::Squares;
use crate::games::pyonpyon::moves::bits;

pub use crate::games::pyonpyon::Move;

impl PyonpyonShogi {
    /// Where a piece of this kind on square number `from` can go, all pieces being `occupied`.
    #[inline]
    pub fn destinations(&self, side: Side, kind: Kind, occupied: Squares, from: u32) -> Squares {
        self.steps.from(side, kind, occupied, from) | self.lines.jumps(occupied, from)
    }

    /// Calls `visit` with every move of the side to move, in the order of their texts, until told to stop. Whether the
    /// game is over is not looked at.
    #[inline]
    pub fn each_move(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let occupied = position.own | position.other;
        for from in bits(position.own) {
            for to in bits(self.destinations(position.side, position.kinds.at(from), occupied, from)) {
                visit(Move { from: from as u8, to: to as u8 })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` with every move by which the other side can have come here, until told to stop. Whether the game
    /// was over before is not looked at.
    #[inline]
    pub fn each_move_back(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = position.own | position.other;
        for to in bits(position.other) {
            // Its way back is one that the piece would go if it were of the side to move.
            for from in bits(self.destinations(position.side, position.kinds.at(to), occupied, to)) {
                visit(Move { from: from as u8, to: to as u8 })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the side to move has a move.
    #[inline]
    pub fn can_move(&self, position: &Position) -> bool {
        let occupied = position.own | position.other;
        let goes = |from| self.destinations(position.side, position.kinds.at(from), occupied, from) != 0;
        bits(position.own).any(goes)
    }

    /// Where Black's piece of a kind steps on an empty board, in files to the right and ranks down; by ranks, then
    /// files.
    pub fn steps_of(&self, kind: Kind) -> Vec<[i8; 2]> {
        let Board { files, ranks } = self.rules.race.board;
        let farthest = if kind.slides() { files.max(ranks) as i8 - 1 } else { 1 };
        let far = |&(right, down): &(i8, i8)| (1..=farthest).map(move |times| [right * times, down * times]);
        let fits = |&[right, down]: &[i8; 2]| right.unsigned_abs() < files && down.unsigned_abs() < ranks;
        let mut steps: Vec<[i8; 2]> = kind.steps().iter().flat_map(far).filter(fits).collect();
        steps.sort_unstable_by_key(|&[right, down]| (down, right));
        steps
    }

    /// The squares that a piece passes on its way, both ends among them: those of a step, else of as few jumps as lead
    /// there.
    pub fn path(&self, position: &Position, mv: Move) -> Vec<u32> {
        let (from, to, occupied) = (u32::from(mv.from), u32::from(mv.to), position.own | position.other);
        match self.steps.from(position.side, position.kinds.at(from), occupied, from) >> to & 1 {
            1 => vec![from, to],
            _ => self.lines.jumped(occupied, mv),
        }
    }
}

/// The position after a move.
#[inline]
pub fn play(position: &Position, mv: Move) -> Position {
    Position {
        own: position.other,
        other: position.own ^ mv.squares(),
        kinds: position.kinds.moved(mv.from.into(), mv.to.into()),
        side: position.side.other(),
    }
}

/// The position before a move of the side that is not to move.
#[inline]
pub fn take_back(position: &Position, mv: Move) -> Position {
    Position {
        own: position.other ^ mv.squares(),
        other: position.own,
        kinds: position.kinds.moved(mv.to.into(), mv.from.into()),
        side: position.side.other(),
    }
}
