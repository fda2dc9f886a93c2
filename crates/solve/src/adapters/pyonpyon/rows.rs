//! Predecessors of the positions of a row, for the kernel. A row has all positions with the same own pieces, those of
//! the side to move.
//!
//! A move leaves the other side's pieces where they are, and they are the own pieces of the child. So if one child of a
//! position is in a row, all of its children are. A *place* in the row is a key minus the first key of the row. A
//! predecessor of the row's positions has the same pieces as some position of the row, but the other side is to move.
//! It gets the place of that position. So the moves of a predecessor can be checked without leaving the row, whose bits
//! are close together in memory. Only the few predecessors that are returned need keys of their own.

use std::ops::ControlFlow;

use crate::retrograde::{Members, RunSet};
use yomikiri_rules::bits::set_bits;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::Squares;
use yomikiri_rules::games::pyonpyon::index::Row;

/// The number of words with one bit for each key of a row. A row has at most 15,504 keys.
const WORDS: usize = 15_504usize.div_ceil(64);

/// A row of positions, which all have the same own pieces. The other side has just moved.
pub struct RowOfChildren<'a> {
    game: &'a Pyonpyon,
    row: Row,
    /// The first key of the row.
    first: u64,
    /// The number of keys of the row.
    length: u64,
    /// The squares that the own pieces leave free, in ascending order.
    squares: [u8; 25],
    /// For each square of the board, its index in `squares`; 0 for a square that the own pieces occupy.
    places: [u8; 25],
}

impl RowOfChildren<'_> {
    pub fn new(game: &Pyonpyon, number: usize) -> RowOfChildren<'_> {
        let row = game.index.row_at(number);
        let keys = game.index.keys(&row);
        let (mut squares, mut places) = ([0; 25], [0; 25]);
        for (place, square) in (0..).zip(set_bits(game.lines.squares() & !row.own)) {
            squares[usize::from(place)] = square as u8;
            places[square as usize] = place;
        }
        let (first, length) = (keys.start.into(), keys.len() as u64);
        RowOfChildren { game, row, first, length, squares, places }
    }

    /// Calls `found` with the keys of lost predecessors: they lead to a position of the row that is in both `frontier`
    /// and `won`, and all their moves lead to positions in `won`.
    pub fn lost_before(&self, frontier: &impl Members, won: &impl Members, mut found: impl FnMut(u32)) {
        self.each_before(frontier, won, true, |place| {
            if self.has_lost(place, won) {
                found(self.key_before(place));
            }
        });
    }

    /// Calls `found` with the keys of won predecessors: they lead to a position of the row that is in `frontier`, but
    /// not in `won`.
    pub fn won_before(&self, frontier: &impl Members, won: &impl Members, mut found: impl FnMut(u32)) {
        self.each_before(frontier, won, false, |place| found(self.key_before(place)));
    }

    /// Calls `visit` once for each predecessor of the row's positions in `frontier`. If `are_won` is true, only
    /// positions that are also in `won` count, otherwise only positions that are not. `visit` gets an index in the row:
    /// that of the position with the same pieces as the predecessor.
    fn each_before(&self, frontier: &impl Members, won: &impl Members, are_won: bool, mut visit: impl FnMut(u64)) {
        let mut before: Option<[u64; WORDS]> = None;
        for start in (0..self.length).step_by(256) {
            let mut set = frontier.run(self.first + start);
            if set == RunSet::default() {
                continue;
            }
            let won = won.run(self.first + start);
            for ((ahead, word), won) in (start..).step_by(64).zip(&mut set).zip(won) {
                let inside = self.length.saturating_sub(ahead);
                let within = if inside < 64 { (1 << inside) - 1 } else { u64::MAX };
                for bit in set_bits(*word & within & if are_won { won } else { !won }) {
                    let before = before.get_or_insert([0; WORDS]);
                    let _ = self.moves(ahead + u64::from(bit), |place| {
                        before[place as usize / 64] |= 1 << (place % 64);
                        ControlFlow::Continue(())
                    });
                }
            }
        }
        for (first, word) in (0..).step_by(64).zip(before.into_iter().flatten()) {
            for bit in set_bits(word) {
                visit(first + u64::from(bit));
            }
        }
    }

    /// Calls `visit` with the places that moves of the other side's pieces lead to from `place`. A place is the index
    /// of a position in the row. Moves can be reversed, so moves from these places lead back to `place`.
    #[inline]
    fn moves(&self, place: u64, mut visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let set = self.game.index.compact_at(&self.row, place as u32);
        let occupied = self.row.own | self.opened(set);
        for piece in set_bits(set) {
            let rest = set ^ 1 << piece;
            for to in set_bits(self.game.lines.destinations(occupied, self.squares[piece as usize].into())) {
                visit(self.place(rest, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns true if all moves of the other side's pieces from the position at index `place` of the row lead to
    /// positions in `won`. Steps to neighbouring squares are tried first, because nearly always one of them leads to a
    /// position outside `won`.
    #[inline]
    fn has_lost(&self, place: u64, won: &impl Members) -> bool {
        let is_won = |place: u64| won.has(self.first + place);
        let set = self.game.index.compact_at(&self.row, place as u32);
        let occupied = self.row.own | self.opened(set);
        for piece in set_bits(set) {
            let rest = set ^ 1 << piece;
            let steps = self.game.lines.neighbours(self.squares[piece as usize].into()) & !occupied;
            if set_bits(steps).any(|to| !is_won(self.place(rest, to))) {
                return false;
            }
        }
        let all = self.moves(place, |place| match is_won(place) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        });
        all.is_continue()
    }

    /// Returns the index of a position in the row. In this position, the other side has one piece on `square` and the
    /// rest of its pieces on the squares of `rest`. Bit `i` of `rest` stands for the `i`-th element of `squares`.
    #[inline]
    fn place(&self, rest: u32, square: u32) -> u64 {
        let rank = self.game.index.rank_compact(rest | 1 << self.places[square as usize]);
        self.game.index.place(&self.row, rank).into()
    }

    #[inline]
    fn opened(&self, set: u32) -> Squares {
        set_bits(set).map(|piece| 1 << self.squares[piece as usize]).sum()
    }

    /// Returns the key of a predecessor of a position of the row. The predecessor has the same pieces as the row's
    /// position at index `place`, but the other side is to move.
    #[inline]
    fn key_before(&self, place: u64) -> u32 {
        let turned = |squares| self.game.rules.board.rotated(squares);
        let set = self.game.index.compact_at(&self.row, place as u32);
        self.game.index.key(turned(self.opened(set)), turned(self.row.own))
    }
}
