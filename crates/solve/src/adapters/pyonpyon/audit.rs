//! The audit of all positions whose moves lead to one row, by the plain rules.
//!
//! A row has all positions with the same own pieces, those of the side to move. A move leaves the other side's pieces
//! where they are, and these are the own pieces of the child. So all positions with the same pieces of the other side
//! have their children in one row, which stays in the processor's cache. Positions that also share all own pieces but
//! one are checked together. The remaining piece moves among the same empty squares in all of them, so each child is
//! looked up only once.

use super::graph::{self, Seen};
use super::move_tables::{EMPTY, MoveTables, Origins};
use crate::retrograde::Verdict;
use yomikiri_rules::bits::set_bits;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::Squares;
use yomikiri_rules::games::pyonpyon::index::Row;
use yomikiri_table::memory::prefetch;

/// Calls `check` with the key and the verdict (outcome or worth of the best move) of each position whose children are
/// in the row `tables.rows[part]`. See [`Complete::check_part`](crate::retrograde::Complete::check_part).
pub fn check_row(
    game: &Pyonpyon,
    tables: &MoveTables,
    part: usize,
    bytes: &[u8],
    worth: &[u8; 256],
    mut check: impl FnMut(u32, Verdict),
) {
    let (board, index) = (game.rules.board, &game.index);
    let row = index.row_at(tables.rows[part] as usize);
    let other = board.rotated(row.own);
    let beside = OpenedSets::new(game, other);
    let best = best_moves(tables, &beside, &worth_of_moves(game, tables, &row, bytes, worth));
    for (&set, best) in tables.sets.sets().iter().zip(best) {
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

/// Returns the worth of a move to each position of a row, for the side that makes the move. The index is the rank in
/// [`MoveTables::sets`] of that side's pieces, as the closed set ([`OpenedSets`]) from that side's view. A closed set
/// has indices among the squares that the other side leaves free.
fn worth_of_moves(game: &Pyonpyon, tables: &MoveTables, row: &Row, bytes: &[u8], worth: &[u8; 256]) -> Vec<u8> {
    let byte = |rank: u16| bytes[(row.first + game.index.place(row, rank.into())) as usize];
    tables.turned.iter().map(|&rank| worth[usize::from(byte(rank))]).collect()
}

/// The number of sets of [`MoveTables::staying`] whose table of moves ([`Origins`]) is prefetched before the table of
/// the first set is used.
const AHEAD: usize = 16;

/// Returns the greatest worth among the moves of each position. The index is the rank in [`MoveTables::sets`] of the
/// pieces of the side to move.
fn best_moves(tables: &MoveTables, beside: &OpenedSets, worth: &[u8]) -> Vec<u8> {
    let mut best = vec![0; worth.len()];
    let mut numbers = [0; AHEAD];
    for (sets, with) in tables.staying.sets().chunks(AHEAD).zip(tables.with.chunks(AHEAD)) {
        for (number, &set) in numbers.iter_mut().zip(sets) {
            *number = tables.number(beside.taken | beside.squares(set));
            prefetch(tables.origins(*number));
        }
        for (&number, with) in numbers.iter().zip(with) {
            let found = best_origins(tables.origins(number), &with.map(|rank| worth[usize::from(rank)]));
            for (&rank, found) in with[..tables.empty].iter().zip(found) {
                let best = &mut best[usize::from(rank)];
                *best = found.max(*best);
            }
        }
    }
    best
}

/// Returns, for each square that a piece can come from, the greatest worth of the squares to which the piece can go; 0
/// if it can go nowhere.
///
/// Handles one worth at a time, in descending order. Nearly always, `worth` has only one or two different values
/// (docs/perf/pyonpyon.md).
#[inline]
fn best_origins(origins: &Origins, worth: &[u8; EMPTY]) -> [u8; EMPTY] {
    let (mut best, mut open) = ([0; EMPTY], u16::MAX);
    let mut value = worth.iter().copied().fold(0, u8::max);
    while value > 0 && open != 0 {
        let to_value = origins.iter().zip(worth).map(|(&from, &worth)| if worth == value { from } else { 0 });
        let found = to_value.fold(0, |all, from| all | from) & open;
        open ^= found;
        let spread = found.to_le_bytes().map(|byte| SPREAD[usize::from(byte)]);
        best.iter_mut().zip(spread.as_flattened()).for_each(|(best, mask)| *best |= mask & value);
        value = next_lower(worth, value);
    }
    best
}

/// Returns the greatest worth below `value`, or 0 if there is none.
#[inline]
fn next_lower(worth: &[u8; EMPTY], value: u8) -> u8 {
    worth.iter().map(|&worth| if worth < value { worth } else { 0 }).fold(0, u8::max)
}

/// The bits of each byte as eight bytes: 255 for a set bit, 0 for a clear one.
const SPREAD: [[u8; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut at = 0;
    while at < 8 * 256 {
        spread[at / 8][at % 8] = if (at / 8) >> (at % 8) & 1 == 1 { 255 } else { 0 };
        at += 1;
    }
    spread
};

/// The number of bits in the lower half of a closed set, a set of indices among free squares (see [`OpenedSets`]).
const HALF: u32 = 10;

/// Converts closed sets to squares of the board. Bit `i` of a closed set stands for the `i`-th square that `taken`
/// leaves free.
struct OpenedSets {
    taken: Squares,
    /// The squares of the board for the lower half and for the upper half of a closed set, indexed by the bits of the
    /// half.
    halves: [[Squares; 1 << HALF]; 2],
}

impl OpenedSets {
    fn new(game: &Pyonpyon, taken: Squares) -> OpenedSets {
        let mut halves = [[0; 1 << HALF]; 2];
        let free = game.lines.squares() & !taken;
        for (place, square) in set_bits(free).enumerate() {
            let (half, bit) = (&mut halves[place / HALF as usize], place % HALF as usize);
            for set in 0..1 << bit {
                half[set | 1 << bit] = half[set] | 1 << square;
            }
        }
        OpenedSets { taken, halves }
    }

    #[inline]
    fn squares(&self, set: u32) -> Squares {
        let [low, high] = &self.halves;
        low[set as usize % (1 << HALF)] | high[set as usize >> HALF]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_each_origin_is_the_greatest_worth_that_it_reaches() {
        let mut random = fastrand::Rng::with_seed(5);
        for round in 0..20_000 {
            // The number of different worths is from one to the number of squares, and there are few moves or many.
            let (worths, density) =
                (random.u8(1..=16), random.u16(..) | if round % 2 == 0 { random.u16(..) } else { 0 });
            let first = random.u8(..=239);
            let worth: [u8; EMPTY] = std::array::from_fn(|_| first + random.u8(..worths));
            let origins: Origins = std::array::from_fn(|_| random.u16(..) & density);
            let reached = |origin: usize| (0..EMPTY).filter(move |&to| origins[to] >> origin & 1 == 1);
            let expected = std::array::from_fn(|origin| reached(origin).map(|to| worth[to]).max().unwrap_or(0));
            assert_eq!(best_origins(&origins, &worth), expected, "{origins:?} {worth:?}");
        }
    }
}
