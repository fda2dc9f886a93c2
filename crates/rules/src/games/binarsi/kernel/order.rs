//! The order in which moves are looked at.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::choices::Options;
use super::field::Field;
use super::numbers::each;
use super::successors::MOST;
use super::ways::MOST_WAYS;
use crate::value::Side;

/// Pairs of a way and what it holds after a move.
const SLOTS: usize = MOST_WAYS << 7;

/// Plies to the end, at most.
const PLIES: usize = 25;

/// How fast older moves are forgotten: each move tried changes a chance by one part in 2^5.
const FADING: u32 = 5;

/// So many moves are tried in order.
const CHOSEN: usize = 4;

/// What a stone more of one's own colour is worth, and a target more, against a chance.
const STONE: i32 = 6000;
const TARGET: i32 = 12000;

/// A move that can be tried.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    merit: i32,
    /// The number of its way among the options.
    pub option: u8,
    /// What the way holds after it.
    pub number: u8,
}

/// How often which moves have been good, lately.
pub struct Order {
    /// By plies to the end and slot: the chance that a move is good, 0 to 65535.
    chances: Vec<u16>,
}

impl Order {
    pub fn new() -> Order {
        Order { chances: vec![0; PLIES * SLOTS] }
    }

    /// Tells all moves that can be tried with so many plies left.
    #[inline]
    pub fn replies(
        &self,
        field: &Field,
        mover: Side,
        rest: u32,
        options: &[Options],
        replies: &mut ArrayVec<Reply, MOST>,
    ) {
        let stone = if mover == Side::Black { STONE } else { -STONE };
        for (options, option) in options.iter().zip(0..) {
            let chances = &self.chances[Order::slots(rest, options)];
            let others = (field.stones & !options.way.ground).count_ones() as i32;
            let [own, other] =
                [mover, mover.other()].map(|side| options.clears.any(field.targets, side) & options.open);
            for number in each(options.open) {
                let stones = others + (number as u8).count_ones() as i32;
                let targets =
                    if own | other == 0 { 0 } else { (own >> number & 1) as i32 - (other >> number & 1) as i32 };
                let merit = i32::from(chances[number as usize]) + stone * stones + TARGET * targets;
                replies.push(Reply { merit, option, number: number as u8 });
            }
        }
    }

    fn slots(rest: u32, options: &Options) -> Range<usize> {
        let first = rest as usize * SLOTS + (usize::from(options.way.number) << 7);
        first..first + 128
    }

    /// Keeps whether a move was good.
    #[inline]
    pub fn learn(&mut self, rest: u32, options: &Options, reply: Reply, good: bool) {
        let chance = &mut self.chances[Order::slots(rest, options)][usize::from(reply.number)];
        if good { *chance += (u16::MAX - *chance) >> FADING } else { *chance -= *chance >> FADING }
    }
}

/// Takes out the reply to try next; the order of those after the first few does not matter.
#[inline]
pub fn next(replies: &mut ArrayVec<Reply, MOST>, tried: usize) -> Option<Reply> {
    if tried >= CHOSEN {
        return replies.pop();
    }
    let best = (0..replies.len()).max_by_key(|&at| replies[at].merit)?;
    Some(replies.swap_remove(best))
}
