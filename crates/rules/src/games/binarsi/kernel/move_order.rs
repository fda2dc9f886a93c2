//! Move ordering by the history heuristic.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::choices::Options;
use super::compact::CompactPosition;
use super::numbers::each;
use super::successors::MOST;
use super::ways::MOST_WAYS;
use crate::Side;

/// Pairs of a way and what it holds after a move.
const SLOTS: usize = MOST_WAYS << 7;

/// Plies to the end, at most.
const PLIES: usize = 25;

/// Decay of the history: each move tried changes a score by one part in 2^5.
const HISTORY_DECAY: u32 = 5;

/// So many moves are sorted; the order of the others does not matter.
const SORTED: usize = 4;

/// Values of a stone more of one's own colour, and of a target more, in units of the history score.
const STONE: i32 = 6000;
const TARGET: i32 = 12000;

/// A move that can be tried.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    score: i32,
    /// The number of its way among the options.
    pub option: u8,
    /// What the way holds after it.
    pub number: u8,
}

/// History scores of moves.
pub struct MoveOrder {
    /// By plies to the end and slot: how often the move refuted lately, from 0 to 65535.
    history: Vec<u16>,
}

impl MoveOrder {
    pub fn new() -> MoveOrder {
        MoveOrder { history: vec![0; PLIES * SLOTS] }
    }

    /// Adds all moves that can be tried with so many plies left, with their scores.
    #[inline]
    pub fn replies(
        &self,
        position: &CompactPosition,
        mover: Side,
        rest: u32,
        options: &[Options],
        replies: &mut ArrayVec<Reply, MOST>,
    ) {
        let stone = if mover == Side::Black { STONE } else { -STONE };
        for (options, option) in options.iter().zip(0..) {
            let history = &self.history[MoveOrder::slots(rest, options)];
            let others = (position.stones & !options.way.ground).count_ones() as i32;
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

    fn slots(rest: u32, options: &Options) -> Range<usize> {
        let first = rest as usize * SLOTS + (usize::from(options.way.number) << 7);
        first..first + 128
    }

    /// Updates the history of a move that was good, or was not.
    #[inline]
    pub fn learn(&mut self, rest: u32, options: &Options, reply: Reply, good: bool) {
        let score = &mut self.history[MoveOrder::slots(rest, options)][usize::from(reply.number)];
        if good { *score += (u16::MAX - *score) >> HISTORY_DECAY } else { *score -= *score >> HISTORY_DECAY }
    }
}

/// Takes out the reply to try next; the order of those after the first few does not matter.
#[inline]
pub fn next(replies: &mut ArrayVec<Reply, MOST>, tried: usize) -> Option<Reply> {
    if tried >= SORTED {
        return replies.pop();
    }
    let best = (0..replies.len()).max_by_key(|&at| replies[at].score)?;
    Some(replies.swap_remove(best))
}
