//! Which move to try first.

use arrayvec::ArrayVec;

use super::few::turned;
use super::field::Field;
use super::kernel::Kernel;
use super::outlook::{BOUNDLESS, around, count};
use super::stable::anchored;
use yomikiri_rules::games::reversi::board::Squares;
use yomikiri_rules::games::reversi::moves::each;

/// From so many empty squares on moves are looked at some plies deep to find their order.
const LOOKED_AT: u32 = 12;
/// One ply more for each so many empty squares.
const DEEPER: u32 = 2;
/// Most plies.
const DEEPEST: u32 = 6;

/// A move and the position after it, seen by the other side.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub square: u8,
    pub own: Squares,
    pub other: Squares,
    /// The greater, the sooner tried.
    promise: i32,
}

/// Most moves of a position.
const MOST: usize = 64;

/// The moves of a position, handed out the most promising first.
pub struct Candidates {
    left: ArrayVec<Candidate, MOST>,
    /// Empty squares before the move.
    pub empty: u32,
}

impl Candidates {
    /// The moves to `legal`; those to `first` are tried before all others.
    #[inline(always)]
    pub fn new<K: Kernel>(
        kernel: K,
        field: &Field,
        [own, other]: [Squares; 2],
        legal: Squares,
        empty: Squares,
        first: [u8; 2],
    ) -> Candidates {
        let count = empty.count_ones();
        let mut left = ArrayVec::new();
        let odd = field.odd(empty);
        for square in each(legal) {
            let flips = turned(square, own, other);
            let disc = 1 << square;
            let mut candidate = Candidate { square, own: other & !flips, other: own | flips | disc, promise: 0 };
            candidate.promise = match square {
                _ if square == first[0] => 4 * BOUNDLESS,
                _ if square == first[1] => 3 * BOUNDLESS,
                _ if count < LOOKED_AT => promise(field, &candidate, empty, odd),
                _ => {
                    let depth = ((count - LOOKED_AT) / DEEPER).min(DEEPEST - 1);
                    let discs = [candidate.own, candidate.other];
                    let outlook = -kernel.outlook(field, discs, depth, [-BOUNDLESS, BOUNDLESS]);
                    promise(field, &candidate, empty, odd) * 3 / 4 + outlook
                }
            };
            left.push(candidate);
        }
        Candidates { left, empty: count }
    }

    /// How many moves have not been handed out yet.
    pub fn len(&self) -> u64 {
        self.left.len() as u64
    }

    /// The moves that have not been handed out yet, in any order.
    pub fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.left.iter()
    }

    /// The most promising move left.
    #[inline]
    pub fn next(&mut self) -> Option<Candidate> {
        let promise = |at: &usize| (self.left[*at].promise, std::cmp::Reverse(self.left[*at].square));
        let best = (0..self.left.len()).max_by_key(promise)?;
        Some(self.left.swap_remove(best))
    }
}

/// How promising a move looks at once, in eighths of a disc: few moves for the other side, few empty squares around our
/// discs, a corner or discs that hold on to one, the last move in a quarter of the board.
#[inline(always)]
fn promise(field: &Field, candidate: &Candidate, empty: Squares, odd: Squares) -> i32 {
    if candidate.own == 0 {
        return 2 * BOUNDLESS;
    }
    let disc = 1 << candidate.square;
    let empty = empty & !disc;
    let moves = field.legal(candidate.own, candidate.other);
    let bonus = |set: Squares, points: i32| if set & disc != 0 { points } else { 0 };
    let mobility = count(moves) + count(moves & field.corners);
    let frontier = 2 * count(around(candidate.own) & empty) - 4 * count(around(candidate.other) & empty);
    let place = bonus(field.corners, 24) + bonus(odd, 6) - bonus(field.corner_diagonals, 8);
    frontier + place + 4 * count(anchored(field, candidate.other)) - 16 * mobility
}
