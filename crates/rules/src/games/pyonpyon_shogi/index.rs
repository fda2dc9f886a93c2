//! Keys: numbers for positions as the side to move sees them (see [`Position::seen_by_mover`]). Mirror images share a
//! key.
//!
//! The **placement** of a position is the set of squares of each side. It is numbered as a position of the pyonpyon
//! game, where mirror images share a number. The kinds of a side's pieces, in the order of their squares, are an
//! **arrangement**:
//!
//! ```text
//! key = (placement * A + arrangement of the side to move) * A + arrangement of the other side
//! ```
//!
//! `A` is the number of arrangements: a multinomial coefficient of the number of pieces of each kind. If a placement is
//! its own mirror image, the mirror image of each of its positions has the same placement, but the formula can give the
//! two positions different keys. Both positions then have the smaller key, and the larger key is unused.
//!
//! [`Position::seen_by_mover`]: super::board::Position::seen_by_mover

use super::board::{Kinds, Position};
use super::kinds::Kind;
use crate::Side;
use crate::games::pyonpyon::Board;
use crate::games::pyonpyon::board::Squares;
use crate::games::pyonpyon::index::{Index as Placements, Row};

/// The keys of one board and one set of pieces.
#[derive(Clone, Debug)]
pub struct Index {
    board: Board,
    placements: Placements,
    arrangements: Arrangements,
}

/// The number and the symmetry of a position's placement, which is the squares of both sides' pieces, whatever their
/// kinds.
#[derive(Clone, Copy, Debug)]
struct Placement {
    number: u32,
    /// True if [`Placements::position`] returns the mirror image for `number`, not this placement itself.
    mirrored: bool,
    /// True if the placement is its own mirror image.
    symmetric: bool,
}

impl Index {
    /// Creates the keys of a board. `kinds` has the pieces of one side; the other side has the same pieces.
    pub fn new(board: Board, kinds: &[Kind]) -> Index {
        Index { board, placements: Placements::new(board), arrangements: Arrangements::new(kinds) }
    }

    /// Returns the upper bound of all keys, exclusive.
    pub fn count(&self) -> u64 {
        u64::from(self.placements.count()) * self.of_placement()
    }

    /// Returns the number of keys for one placement of both sides' pieces, whatever their kinds.
    fn of_placement(&self) -> u64 {
        self.arrangements.count() * self.arrangements.count()
    }

    /// Returns the key of a position.
    #[inline]
    pub fn key(&self, position: &Position) -> u64 {
        let seen = position.seen_by_mover(self.board);
        let placement = self.placement(seen.own, seen.other);
        let mirrored = || self.number(&seen.map(|squares| self.board.mirrored(squares)));
        let number = match placement {
            Placement { symmetric: true, .. } => self.number(&seen).min(mirrored()),
            Placement { mirrored: true, .. } => mirrored(),
            Placement { .. } => self.number(&seen),
        };
        u64::from(placement.number) * self.of_placement() + number
    }

    /// Returns the canonical position with this key, or `None` if the key is unused. The key must be below
    /// [`Index::count`]. Black is to move.
    pub fn position(&self, key: u64) -> Option<Position> {
        let position = self.placed(key);
        let symmetric = self.placement(position.own, position.other).symmetric;
        (!symmetric || self.key(&position) == key).then_some(position)
    }

    /// Returns the position that stands at this key, even if the key is unused: [`Index::key`] then returns the smaller
    /// key of its mirror image. The key must be below [`Index::count`]. Black is to move.
    #[inline]
    pub fn placed(&self, key: u64) -> Position {
        let (placement, number) = ((key / self.of_placement()) as u32, key % self.of_placement());
        let (own, other) = self.placements.position(placement);
        let list = |pieces, number| Kinds::of_list(pieces, self.arrangements.list(number));
        let count = self.arrangements.count();
        let kinds = list(own, number / count).and(list(other, number % count));
        Position { own, other, kinds, side: Side::Black }
    }

    #[inline]
    fn placement(&self, own: Squares, other: Squares) -> Placement {
        let row = self.placements.row(own);
        let number = self.placements.key_in(&row, other);
        let (mirrored, symmetric) = match row.is_symmetric() {
            false => (row.mirrored, false),
            true => self.fold(&row, number, other),
        };
        Placement { number, mirrored, symmetric }
    }

    /// Returns the fields `mirrored` and `symmetric` of a [`Placement`] in which the squares of the side to move are
    /// their own mirror image. `row` and `number` belong to this placement, and `other` has the squares of the other
    /// side.
    fn fold(&self, row: &Row, number: u32, other: Squares) -> (bool, bool) {
        let image = self.board.mirrored(other);
        (self.placements.other_at(row, number - row.first) != other, image == other)
    }

    /// Returns the part of a key for the kinds of pieces:
    /// `arrangement of the side to move * A + arrangement of the other side`, where `A` is the number of arrangements
    /// of a side's pieces.
    #[inline]
    fn number(&self, seen: &Position) -> u64 {
        let number = |pieces| self.arrangements.number(seen.kinds.listed(pieces));
        number(seen.own) * self.arrangements.count() + number(seen.other)
    }
}

/// The arrangements of a side's pieces: all orders of their kinds, each given as a list of kinds ([`Kinds::listed`]).
#[derive(Clone, Debug)]
struct Arrangements {
    /// The lists in ascending order.
    lists: Vec<u16>,
    /// Indexed by a list of kinds: its index in `lists`, or [`NONE`] if a side does not have these pieces.
    numbers: Vec<u8>,
}

/// Marks a list of kinds that a side does not have. Five pieces have at most 120 arrangements.
const NONE: u8 = u8::MAX;

impl Arrangements {
    fn new(kinds: &[Kind]) -> Arrangements {
        let mut lists = lists(kinds);
        lists.sort_unstable();
        lists.dedup();
        let mut numbers = vec![NONE; 1 << (3 * kinds.len())];
        (0..).zip(&lists).for_each(|(number, &list)| numbers[usize::from(list)] = number);
        Arrangements { lists, numbers }
    }

    #[inline]
    fn count(&self) -> u64 {
        self.lists.len() as u64
    }

    #[inline]
    fn number(&self, list: u16) -> u64 {
        let number = self.numbers[usize::from(list)];
        debug_assert!(number != NONE, "{list:o} is not a valid list of these pieces");
        number.into()
    }

    #[inline]
    fn list(&self, number: u64) -> u16 {
        self.lists[number as usize]
    }
}

/// Returns the list ([`Kinds::listed`]) of each permutation of the pieces. If two pieces are of the same kind, the
/// result contains equal lists.
fn lists(kinds: &[Kind]) -> Vec<u16> {
    if kinds.is_empty() {
        return vec![0];
    }
    let first = |at: usize| {
        let rest = [&kinds[..at], &kinds[at + 1..]].concat();
        lists(&rest).into_iter().map(move |list| list << 3 | kinds[at] as u16)
    };
    (0..kinds.len()).flat_map(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::games::pyonpyon_shogi::PyonpyonShogi;

    #[test]
    fn arrangements_are_multinomial() {
        let count = |letters: &str| {
            let kinds: Vec<Kind> = letters.chars().filter_map(Kind::from_letter).collect();
            Arrangements::new(&kinds).count()
        };
        assert_eq!(["PP", "PG", "PGP", "PNSG", "GGPP", "PNSGB", "PPSSG"].map(count), [1, 2, 3, 24, 6, 120, 30]);
    }

    /// The position that [`Index::placed`] returns for a key has this key, unless the key is unused. For an unused key,
    /// the squares of both sides are symmetric, and the position has a smaller key, which it shares with its mirror
    /// image.
    #[test]
    fn every_key_leads_back_or_to_the_mirror_image() {
        for code in ["pyon2x3-PG", "pyon2x4-SS", "pyon3x3-PNS", "pyon3x4-PGP"] {
            let game = PyonpyonShogi::parse(code).unwrap();
            let index = &game.index;
            let mut unused = 0;
            for key in 0..index.count() {
                let placed = index.placed(key);
                let mirrored = placed.map(|squares| index.board.mirrored(squares));
                assert_eq!(index.key(&placed), index.key(&mirrored), "{key} of {code}");
                match index.position(key) {
                    Some(position) => assert_eq!((position, index.key(&position)), (placed, key), "{code}"),
                    None => {
                        assert!(
                            index.key(&placed) < key && (mirrored.own, mirrored.other) == (placed.own, placed.other)
                        );
                        unused += 1;
                    }
                }
            }
            assert_eq!(unused > 0, code != "pyon2x4-SS", "{code}: {unused}");
        }
    }
}
