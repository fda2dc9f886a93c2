//! The positions after all legal moves, each once.
//!
//! What a way can hold after a move is a number of up to seven bits, counted from the stones' first square on it. So a set of
//! 128 bits tells which results of a way have been met. Moves on different ways lead to different positions.

use std::ops::ControlFlow;

use super::field::{Field, SPREAD, gathered};
use super::lines::Lines;
use crate::games::binarsi::board::{FIRST_FILE, Squares, Way};
use crate::games::binarsi::moves::{Move, Op};
use crate::games::binarsi::rules::Rules;

/// Number of pairs of a way and what it holds, see [`Successor::slot`].
pub const SLOTS: usize = 13 << 7;

/// The most positions that one move can lead to.
pub const MOST: usize = 13 * 14;

/// The position after a move.
#[derive(Clone, Copy, Debug)]
pub struct Successor {
    pub field: Field,
    /// The first move that leads there.
    pub mv: Move,
    /// The way and what it holds now, a number below [`SLOTS`].
    pub slot: u16,
}

/// Makes moves by the rules of one variant.
#[derive(Clone, Debug)]
pub struct Successors {
    files: u8,
    ranks: u8,
    forbid_null_modify: bool,
    pub lines: Lines,
}

/// What operators read: the stones of a way and of its neighbours, from the first square of the stones on.
#[derive(Clone, Copy)]
struct Inputs {
    /// Neighbours, as [`crate::games::binarsi::moves`] tells; `None` where no stones are.
    first: Option<u64>,
    second: Option<u64>,
    /// The way's own stones, `None` for a new way.
    own: Option<u64>,
    length: u32,
}

impl Inputs {
    /// Visits operators with the numbers that the way can hold after them, each number once, the operators in their order.
    #[inline]
    fn each(self, forbid_null_modify: bool, mut visit: impl FnMut(Op, u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let full = (1u64 << self.length) - 1;
        let mut met = match self.own {
            Some(own) if forbid_null_modify => 1u128 << own,
            _ => 0,
        };
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

/// A direction in which ways lie side by side.
trait Direction {
    /// Distance in bits between neighbouring ways.
    const UNIT: u32;
    /// Number of way 0 among all ways.
    const NUMBER: u8;
    fn way(number: u8) -> Way;
    /// What a way holds, its stones being shifted to way 0.
    fn number(stones: Squares) -> u64;
    /// Inverse of `number`.
    fn stones(number: u64) -> Squares;
}

struct Files;
struct Ranks;

impl Direction for Files {
    const UNIT: u32 = 1;
    const NUMBER: u8 = 0;

    #[inline]
    fn way(number: u8) -> Way {
        Way::File(number)
    }

    #[inline]
    fn number(stones: Squares) -> u64 {
        gathered(stones & FIRST_FILE)
    }

    #[inline]
    fn stones(number: u64) -> Squares {
        SPREAD[number as usize]
    }
}

impl Direction for Ranks {
    const UNIT: u32 = 8;
    const NUMBER: u8 = 7;

    #[inline]
    fn way(number: u8) -> Way {
        Way::Rank(number)
    }

    #[inline]
    fn number(stones: Squares) -> u64 {
        stones & 0x7f
    }

    #[inline]
    fn stones(number: u64) -> Squares {
        number
    }
}

impl Successors {
    pub fn new(rules: &Rules) -> Successors {
        Successors {
            files: rules.files,
            ranks: rules.ranks,
            forbid_null_modify: rules.forbid_null_modify,
            lines: Lines::new(rules),
        }
    }

    /// Visits the positions after all moves from a position that is not decided by targets, until told to stop. Moves come
    /// in their usual order.
    #[inline]
    pub fn each(&self, field: &Field, mut visit: impl FnMut(Successor) -> ControlFlow<()>) -> ControlFlow<()> {
        self.along::<Files>(field, self.files, &mut visit)?;
        self.along::<Ranks>(field, self.ranks, &mut visit)
    }

    /// Visits what the ways of one direction lead to.
    #[inline]
    fn along<D: Direction>(
        &self,
        field: &Field,
        count: u8,
        visit: &mut impl FnMut(Successor) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let held = field.squares.trailing_zeros();
        // The first way of this direction that holds stones, and the first square of the stones along the ways.
        let (first, from) = if D::UNIT == 1 { (held & 7, held >> 3) } else { (held >> 3, held & 7) };
        let length = D::number(field.squares >> (first * D::UNIT)).count_ones();
        let size = field.squares.count_ones() / length;
        let number = |way: u32| D::number(field.stones >> (way * D::UNIT)) >> from;
        let after = first + size;
        for way in first.saturating_sub(1)..u32::from(count).min(after + 1) {
            let lock = 1u16 << (D::NUMBER + way as u8);
            if field.locks & lock != 0 {
                continue;
            }
            let modify = (first..after).contains(&way);
            let inputs = if modify {
                let first = (way > first).then(|| number(way - 1));
                let second = (way + 1 < after).then(|| number(way + 1));
                Inputs { first, second, own: Some(number(way)), length }
            } else {
                let (nearest, next) = if way < first { (way + 1, way + 2) } else { (way - 1, way.wrapping_sub(2)) };
                let second = (size > 1).then(|| number(next));
                Inputs { first: Some(number(nearest)), second, own: None, length }
            };
            let ground = D::stones(((1 << length) - 1) << from) << (way * D::UNIT);
            let rest = Field {
                stones: field.stones & !ground,
                squares: field.squares | ground,
                locks: if modify { field.locks | lock } else { field.locks },
                targets: field.targets,
            };
            inputs.each(self.forbid_null_modify, |op, number| {
                let mut field = rest;
                field.stones |= D::stones(number << from) << (way * D::UNIT);
                field.targets |= self.lines.fresh(&field);
                let slot = u16::from(D::NUMBER + way as u8) << 7 | number as u16;
                visit(Successor { field, mv: Move { way: D::way(way as u8), op }, slot })
            })?;
        }
        ControlFlow::Continue(())
    }
}
