//! Which move to try first.

use super::eval::{BOUNDLESS, DISC};
use super::kernel::{Discs, Kernel, LOOKED_AT, ReversiSearch, Seen};
use super::masks::{BoardMasks, around, count};
use super::stable::anchored;
use super::turned::turned;
use crate::alphabeta::{Candidate, Candidates};
use yomikiri_rules::games::reversi::board::Squares;
use yomikiri_rules::games::reversi::moves::each;

/// Without weights one ply more for each so many empty squares, and most plies.
const PLAINLY_DEEPER: u32 = 2;
const PLAINLY_DEEPEST: u32 = 6;

/// With weights as many plies as threes of empty squares beyond this number, and most plies.
const SHALLOW: u32 = 13;
const DEEPER: u32 = 3;
const DEEPEST: u32 = 5;
/// How much worse than the best, in evaluation, the worth of a move is found out; of others only that they are.
const MARGIN: i32 = 4 * DISC;

/// The moves to `legal`; those to `first` are tried before all others.
#[inline(always)]
pub fn candidates<K: Kernel>(
    search: &ReversiSearch<K>,
    Discs { own, other }: Discs,
    legal: Squares,
    first: [u8; 2],
    nodes: &mut u64,
) -> Candidates<ReversiSearch<K>> {
    let masks = &search.masks;
    let empty = masks.empty(own, other);
    let count = empty.count_ones();
    let mut candidates = Candidates::new(count);
    let odd = masks.odd(empty);
    let seen = search.weights(count).map(|weights| (weights, Seen::new(weights, own, other)));
    let weight = if seen.is_some() { 4 } else { 3 };
    let mut best = -BOUNDLESS;
    for square in each(legal) {
        let flips = turned::<K>(square, own, other);
        let position = Discs { own: other & !flips, other: own | flips | 1 << square };
        let mut eval = || match &seen {
            Some((weights, seen)) => {
                let (depth, seen) = (count.saturating_sub(SHALLOW) / DEEPER, seen.after(weights, square, flips));
                let window = [-BOUNDLESS, MARGIN - best];
                let eval = -search.kernel.look((weights, masks), &seen, depth.min(DEEPEST), window, nodes);
                best = best.max(eval);
                eval
            }
            None => {
                let depth = ((count - LOOKED_AT) / PLAINLY_DEEPER).min(PLAINLY_DEEPEST - 1);
                -search.kernel.eval(masks, [position.own, position.other], depth, [-BOUNDLESS, BOUNDLESS])
            }
        };
        let eval = if count < LOOKED_AT { 0 } else { eval() };
        let priority = match square {
            _ if square == first[0] => 4 * BOUNDLESS,
            _ if square == first[1] => 3 * BOUNDLESS,
            _ if count < LOOKED_AT => promise(masks, square, position, empty, odd),
            _ => promise(masks, square, position, empty, odd) * weight / 4 + eval,
        };
        candidates.push(Candidate { mv: square, code: square, position, priority });
    }
    candidates.estimate = seen.map(|_| best);
    candidates
}

/// How promising a move looks at once, in eighths of a disc: few moves for the other side, few empty squares around
/// our discs, a corner or discs that hold on to one, the last move in a quarter of the board. Discs are those after
/// the move, empty squares those before it.
#[inline(always)]
fn promise(masks: &BoardMasks, square: u8, Discs { own, other }: Discs, empty: Squares, odd: Squares) -> i32 {
    if own == 0 {
        return 2 * BOUNDLESS;
    }
    let disc = 1 << square;
    let empty = empty & !disc;
    let moves = masks.legal(own, other);
    let bonus = |set: Squares, points: i32| if set & disc != 0 { points } else { 0 };
    let mobility = count(moves) + count(moves & masks.corners);
    let frontier = 2 * count(around(own) & empty) - 4 * count(around(other) & empty);
    let place = bonus(masks.corners, 24) + bonus(odd, 6) - bonus(masks.corner_diagonals, 8);
    frontier + place + 4 * count(anchored(masks, other)) - 16 * mobility
}
