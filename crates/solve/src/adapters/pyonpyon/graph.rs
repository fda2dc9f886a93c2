//! The pyonpyon game for the kernel of cyclic games: all positions, from the view of the side to move.

use std::ops::{ControlFlow, Range};

use crate::Costs;
use crate::adapter::Adapter;
use crate::retrograde::{Cyclic, End};
use yomikiri_rules::bits::set_bits;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::{Position, Squares};
use yomikiri_rules::games::pyonpyon::index::Row;
use yomikiri_rules::games::pyonpyon::rules::Reading;
use yomikiri_rules::{Outcome, Side};

/// A position from the view of the side to move, whose goal is rank 1.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub own: Squares,
    pub other: Squares,
}

/// A position after a move. All children of a position are in one row, which has the positions with the same own
/// pieces.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    row: Row,
    other: Squares,
}

/// The row (all positions with the same own pieces) of the last key that was looked up, and the range of the row's
/// keys.
#[derive(Default)]
pub struct RowBlock {
    keys: Range<u32>,
    row: Row,
}

impl RowBlock {
    /// Looks up the row (all positions with the same own pieces) of a key.
    #[inline]
    fn find(&mut self, game: &Pyonpyon, key: u32) {
        if !self.keys.contains(&key) {
            self.row = game.index.row_of(key);
            self.keys = game.index.keys(&self.row);
        }
    }
}

impl Adapter for Pyonpyon {
    fn costs(&self) -> Costs {
        Costs { table: 0.05, work: 0.15, rate: 1.3e7 }
    }

    /// Returns `None`: positions are relative to the side to move, which can be either side at any ply.
    fn side_at(&self, _: u32) -> Option<Side> {
        None
    }
}

impl Cyclic for Pyonpyon {
    type Key = u32;
    type Board = Seen;
    type Child = Child;
    type Block = RowBlock;

    fn keys(&self) -> u32 {
        self.index.count()
    }

    fn open_keys(&self) -> u32 {
        self.index.count()
    }

    #[inline]
    fn board(&self, key: u32, block: &mut RowBlock) -> Seen {
        block.find(self, key);
        Seen { own: block.row.own, other: self.index.other_at(&block.row, key - block.row.first) }
    }

    fn position(&self, key: u32) -> Position {
        let (own, other) = self.index.position(key);
        Position { own, other, side: Side::Black }
    }

    #[inline]
    fn children(&self, board: &Seen, mut visit: impl FnMut(&Child, End) -> ControlFlow<()>) -> ControlFlow<()> {
        let turned = |squares| self.rules.board.rotated(squares);
        let row = self.index.row(turned(board.other));
        for from in set_bits(board.own) {
            for to in set_bits(self.lines.destinations(board.own | board.other, from)) {
                let moved = Seen { own: board.own ^ 1 << from ^ 1 << to, ..*board };
                let over = end_after_move(self, &moved).map(|outcome| (outcome, 0));
                visit(&Child { row, other: turned(moved.own) }, over)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn key_of(&self, child: &Child) -> u32 {
        self.index.key_in(&child.row, child.other)
    }

    /// Every move can be reversed by another move of the same side. So the parents are the positions that the other
    /// side's moves lead to. They include decided positions.
    #[inline]
    fn parents(&self, board: &Seen, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let turned = |squares| self.rules.board.rotated(squares);
        let other = turned(board.own);
        for from in set_bits(board.other) {
            for to in set_bits(self.lines.destinations(board.own | board.other, from)) {
                visit(self.index.key(turned(board.other ^ 1 << from ^ 1 << to), other))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn may_arise(&self, _key: u32, board: &Seen) -> bool {
        outcome(self, board).is_none()
    }

    /// Returns, as bits, all keys of the range except that of the position in which the other side has already won. A
    /// row has at most one such position: all positions of a row have the same own pieces, and only one set of the
    /// other side's pieces completes a pattern against them
    /// ([`Rules::completing`](yomikiri_rules::games::pyonpyon::rules::Rules::completing)). Returns `None` if the own
    /// pieces may have completed their own pattern, or if the keys belong to several rows.
    fn arising_among(&self, keys: Range<u64>, block: &mut RowBlock) -> Option<u64> {
        let (first, last) = (keys.start as u32, (keys.end - 1) as u32);
        block.find(self, first);
        let (rules, own) = (&self.rules, block.row.own);
        // The own side can have completed its pattern only if the pattern is complete against pieces on all squares.
        if !block.keys.contains(&last) || rules.has_pattern(Side::Black, own, self.lines.squares()) {
            return None;
        }
        let arising = u64::MAX >> (63 - (last - first));
        let lost = rules.completing(Side::White, own);
        let place = if lost & own == 0 { self.index.key_in(&block.row, lost).wrapping_sub(first) } else { u32::MAX };
        Some(if place <= last - first { arising & !(1 << place) } else { arising })
    }
}

/// Returns the outcome for the side to move, or `None` if the game is not over.
#[inline]
pub fn outcome(game: &Pyonpyon, seen: &Seen) -> Option<Outcome> {
    let Seen { own, other } = *seen;
    if game.rules.has_pattern(Side::White, other, own) {
        return Some(Outcome::Loss);
    }
    let looks_at_both = game.rules.reading == Reading::PositionDecides;
    (looks_at_both && game.rules.has_pattern(Side::Black, own, other)).then_some(Outcome::Win)
}

/// Like [`outcome`], but takes the position from the view of the side that has just moved, which saves turning the
/// board. The outcome is still that for the side to move.
#[inline]
fn end_after_move(game: &Pyonpyon, moved: &Seen) -> Option<Outcome> {
    if game.rules.has_pattern(Side::Black, moved.own, moved.other) {
        return Some(Outcome::Loss);
    }
    let looks_at_both = game.rules.reading == Reading::PositionDecides;
    (looks_at_both && game.rules.has_pattern(Side::White, moved.other, moved.own)).then_some(Outcome::Win)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Game;

    #[test]
    fn keys_that_may_arise_are_found_together_and_one_by_one() {
        for code in ["pyon2x3", "pyon2x4B", "pyon3x3", "pyon3x4", "pyon3x4B"] {
            let game = Pyonpyon::parse(code).unwrap();
            let (keys, mut together) = (u64::from(game.keys()), [0; 2]);
            for length in [1, 7, 63, 64] {
                let (mut block, mut other) = (RowBlock::default(), RowBlock::default());
                for first in (0..keys).step_by(length as usize) {
                    let range = first..keys.min(first + length);
                    let Some(found) = game.arising_among(range.clone(), &mut block) else { continue };
                    let may_arise = |key| game.may_arise(key as u32, &game.board(key as u32, &mut other));
                    let each = range.clone().map(may_arise).enumerate();
                    let expected = each.fold(0, |set, (place, may)| set | u64::from(may) << place);
                    assert_eq!(found, expected, "{code} {range:?}");
                    together[usize::from(found.count_ones() as u64 == range.end - first)] += 1;
                }
            }
            assert!(together.iter().all(|&count| count > 3), "{code}: {together:?}");
        }
    }
}
