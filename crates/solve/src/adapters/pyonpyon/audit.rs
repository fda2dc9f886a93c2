//! What the rules say of all positions of which the moves lead to one row.
//!
//! A move leaves the other side's pieces where they are, and they are the own pieces after it. So the positions with the
//! same pieces of the other side have all their children in one row, which stays in the processor's cache.

use super::graph::{self, Seen};
use super::ranks::Ranks;
use crate::retrograde::Verdict;
use crate::space::prefetch;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::index::Row;
use yomikiri_rules::games::pyonpyon::moves::bits;

/// Calls `check` with each position whose children lie in the row of this number. See
/// [`Complete::check_part`](crate::retrograde::Complete::check_part).
pub(super) fn check_row(
    game: &Pyonpyon,
    number: usize,
    bytes: &[u8],
    worth: &[u8; 256],
    mut check: impl FnMut(u32, Verdict),
) {
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
