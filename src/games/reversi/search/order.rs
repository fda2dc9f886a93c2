//! Which move to try first.

use super::few::turned;
use super::field::Field;
use crate::games::reversi::board::Squares;
use crate::games::reversi::moves::each;

/// A move and the position after it, seen by the other side.
#[derive(Clone, Copy, Default)]
pub struct Candidate {
    pub square: u8,
    pub own: Squares,
    pub other: Squares,
    /// The greater, the sooner tried.
    pub promise: i32,
}

/// Most moves of a position.
const MOST: usize = 36;

/// The moves of a position, handed out the most promising first.
pub struct Candidates {
    list: [Candidate; MOST],
    next: usize,
    count: usize,
    empty: u32,
}

/// The squares around a set.
#[inline]
pub fn around(set: Squares) -> Squares {
    const NOT_FIRST: Squares = 0xfefe_fefe_fefe_fefe;
    const NOT_LAST: Squares = 0x7f7f_7f7f_7f7f_7f7f;
    let row = set | (set & NOT_LAST) << 1 | (set & NOT_FIRST) >> 1;
    row | row << 8 | row >> 8
}

impl Candidates {
    /// The moves to `legal`; `first` are tried before all others.
    pub fn new(
        field: &Field,
        own: Squares,
        other: Squares,
        legal: Squares,
        empty: Squares,
        first: [u8; 2],
    ) -> Candidates {
        let mut list = [Candidate::default(); MOST];
        let mut count = 0;
        let odd = field.odd(empty);
        for square in each(legal) {
            let flips = turned(square, own, other);
            let mut candidate = Candidate { square, own: other & !flips, other: own | flips | 1 << square, promise: 0 };
            candidate.promise = match square {
                _ if square == first[0] => 1 << 20,
                _ if square == first[1] => 1 << 19,
                _ => promise(field, &candidate, empty, odd),
            };
            list[count] = candidate;
            count += 1;
        }
        Candidates { list, next: 0, count, empty: empty.count_ones() }
    }

    /// Empty squares before the move.
    pub fn empty_squares(&self) -> u32 {
        self.empty
    }

    /// Moves not handed out yet.
    pub fn left(&self) -> u64 {
        (self.count - self.next) as u64
    }

    pub fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.list[self.next..self.count].iter()
    }

    /// The most promising move left.
    pub fn next(&mut self) -> Option<Candidate> {
        let left = &mut self.list[self.next..self.count];
        let best = (0..left.len()).max_by_key(|&at| (left[at].promise, std::cmp::Reverse(at)))?;
        left.swap(0, best);
        self.next += 1;
        Some(left[0])
    }
}

/// How promising a move is: few moves for the other side, few empty squares around our discs, a corner, the last move
/// in a quarter.
fn promise(field: &Field, candidate: &Candidate, empty: Squares, odd: Squares) -> i32 {
    if candidate.own == 0 {
        return 1 << 21;
    }
    let disc = 1 << candidate.square;
    let empty = empty & !disc;
    let moves = field.legal(candidate.own, candidate.other);
    let count = |set: Squares| set.count_ones() as i32;
    let mobility = count(moves) + count(moves & field.corners);
    let frontier = count(around(candidate.other) & empty);
    let mut promise = -(mobility * 16) - frontier * 4;
    if disc & field.corners != 0 {
        promise += 24;
    }
    if odd & disc != 0 {
        promise += 6;
    }
    promise
}
