//! Moves, and un-moves, which lead to the predecessors of a position.
//!
//! Both take a board seen by the side that is *not* to move. This side is to move in the resulting positions, so the
//! resulting boards are already as their side to move sees them.

use std::ops::ControlFlow;

use super::board::{ALL_SQUARES, BOTTOM_RANK, Board, Kind, OPPONENT_HAND, Position, SQUARES, Squares, TOP_RANK};
use super::rules::Rules;
use crate::Side;
use crate::bits::squares_of;

/// A move. Its squares are numbered as Black sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The square that the piece leaves, or `None` for a drop.
    pub from: Option<u8>,
    /// The square that the piece enters.
    pub to: u8,
    /// The kind of the piece before it promotes.
    pub kind: Kind,
    /// True if the piece is a chick that becomes a hen.
    pub promotes: bool,
    /// The side that makes the move.
    pub side: Side,
}

impl Move {
    /// Converts a square from the numbering of a move, as Black sees the board, to the numbering as `side` sees it, or
    /// back.
    pub fn square_seen_by(side: Side, square: u8) -> u8 {
        if side == Side::Black { square } else { SQUARES as u8 - 1 - square }
    }

    /// Returns a move that takes the opponent's lion, or `None` if there is no such move. The move is not legal,
    /// because the game is already over.
    pub fn taking_lion(rules: &Rules, position: &Position) -> Option<Move> {
        let board = &position.board;
        let lion = board.opponent_lion();
        let attackers = board.own_attackers(rules, lion);
        let from = (0..SQUARES as u8).find(|square| attackers >> square & 1 == 1)?;
        let kind = board.kind_at(from.into())?;
        let promotes = kind == Kind::Chick && TOP_RANK & (1 << from | 1 << lion) != 0;
        let seen = |square: u8| Move::square_seen_by(position.side, square);
        Some(Move { from: Some(seen(from)), to: seen(lion), kind, promotes, side: position.side })
    }
}

/// A move, as [`Board::after_moves`] generates it. Its squares are numbered as on the board on which that function is
/// called.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The square that the piece leaves, or `None` for a drop.
    pub from: Option<u8>,
    /// The square that the piece enters.
    pub to: u8,
    /// The kind of the piece before it promotes.
    pub kind: Kind,
    /// True if the piece is a chick that becomes a hen.
    pub promotes: bool,
}

impl Board {
    /// Returns the squares of the side to move's pieces that attack `square`.
    #[inline]
    pub fn own_attackers(&self, rules: &Rules, square: u8) -> Squares {
        let reach = |kind: Kind| self.pieces(kind) & rules.opponent[kind as usize][square as usize];
        let lion = (1 << self.own_lion()) & rules.opponent[Kind::Lion as usize][square as usize];
        let others = reach(Kind::Elephant) | reach(Kind::Giraffe) | reach(Kind::Chick) | reach(Kind::Hen);
        lion | others & self.own()
    }

    /// Returns the squares of the opponent's pieces that attack `square`.
    #[inline]
    pub fn opponent_attackers(&self, rules: &Rules, square: u8) -> Squares {
        let reach = |kind: Kind| self.pieces(kind) & rules.own[kind as usize][square as usize];
        let lion = (1 << self.opponent_lion()) & rules.own[Kind::Lion as usize][square as usize];
        let others = reach(Kind::Elephant) | reach(Kind::Giraffe) | reach(Kind::Chick) | reach(Kind::Hen);
        lion | others & !self.own()
    }

    /// Returns true if the side to move can take the opponent's lion.
    #[inline]
    pub fn takes_lion(&self, rules: &Rules) -> bool {
        self.own_attackers(rules, self.opponent_lion()) != 0
    }

    /// Returns true if the try rule is on and the opponent's lion has reached its last rank.
    #[inline]
    pub fn tried(&self, rules: &Rules) -> bool {
        rules.try_rule && BOTTOM_RANK >> self.opponent_lion() & 1 == 1
    }

    /// Returns true if the try rule is on and the opponent's lion has a step to a square of its last rank that no piece
    /// of its own side occupies.
    #[inline]
    pub fn may_try(&self, rules: &Rules) -> bool {
        let steps = rules.opponent[Kind::Lion as usize][self.opponent_lion() as usize];
        rules.try_rule && steps & BOTTOM_RANK & !self.opponent() != 0
    }

    /// Moves the side to move's piece on `square`, if there is one, into the opponent's hand.
    #[inline]
    fn capture_at(self, square: u8) -> Board {
        let bit = 1 << square;
        if self.own() & bit == 0 {
            return self;
        }
        let kind = if self.elephants() & bit != 0 {
            Kind::Elephant
        } else if self.giraffes() & bit != 0 {
            Kind::Giraffe
        } else {
            Kind::Chick
        };
        self.without(square).with_in_hand(kind, OPPONENT_HAND)
    }

    /// Returns the board after a move of an opponent's piece, or after the opponent's drop if `from` is `None`.
    #[inline]
    pub fn after(&self, kind: Kind, from: Option<u8>, to: u8, promotes: bool) -> Board {
        match (from, kind) {
            (None, _) => self.without_in_hand(kind, OPPONENT_HAND).with(kind, to),
            (Some(_), Kind::Lion) => self.capture_at(to).with_opponent_lion(to),
            (Some(from), _) => self.capture_at(to).without(from).with(if promotes { Kind::Hen } else { kind }, to),
        }
    }

    /// Visits every move of the side to move, until `visit` breaks. `self` must be seen by the *other* side. `visit`
    /// gets the move, the resulting position, and true if the other side can then take the mover's lion. The resulting
    /// position is also seen by the other side, which is to move in it. If the move takes the other side's lion, the
    /// resulting position is unspecified.
    #[inline]
    pub fn after_moves(
        &self,
        rules: &Rules,
        mut visit: impl FnMut(Step, &Board, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let movers = self.opponent();
        let attackers = self.own_attackers(rules, self.opponent_lion());
        for kind in [Kind::Elephant, Kind::Giraffe, Kind::Chick, Kind::Hen] {
            for from in squares_of(self.pieces(kind) & movers) {
                for to in squares_of(rules.opponent[kind as usize][from as usize] & !movers) {
                    let promotes = kind == Kind::Chick && BOTTOM_RANK & (1 << from | 1 << to) != 0;
                    let next = self.after(kind, Some(from), to, promotes);
                    let attacked = attackers & !(1 << to) != 0;
                    visit(Step { from: Some(from), to, kind, promotes }, &next, attacked)?;
                }
            }
        }
        let from = self.opponent_lion();
        for to in squares_of(rules.opponent[Kind::Lion as usize][from as usize] & !movers) {
            let next = self.after(Kind::Lion, Some(from), to, false);
            let attacked = next.takes_lion(rules);
            visit(Step { from: Some(from), to, kind: Kind::Lion, promotes: false }, &next, attacked)?;
        }
        let empty = ALL_SQUARES & !self.occupied();
        for kind in Kind::HAND {
            if self.in_hand(kind, OPPONENT_HAND) == 0 {
                continue;
            }
            for to in squares_of(empty) {
                let next = self.after(kind, None, to, false);
                visit(Step { from: None, to, kind, promotes: false }, &next, attackers != 0)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the predecessors of a position, until `visit` breaks. `self` must be the rotated position, seen by the
    /// side that has just moved. The predecessors are seen by the same side, which is to move in them. Predecessors in
    /// which that side could have taken the opponent's lion are left out. `open_lions[square]` is the set of squares
    /// allowed for that side's lion if the opponent's lion is on `square`.
    #[inline]
    pub fn before_moves(
        &self,
        rules: &Rules,
        open_lions: &[Squares; 12],
        mut visit: impl FnMut(&Board) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let empty = ALL_SQUARES & !self.occupied();
        let target = self.opponent_lion() as usize;
        let attackers = self.own_attackers(rules, self.opponent_lion());
        // A piece that attacks the opponent's lion must have made the last move, and two pieces cannot both have made
        // it.
        if attackers & attackers.wrapping_sub(1) != 0 {
            return ControlFlow::Continue(());
        }
        let movable = if attackers == 0 { self.own() } else { attackers };
        let lions = open_lions[target];
        if lions >> self.own_lion() & 1 == 1 {
            for kind in [Kind::Elephant, Kind::Giraffe, Kind::Chick, Kind::Hen] {
                for to in squares_of(self.pieces(kind) & movable) {
                    let quiet = empty & !rules.opponent[kind as usize][target];
                    let mut origins = quiet & rules.opponent[kind as usize][to as usize];
                    if kind == Kind::Chick {
                        // A chick that moves from or to the last rank promotes, so it would be a hen now.
                        origins = if TOP_RANK >> to & 1 == 1 { 0 } else { origins & !TOP_RANK };
                    }
                    self.back(kind, to, origins, &mut visit)?;
                    if kind == Kind::Hen {
                        let chick = Kind::Chick as usize;
                        let quiet = empty & !rules.opponent[chick][target];
                        let origins = quiet & rules.opponent[chick][to as usize];
                        let promoting = if TOP_RANK >> to & 1 == 1 { origins } else { origins & TOP_RANK };
                        self.back(Kind::Chick, to, promoting, &mut visit)?;
                    } else {
                        visit(&self.without(to).with_in_hand(kind, 0))?;
                    }
                }
            }
        }
        if movable >> self.own_lion() & 1 == 1 {
            let to = self.own_lion();
            let origins = empty & lions & rules.opponent[Kind::Lion as usize][to as usize];
            self.back(Kind::Lion, to, origins, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Visits the predecessors in which the piece on `to` still stands on one of `origins`. For each origin there is
    /// one predecessor without a capture, and one for each kind of piece that the move can have taken. `was` is the
    /// kind of the piece before the move.
    #[inline]
    fn back(
        &self,
        was: Kind,
        to: u8,
        origins: Squares,
        visit: &mut impl FnMut(&Board) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for from in squares_of(origins) {
            let before = match was {
                Kind::Lion => self.with_own_lion(from),
                _ => self.without(to).with(was, from).with_owner(1 << from),
            };
            visit(&before)?;
            for taken in [Kind::Elephant, Kind::Giraffe, Kind::Chick, Kind::Hen] {
                if self.in_hand(taken, 0) > 0 {
                    visit(&before.without_in_hand(taken, 0).with(taken, to))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
