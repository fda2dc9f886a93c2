//! Which move to try first.

use super::eval::BOUNDLESS;
use super::kernel::{Discs, Kernel, ReversiSearch};
use super::masks::{BoardMasks, around, count, turned};
use super::stable::anchored;
use crate::alphabeta::{Candidate, Candidates};
use yomikiri_rules::games::reversi::board::Squares;
use yomikiri_rules::games::reversi::moves::each;

/// From so many empty squares on moves are looked at some plies deep to find their order.
const LOOKED_AT: u32 = 12;
/// One ply more for each so many empty squares.
const DEEPER: u32 = 2;
/// Most plies.
const DEEPEST: u32 = 6;

/// The moves to `legal`; those to `first` are tried before all others.
#[inline(always)]
pub fn candidates<K: Kernel>(
    search: &ReversiSearch<K>,
    Discs { own, other }: Discs,
    legal: Squares,
    first: [u8; 2],
) -> Candidates<ReversiSearch<K>> {
    let masks = &search.masks;
    let empty = masks.empty(own, other);
    let count = empty.count_ones();
    let mut candidates = Candidates::new(count);
    let odd = masks.odd(empty);
    for square in each(legal) {
        let flips = turned(square, own, other);
        let position = Discs { own: other & !flips, other: own | flips | 1 << square };
        let priority = match square {
            _ if square == first[0] => 4 * BOUNDLESS,
            _ if square == first[1] => 3 * BOUNDLESS,
            _ if count < LOOKED_AT => promise(masks, square, position, empty, odd),
            _ => {
                let depth = ((count - LOOKED_AT) / DEEPER).min(DEEPEST - 1);
                let discs = [position.own, position.other];
                let eval = -search.kernel.eval(masks, discs, depth, [-BOUNDLESS, BOUNDLESS]);
                promise(masks, square, position, empty, odd) * 3 / 4 + eval
            }
        };
        candidates.push(Candidate { mv: square, code: square, position, priority });
    }
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
