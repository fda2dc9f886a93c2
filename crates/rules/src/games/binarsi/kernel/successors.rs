//! The positions after all legal moves, each once.
//!
//! What a way can hold after a move is a number of up to seven bits, counted from the stones' first square on it. So
//! a set of 128 bits tells which results of a way have been met. Moves on different ways lead to different positions.

use std::ops::ControlFlow;

use super::compact::CompactPosition;
use super::lines::Lines;
use super::numbers::NumberSet;
use super::ways::{Inputs, Ways};
use crate::games::binarsi::moves::{Move, Op};
use crate::games::binarsi::rules::Rules;

/// The most positions that one move can lead to.
pub const MOST: usize = 13 * 14;

/// The position after a move.
#[derive(Clone, Copy, Debug)]
pub struct Successor {
    pub position: CompactPosition,
    /// The first move that leads there.
    pub mv: Move,
}

/// Makes moves by the rules of one variant.
#[derive(Clone, Debug)]
pub struct Successors {
    ways: Ways,
    pub lines: Lines,
}

impl Inputs {
    /// Visits operators with the numbers that the way can hold after them, each number once, the operators in their
    /// order, but for those that are illegal.
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
    pub fn new(rules: &Rules) -> Successors {
        Successors { ways: Ways::new(rules), lines: Lines::new(rules) }
    }

    /// Visits the positions after all moves from a position that is not decided by targets, until told to stop. Moves
    /// come in their usual order.
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
