//! The ways on which moves can be made, and what operators read there.
//!
//! What a way holds is a number of up to seven bits, a bit for each square from the stones' first one on, 1 for a
//! black stone.

use std::ops::ControlFlow;

use super::compact::{CompactPosition, SPREAD, gathered};
use super::numbers::NumberSet;
use crate::games::binarsi::board::{self, FIRST_FILE, Image, Squares};
use crate::games::binarsi::rules::{Idle, Rules};

/// Number of the first rank among all ways, as in [`CompactPosition::locks`].
const FIRST_RANK: u32 = 7;

/// Most ways on which moves can be made.
pub const MOST_WAYS: usize = 13;

/// What operators read.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// What the neighbours hold, as [`crate::games::binarsi::moves`] tells; `None` where no stones are.
    pub first: Option<u64>,
    pub second: Option<u64>,
    /// What the way itself holds, `None` for a new way.
    pub own: Option<u64>,
    /// Squares of the way.
    pub length: u32,
}

/// A way on which moves can be made.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// 0 to 6 for files, 7 to 12 for ranks.
    pub number: u8,
    /// Its squares, among those of the stones after the move.
    pub ground: Squares,
    /// The first of its squares.
    from: u32,
    /// The lock that the move sets; none for a new way.
    lock: u16,
}

impl Way {
    #[inline]
    pub fn is_rank(&self) -> bool {
        u32::from(self.number) >= FIRST_RANK
    }

    #[inline]
    pub fn name(&self) -> board::Way {
        let number = self.number;
        if self.is_rank() { board::Way::Rank(number - FIRST_RANK as u8) } else { board::Way::File(number) }
    }

    /// The squares of the way that are in the set, as a number.
    #[inline]
    pub fn number_of(&self, squares: Squares) -> u64 {
        let bits = (squares & self.ground) >> self.from;
        if self.is_rank() { bits } else { gathered(bits) }
    }

    /// The position after a move that leaves the way with this number; targets as before.
    #[inline]
    pub fn after(&self, position: &CompactPosition, number: u64) -> CompactPosition {
        let bits = if self.is_rank() { number } else { SPREAD[number as usize] };
        CompactPosition {
            stones: position.stones & !self.ground | bits << self.from,
            squares: position.squares | self.ground,
            locks: position.locks | self.lock,
            targets: position.targets,
        }
    }
}

/// The rectangle of the stones, in the direction of a way and across.
#[derive(Clone, Copy)]
struct Extent {
    /// The first way of this direction that holds stones, and how many do.
    first: u32,
    count: u32,
    /// The first square of the stones on a way, and how many it holds.
    from: u32,
    length: u32,
}

impl Extent {
    /// For files, then for ranks.
    #[inline]
    fn of(squares: Squares) -> [Extent; 2] {
        let held = squares.trailing_zeros();
        let (file, rank) = (held & 7, held >> 3);
        let width = (squares >> held).trailing_ones();
        let height = (71 - squares.leading_zeros()) / 8 - rank;
        [
            Extent { first: file, count: width, from: rank, length: height },
            Extent { first: rank, count: height, from: file, length: width },
        ]
    }
}

/// Finds the ways of one board.
#[derive(Clone, Debug)]
pub struct Ways {
    files: u32,
    ranks: u32,
    rules: Rules,
}

impl Ways {
    pub fn new(rules: &Rules) -> Ways {
        Ways { files: rules.files.into(), ranks: rules.ranks.into(), rules: *rules }
    }

    /// Visits the ways on which moves can be made in a position that is not decided by targets, until told to stop:
    /// files from left to right, then ranks from the top.
    #[inline]
    pub fn each<B>(
        &self,
        position: &CompactPosition,
        mut visit: impl FnMut(Way, Inputs) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let [files, ranks] = Extent::of(position.squares);
        each_along::<false, B>(position, files, self.files, &mut visit)?;
        each_along::<true, B>(position, ranks, self.ranks, &mut visit)
    }

    /// What no modify may leave on a way that holds `own`.
    #[inline]
    pub fn illegal(&self, position: &CompactPosition, way: &Way, own: u64) -> NumberSet {
        match self.rules.idle {
            Idle::Legal => 0,
            Idle::Unchanged => 1 << own,
            Idle::Mirrored => 1 << own | self.mirrored(position, way),
        }
    }

    /// The number with which a modify of a way leaves the board as a mirror image of what it was, if there is one
    /// beside its own. Such a mirror keeps all other ways as they are, so it does not carry the way elsewhere: files
    /// are turned on ranks, ranks on files.
    #[inline(never)]
    fn mirrored(&self, position: &CompactPosition, way: &Way) -> NumberSet {
        let image = Image { files: way.is_rank(), ranks: !way.is_rank() };
        let stones = image.squares(&self.rules, position.stones);
        let is_image = image.squares(&self.rules, position.squares) == position.squares
            && (stones ^ position.stones) & !way.ground == 0;
        if is_image { 1 << way.number_of(stones) } else { 0 }
    }

    /// The first way that is not locked on a full board; one is not.
    #[inline]
    pub fn last(&self, position: &CompactPosition) -> (Way, Inputs) {
        let (files, ranks) = (self.files, self.ranks);
        let open = !position.locks & self.locks();
        let way = open.trailing_zeros();
        if way < FIRST_RANK {
            look::<false>(position.stones, Extent { first: 0, count: files, from: 0, length: ranks }, way)
        } else {
            look::<true>(position.stones, Extent { first: 0, count: ranks, from: 0, length: files }, way - FIRST_RANK)
        }
    }

    /// All locks of the board.
    #[inline]
    pub fn locks(&self) -> u16 {
        ((1 << self.files) - 1) | ((1 << self.ranks) - 1) << FIRST_RANK
    }
}

/// Visits the ways of one direction, of which the board has so many.
#[inline]
fn each_along<const RANK: bool, B>(
    position: &CompactPosition,
    extent: Extent,
    all: u32,
    visit: &mut impl FnMut(Way, Inputs) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let locks = if RANK { position.locks >> FIRST_RANK } else { position.locks };
    for way in extent.first.saturating_sub(1)..all.min(extent.first + extent.count + 1) {
        if locks >> way & 1 == 0 {
            let (way, inputs) = look::<RANK>(position.stones, extent, way);
            visit(way, inputs)?;
        }
    }
    ControlFlow::Continue(())
}

/// Looks at a way of one direction.
#[inline]
fn look<const RANK: bool>(stones: Squares, extent: Extent, way: u32) -> (Way, Inputs) {
    let Extent { first, count, from, length } = extent;
    let (unit, along) = if RANK { (8, 1) } else { (1, 8) };
    let ground = if RANK { (1 << length) - 1 } else { FIRST_FILE & ((1 << (8 * length)) - 1) };
    let from = from * along;
    let number = |way: u32| {
        let bits = stones >> (from + way * unit) & ground;
        if RANK { bits } else { gathered(bits) }
    };
    let after = first + count;
    let modify = (first..after).contains(&way);
    let inputs = if modify {
        let first = (way > first).then(|| number(way - 1));
        let second = (way + 1 < after).then(|| number(way + 1));
        Inputs { first, second, own: Some(number(way)), length }
    } else {
        let (nearest, next) = if way < first { (way + 1, way + 2) } else { (way - 1, way.wrapping_sub(2)) };
        let second = (count > 1).then(|| number(next));
        Inputs { first: Some(number(nearest)), second, own: None, length }
    };
    let number = if RANK { FIRST_RANK + way } else { way };
    let from = from + way * unit;
    let lock = if modify { 1 << number } else { 0 };
    (Way { number: number as u8, ground: ground << from, from, lock }, inputs)
}
