//! Move ordering by the history heuristic.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::choices::WayMoves;
use super::compact::CompactPosition;
use super::numbers::each;
use super::successors::MAX_SUCCESSORS;
use super::ways::MAX_WAYS;
use yomikiri_rules::Side;

/// The number of slots. A slot is a pair of a way and the contents that a move leaves on it.
const SLOTS: usize = MAX_WAYS << 7;

/// One more than the greatest number of plies left, 24.
const PLIES: usize = 25;

/// The decay of the history. Each time a move is tried, its score moves towards the highest or the lowest score, by
/// 2^-5 of the distance.
const HISTORY_DECAY: u32 = 5;

/// The number of moves that are tried in order of their scores. The order of all later moves is arbitrary.
const SORTED: usize = 4;

/// The value of each black stone after the move, in units of the history score: a bonus if Black moves, a penalty if
/// White moves. [`TARGET`] is the bonus if the move clears a target of the mover, and the penalty if it clears a target
/// of the other side.
const STONE: i32 = 6000;
const TARGET: i32 = 12000;

/// A move of the search.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    score: i32,
    /// The index, in the list of [`WayMoves`], of the way that the move changes.
    pub option: u8,
    /// The contents of the way after the move.
    pub number: u8,
}

/// History scores of moves.
pub struct MoveOrder {
    /// A score, 0..=65535, for each number of plies to the end and each slot (a way and its contents). The score is
    /// high if the move was often good lately.
    history: Vec<u16>,
}

impl MoveOrder {
    pub fn new() -> MoveOrder {
        MoveOrder { history: vec![0; PLIES * SLOTS] }
    }

    /// Appends all moves of `options`, with their scores, to `replies`. `rest` is the number of plies left in the
    /// longest game.
    #[inline]
    pub fn replies(
        &self,
        position: &CompactPosition,
        mover: Side,
        rest: u32,
        options: &[WayMoves],
        replies: &mut ArrayVec<Reply, MAX_SUCCESSORS>,
    ) {
        let stone = if mover == Side::Black { STONE } else { -STONE };
        for (options, option) in options.iter().zip(0..) {
            let history = &self.history[MoveOrder::slots(rest, options)];
            let others = (position.stones & !options.way.squares).count_ones() as i32;
            let [own, other] =
                [mover, mover.other()].map(|side| options.clears.any(position.targets, side) & options.open);
            for number in each(options.open) {
                let stones = others + (number as u8).count_ones() as i32;
                let targets =
                    if own | other == 0 { 0 } else { (own >> number & 1) as i32 - (other >> number & 1) as i32 };
                let score = i32::from(history[number as usize]) + stone * stones + TARGET * targets;
                replies.push(Reply { score, option, number: number as u8 });
            }
        }
    }

    #[inline]
    fn slots(rest: u32, options: &WayMoves) -> Range<usize> {
        let first = rest as usize * SLOTS + (usize::from(options.way.number) << 7);
        first..first + 128
    }

    /// Updates the history score of a move after its search. `good` is true if the search found that the move reaches
    /// the aim of the side that made it: to win in time, or to prevent that.
    #[inline]
    pub fn learn(&mut self, rest: u32, options: &WayMoves, reply: Reply, good: bool) {
        let score = &mut self.history[MoveOrder::slots(rest, options)][usize::from(reply.number)];
        if good { *score += (u16::MAX - *score) >> HISTORY_DECAY } else { *score -= *score >> HISTORY_DECAY }
    }
}

/// Removes and returns the move to try next, or `None` if no move is left. `tried` is the number of moves tried so far.
/// After the first [`SORTED`] moves, the order is arbitrary.
#[inline]
pub fn next(replies: &mut ArrayVec<Reply, MAX_SUCCESSORS>, tried: usize) -> Option<Reply> {
    if tried >= SORTED {
        return replies.pop();
    }
    let best = (0..replies.len()).max_by_key(|&at| replies[at].score)?;
    Some(replies.swap_remove(best))
}
