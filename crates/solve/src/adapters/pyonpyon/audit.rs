//! What the rules say of all positions of which the moves lead to one row, for the audit.
//!
//! A move leaves the other side's pieces where they are, and they are the own pieces after it. So the positions with
//! the same pieces of the other side have all their children in one row, which stays in the processor's cache. Of
//! these positions those that have all own pieces but one in common are looked at together: whichever square that one
//! stands on, it goes to others of the same squares, so that each of their children is looked up once for all.

use super::graph::{self, Seen};
use super::ways::{EMPTY, Origins, Ways};
use crate::retrograde::Verdict;
use crate::space::prefetch;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::Squares;
use yomikiri_rules::games::pyonpyon::index::Row;
use yomikiri_rules::games::pyonpyon::moves::bits;

/// Calls `check` with each position whose children lie in the row of this number. See
/// [`Complete::check_part`](crate::retrograde::Complete::check_part).
pub fn check_row(
    game: &Pyonpyon,
    ways: &Ways,
    number: usize,
    bytes: &[u8],
    worth: &[u8; 256],
    mut check: impl FnMut(u32, Verdict),
) {
    let (board, index) = (game.rules.board, &game.index);
    let row = index.row_at(number);
    let other = board.turned(row.own);
    let beside = Beside::new(game, other);
    let best = best_moves(ways, &beside, &worth_of_moves(game, ways, &row, bytes, worth));
    for (&set, best) in ways.sets.sets().iter().zip(best) {
        let own = beside.squares(set);
        if row.is_symmetric() && own > board.mirrored(own) {
            continue;
        }
        let verdict = match graph::outcome(game, &Seen { own, other }) {
            Some(outcome) => Verdict::Over(outcome),
            None => Verdict::Best(best),
        };
        check(index.key(own, other), verdict);
    }
}

/// What moves to the positions of a row are worth, by the rank of the pieces of the side that moves, as it sees them.
fn worth_of_moves(game: &Pyonpyon, ways: &Ways, row: &Row, bytes: &[u8], worth: &[u8; 256]) -> Vec<u8> {
    let byte = |rank: u16| bytes[(row.first + game.index.place(row, rank.into())) as usize];
    ways.turned.iter().map(|&rank| worth[usize::from(byte(rank))]).collect()
}

/// Sets of pieces whose numbers are found, and asked for, before the moves beside them are looked at.
const AHEAD: usize = 16;

/// The greatest worth of all moves, by the rank of the pieces that move.
fn best_moves(ways: &Ways, beside: &Beside, worth: &[u8]) -> Vec<u8> {
    let mut best = vec![0; worth.len()];
    let mut numbers = [0; AHEAD];
    for (sets, with) in ways.staying.sets().chunks(AHEAD).zip(ways.with.chunks(AHEAD)) {
        for (number, &set) in numbers.iter_mut().zip(sets) {
            *number = ways.number(beside.taken | beside.squares(set));
            prefetch(ways.origins(*number));
        }
        for (&number, with) in numbers.iter().zip(with) {
            let found = best_origins(ways.origins(number), &with.map(|rank| worth[usize::from(rank)]));
            for (&rank, found) in with[..ways.empty].iter().zip(found) {
                let best = &mut best[usize::from(rank)];
                *best = found.max(*best);
            }
        }
    }
    best
}

/// By square that a piece goes from, the greatest worth of a square that it can go to.
#[inline]
fn best_origins(origins: &Origins, worth: &[u8; EMPTY]) -> [u8; EMPTY] {
    let (mut low, mut high) = ([0; EMPTY / 2], [0; EMPTY / 2]);
    for (origins, &worth) in origins.iter().zip(worth) {
        let [lower, upper] = origins.to_le_bytes().map(|byte| &SPREAD[usize::from(byte)]);
        low.iter_mut().zip(lower).for_each(|(best, from)| *best = (from & worth).max(*best));
        high.iter_mut().zip(upper).for_each(|(best, from)| *best = (from & worth).max(*best));
    }
    std::array::from_fn(|at| if at < EMPTY / 2 { low[at] } else { high[at - EMPTY / 2] })
}

/// By eight bits: a byte for each, 255 where it is set.
const SPREAD: [[u8; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut at = 0;
    while at < 8 * 256 {
        spread[at / 8][at % 8] = if (at / 8) >> (at % 8) & 1 == 1 { 255 } else { 0 };
        at += 1;
    }
    spread
};

/// Closed squares of the lower half of those that one side leaves free.
const HALF: u32 = 10;

/// Sets of squares among those that some pieces leave free, moved together, on the board.
struct Beside {
    taken: Squares,
    /// By the lower and the upper half of such a set.
    halves: [[Squares; 1 << HALF]; 2],
}

impl Beside {
    fn new(game: &Pyonpyon, taken: Squares) -> Beside {
        let mut halves = [[0; 1 << HALF]; 2];
        let free = game.lines.squares() & !taken;
        for (place, square) in bits(free).enumerate() {
            let (half, bit) = (&mut halves[place / HALF as usize], place % HALF as usize);
            for set in 0..1 << bit {
                half[set | 1 << bit] = half[set] | 1 << square;
            }
        }
        Beside { taken, halves }
    }

    #[inline]
    fn squares(&self, set: u32) -> Squares {
        let [low, high] = &self.halves;
        low[set as usize % (1 << HALF)] | high[set as usize >> HALF]
    }
}
