//! The pyonpyon game as the kernel for all positions sees it: its ends, and what the rules say of all positions of
//! which the moves lead to one row, for the audit.
//!
//! A move leaves the other side's pieces where they are, and they are the own pieces after it. So the positions with
//! the same pieces of the other side have all their children in one row, which stays in the processor's cache.

use super::graph::{self, Seen};
use crate::retrograde::{Complete, Verdict};
use crate::space::prefetch;
use yomikiri_rules::games::pyonpyon::Board;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::Squares;
use yomikiri_rules::games::pyonpyon::combinations::choose;
use yomikiri_rules::games::pyonpyon::index::{Index, Row};
use yomikiri_rules::games::pyonpyon::moves::bits;
use yomikiri_rules::{Outcome, Side};

impl Complete for Pyonpyon {
    /// With as many pieces as files, one side's pieces and whose pattern it is leave one place for each piece of the
    /// other.
    fn ends(&self) -> Vec<(u32, Outcome)> {
        let mut ends = Vec::new();
        for &own in self.index.own_sets() {
            let lost = Seen { own, other: self.rules.completing(Side::White, own) };
            let won = Seen { own: self.rules.completing(Side::Black, own), other: own };
            for seen in [lost, won].into_iter().filter(|seen| seen.own & seen.other == 0) {
                ends.extend(graph::outcome(self, &seen).map(|outcome| (self.index.key(seen.own, seen.other), outcome)));
            }
        }
        ends.sort_unstable_by_key(|&(key, _)| key);
        ends.dedup();
        ends
    }

    fn parts(&self) -> u32 {
        self.index.rows() as u32
    }

    fn check_part(&self, part: u32, bytes: &[u8], worth: &[u8; 256], check: impl FnMut(u32, Verdict)) {
        check_row(self, part as usize, bytes, worth, check);
    }
}

/// Calls `check` with each position whose children lie in the row of this number. See
/// [`Complete::check_part`](crate::retrograde::Complete::check_part).
fn check_row(game: &Pyonpyon, number: usize, bytes: &[u8], worth: &[u8; 256], mut check: impl FnMut(u32, Verdict)) {
    let (board, index) = (game.rules.board, &game.index);
    let row = index.row_at(number);
    let other = board.turned(row.own);
    let ranks = Ranks::new(index, board, &row, other);
    let worth_of_row = worth_by_rank(game, &row, bytes, worth);
    for own in index.sets_beside(other).filter(|&own| !row.is_symmetric() || own <= board.mirrored(own)) {
        let seen = Seen { own, other };
        let key = index.key(own, other);
        prefetch(&bytes[key as usize]);
        let verdict = match graph::outcome(game, &seen) {
            Some(outcome) => Verdict::Over(outcome),
            None => Verdict::Best(best_move(game, &seen, &ranks, &worth_of_row)),
        };
        check(key, verdict);
    }
}

/// What moves to the positions of a row are worth, by the rank of the other side's pieces.
fn worth_by_rank(game: &Pyonpyon, row: &Row, bytes: &[u8], worth: &[u8; 256]) -> Vec<u8> {
    let byte = |rank| bytes[(row.first + game.index.place(row, rank)) as usize];
    (0..game.index.longest_row()).map(|rank| worth[usize::from(byte(rank))]).collect()
}

/// The greatest worth of all moves.
fn best_move(game: &Pyonpyon, seen: &Seen, ranks: &Ranks, worth: &[u8]) -> u8 {
    let mut best = 0;
    for from in bits(seen.own) {
        let rest = seen.own ^ 1 << from;
        for to in bits(game.lines.destinations(seen.own | seen.other, from)) {
            best = best.max(worth[ranks.rank(rest | 1 << to) as usize]);
        }
    }
    best
}

/// Squares of the lower half; 25 squares make an upper half of 12.
const LOW: u32 = 13;

/// Ranks within one row without closing gaps, from the other side's pieces as that side sees them: tables made for the
/// row, in two halves.
struct Ranks {
    low: [u16; 1 << LOW],
    high: [u16; 1 << (25 - LOW)],
}

impl Ranks {
    /// Tables for a row; `taken` are the row's own pieces as the other side sees them.
    fn new(index: &Index, board: Board, row: &Row, taken: Squares) -> Ranks {
        let mut ranks = Ranks { low: [0; 1 << LOW], high: [0; 1 << (25 - LOW)] };
        let free = board.squares() & !taken;
        let size = u32::from(board.files);
        // A half turn: the other side's square s is seen here as the last square less s, so its upper half comes first.
        let terms = |square: u32| {
            let closed = index.closed(row, board.area() - 1 - square);
            std::array::from_fn(|number| choose(closed, number as u32 + 1) as u16)
        };
        let terms: Vec<[u16; 5]> =
            (0..25).map(|square| if free >> square & 1 == 1 { terms(square) } else { [0; 5] }).collect();
        let (low, high) = terms.split_at(LOW as usize);
        fill(&mut ranks.low, free & ((1 << LOW) - 1), low, |bits| size.checked_sub(bits));
        fill(&mut ranks.high, free >> LOW, high, |bits| (bits <= size).then_some(0));
        ranks
    }

    /// The rank of the other side's pieces.
    #[inline]
    fn rank(&self, pieces: Squares) -> u32 {
        let (low, high) = (pieces & ((1 << LOW) - 1), pieces >> LOW);
        u32::from(self.low[low as usize]) + u32::from(self.high[high as usize])
    }
}

/// Writes the part of the rank that each subset of `free` has. `terms` are what a square adds as first, second, ... of
/// the set, the highest square being the first; `below` tells how many come before a half with so many bits.
fn fill(table: &mut [u16], free: u32, terms: &[[u16; 5]], below: impl Fn(u32) -> Option<u32>) {
    let next = |&set: &u32| Some(set.wrapping_sub(free) & free).filter(|&set| set != 0);
    for set in std::iter::successors(Some(0), next) {
        let Some(below) = below(set.count_ones()) else { continue };
        let (mut rest, mut number, mut sum) = (set, below as usize, 0);
        while rest != 0 {
            let highest = 31 - rest.leading_zeros();
            sum += terms[highest as usize][number];
            number += 1;
            rest ^= 1 << highest;
        }
        table[set as usize] = sum;
    }
}
