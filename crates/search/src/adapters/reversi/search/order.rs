//! Move ordering.

use super::eval::{BOUNDLESS, DISC};
use super::machine::{Discs, EmptySquares, Machine, ORDERED_BY_SEARCH, PatternPosition, ReversiSearch, WeightedBoard};
use super::masks::{BoardMasks, around, count};
use super::stable::anchored;
use super::turned::turned;
use crate::alphabeta::{Candidate, Candidates};
use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::board::Squares;

/// The depth of the searches that order moves on boards without pattern weights: one ply for the move itself, and one
/// more for every `PLAINLY_DEEPER` empty squares beyond [`ORDERED_BY_SEARCH`], up to `PLAINLY_DEEPEST` plies in all.
const PLAINLY_DEEPER: u32 = 2;
const PLAINLY_DEEPEST: u32 = 6;

/// The depth of the searches that order moves with pattern weights, not counting the ply of the move itself: one ply
/// for every `DEEPER` empty squares beyond `SHALLOW`, up to `DEEPEST` plies.
const SHALLOW: u32 = 13;
const DEEPER: u32 = 3;
const DEEPEST: u32 = 5;
/// The range below the best move's evaluation, in eighths of a disc, in which other moves get an exact evaluation. For
/// moves below the range, a bound is enough.
const MARGIN: i32 = 4 * DISC;

/// Returns the moves to the squares `legal` with their priorities. Moves to the squares `first` are tried before all
/// others. Adds the number of positions searched to `nodes`.
#[inline(always)]
pub fn candidates<K: Machine>(
    search: &ReversiSearch<K>,
    discs: Discs,
    legal: Squares,
    first: [u8; 2],
    nodes: &mut u64,
) -> Candidates<ReversiSearch<K>> {
    let (masks, Discs { own, other }) = (&search.masks, discs);
    let all = masks.empty(own, other);
    let empty = EmptySquares { all, odd: masks.odd(all) };
    let count = all.count_ones();
    let mut candidates = Candidates::new(count);
    let board = search.weights(count).map(|weights| WeightedBoard { weights, masks });
    let seen = board.map(|board| (board, PatternPosition::new(board.weights, discs)));
    let weight = if seen.is_some() { 4 } else { 3 };
    let mut best = -BOUNDLESS;
    for square in squares_of(legal) {
        let flips = turned::<K>(square, own, other);
        let position = discs.after(square, flips);
        let mut eval = || match &seen {
            Some((board, seen)) => {
                let (depth, seen) = (count.saturating_sub(SHALLOW) / DEEPER, seen.after(board.weights, square, flips));
                let window = [-BOUNDLESS, MARGIN - best];
                let eval = -search.machine.look(*board, &seen, depth.min(DEEPEST), window, nodes);
                best = best.max(eval);
                eval
            }
            None => {
                let depth = ((count - ORDERED_BY_SEARCH) / PLAINLY_DEEPER).min(PLAINLY_DEEPEST - 1);
                -search.machine.eval(masks, position, depth, [-BOUNDLESS, BOUNDLESS])
            }
        };
        let eval = if count < ORDERED_BY_SEARCH { 0 } else { eval() };
        let priority = match square {
            _ if square == first[0] => 4 * BOUNDLESS,
            _ if square == first[1] => 3 * BOUNDLESS,
            _ if count < ORDERED_BY_SEARCH => promise(masks, square, position, empty),
            _ => promise(masks, square, position, empty) * weight / 4 + eval,
        };
        candidates.push(Candidate { mv: square, code: square, position, priority });
    }
    candidates.estimate = seen.map(|_| best);
    candidates
}

/// Returns a static evaluation of a move, in eighths of a disc. It rewards few moves for the other side, few empty
/// squares around the mover's discs and many around the other side's, a corner or discs anchored to one, and a move in
/// a quarter with an odd number of empty squares. It penalises a square diagonally next to a corner. `own` and `other`
/// are the discs after the move from the view of the other side. `before` has the empty squares before the move.
#[inline(always)]
fn promise(masks: &BoardMasks, square: u8, Discs { own, other }: Discs, before: EmptySquares) -> i32 {
    if own == 0 {
        return 2 * BOUNDLESS;
    }
    let disc = 1 << square;
    let empty = before.all & !disc;
    let moves = masks.legal(own, other);
    let bonus = |set: Squares, points: i32| if set & disc != 0 { points } else { 0 };
    let mobility = count(moves) + count(moves & masks.corners);
    let frontier = 2 * count(around(own) & empty) - 4 * count(around(other) & empty);
    let place = bonus(masks.corners, 24) + bonus(before.odd, 6) - bonus(masks.corner_diagonals, 8);
    frontier + place + 4 * count(anchored(masks, other)) - 16 * mobility
}
