//! The positions after all legal moves, each once.
//!
//! The contents of a way are a number of up to seven bits, one for each square from the first stone on. So 128 bits
//! record which results of moves on a way have been visited. Moves on different ways lead to different positions.

use std::ops::ControlFlow;

use super::compact::CompactPosition;
use super::lines::TargetPlaces;
use super::numbers::NumberSet;
use super::ways::{Inputs, OpenWays};
use yomikiri_rules::games::binarsi::moves::{Move, Op};
use yomikiri_rules::games::binarsi::rules::Rules;

/// An upper bound on the number of distinct successors: 13 ways with 14 operators each.
pub const MAX_SUCCESSORS: usize = 13 * 14;

/// A position that a move leads to.
#[derive(Clone, Copy, Debug)]
pub struct Successor {
    /// The position after the move.
    pub position: CompactPosition,
    /// The first move that leads to the position.
    pub mv: Move,
}

/// The move generator of one variant.
#[derive(Clone, Debug)]
pub struct Successors {
    ways: OpenWays,
    /// The possible lines of all targets, for finding newly cleared targets.
    pub lines: TargetPlaces,
}

impl Inputs {
    /// Visits each distinct content that an operator can leave on the way, once. It comes with the first operator that
    /// gives it, in the order of [`Op`]. Contents in `illegal` are skipped.
    #[inline]
    fn each(self, illegal: NumberSet, mut visit: impl FnMut(Op, u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let full = (1u64 << self.length) - 1;
        let mut met = illegal;
        let mut once = |op, number: u64| {
            let before = met;
            met |= 1 << number;
            if met == before { ControlFlow::Continue(()) } else { visit(op, number) }
        };
        let both = self.first.zip(self.second);
        if let Some((a, b)) = both {
            once(Op::And, a & b)?;
        }
        if self.own.is_some() {
            if let Some(higher) = self.second {
                once(Op::NotHigh, higher ^ full)?;
            }
            if let Some(lower) = self.first {
                once(Op::NotLow, lower ^ full)?;
            }
        } else if let Some(nearest) = self.first {
            once(Op::Not, nearest ^ full)?;
        }
        if let Some((a, b)) = both {
            once(Op::Nand, a & b ^ full)?;
            once(Op::Nor, (a | b) ^ full)?;
            once(Op::Or, a | b)?;
        }
        if let Some(own) = self.own {
            for k in 1..self.length {
                once(Op::Shift(k as u8), (own << k | own >> (self.length - k)) & full)?;
            }
        }
        if let Some((a, b)) = both {
            once(Op::Xnor, a ^ b ^ full)?;
            once(Op::Xor, a ^ b)?;
        }
        ControlFlow::Continue(())
    }
}

impl Successors {
    /// Creates the move generator and its tables.
    pub fn new(rules: &Rules) -> Successors {
        Successors { ways: OpenWays::new(rules), lines: TargetPlaces::new(rules) }
    }

    /// Visits each distinct position after a move once, in the order of the moves, until `visit` breaks. The position
    /// must not be decided by targets.
    #[inline]
    pub fn each(
        &self,
        position: &CompactPosition,
        mut visit: impl FnMut(Successor) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.ways.each(position, |way, inputs| {
            let illegal = inputs.own.map_or(0, |own| self.ways.illegal(position, &way, own));
            inputs.each(illegal, |op, number| {
                let mut position = way.after(position, number);
                position.targets |= self.lines.fresh(&position);
                visit(Successor { position, mv: Move { way: way.name(), op } })
            })
        })
    }
}
