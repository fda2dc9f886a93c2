//! The ways that can have moves, and the inputs of their operators.
//!
//! A way is a file or a rank. The contents of a way are a number of up to seven bits: one bit for each square, from the
//! first stone on, set for a black stone.

use std::ops::ControlFlow;

use super::compact::{CompactPosition, SPREAD, gathered};
use super::numbers::NumberSet;
use yomikiri_rules::games::binarsi::board::{self, FIRST_FILE, Image, Squares};
use yomikiri_rules::games::binarsi::rules::{IllegalModifies, Rules};

/// The index of the first rank among all ways, as in [`CompactPosition::locks`].
const FIRST_RANK: u32 = 7;

/// The largest number of ways that can have moves.
pub const MAX_WAYS: usize = 13;

/// The inputs of the operators of one way.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// The contents of the first input of the operators, which is another way (see
    /// [`yomikiri_rules::games::binarsi::moves`]). `None` if that way holds no stones. `second` has the contents of the
    /// second input.
    pub first: Option<u64>,
    pub second: Option<u64>,
    /// The contents of the way before the move; `None` for a new way, which holds no stones.
    pub own: Option<u64>,
    /// The number of squares of the way that hold stones after the move.
    pub length: u32,
}

/// A way that can have moves: it is not locked, and it holds stones or is next to the stones.
#[derive(Clone, Copy, Debug)]
pub struct OpenWay {
    /// The index of the way: 0 to 6 for files, 7 to 12 for ranks.
    pub number: u8,
    /// The squares of the way that hold stones after the move.
    pub squares: Squares,
    /// The bit index of the first square in `squares`.
    from: u32,
    /// The bit of [`CompactPosition::locks`] that a move on this way sets. It is 0 if the way holds no stones yet,
    /// because a move that lays the first stones of a way does not lock it.
    lock: u16,
}

impl OpenWay {
    #[inline]
    pub fn is_rank(&self) -> bool {
        u32::from(self.number) >= FIRST_RANK
    }

    #[inline]
    pub fn name(&self) -> board::Way {
        let number = self.number;
        if self.is_rank() { board::Way::Rank(number - FIRST_RANK as u8) } else { board::Way::File(number) }
    }

    /// Returns the part of `squares` that lies on the way, as a number like the contents of the way.
    #[inline]
    pub fn number_of(&self, squares: Squares) -> u64 {
        let bits = (squares & self.squares) >> self.from;
        if self.is_rank() { bits } else { gathered(bits) }
    }

    /// Returns the position after a move that leaves `number` on the way. Targets are not updated.
    #[inline]
    pub fn after(&self, position: &CompactPosition, number: u64) -> CompactPosition {
        let bits = if self.is_rank() { number } else { SPREAD[number as usize] };
        CompactPosition {
            stones: position.stones & !self.squares | bits << self.from,
            squares: position.squares | self.squares,
            locks: position.locks | self.lock,
            targets: position.targets,
        }
    }
}

/// The rectangle of the stones, described by the ways of one direction: the files or the ranks.
#[derive(Clone, Copy)]
struct Extent {
    /// The index of the first way of this direction that holds stones. `count` is the number of ways of this direction
    /// that hold stones.
    first: u32,
    count: u32,
    /// The index of the first square with a stone on each way of this direction that holds stones. `length` is the
    /// number of squares with stones on each of these ways.
    from: u32,
    length: u32,
}

impl Extent {
    /// Returns the extents of the stones on `squares`: one for the files, one for the ranks.
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

/// Finds the ways that can have moves, on the board of one variant.
#[derive(Clone, Debug)]
pub struct OpenWays {
    files: u32,
    ranks: u32,
    rules: Rules,
}

impl OpenWays {
    pub fn new(rules: &Rules) -> OpenWays {
        OpenWays { files: rules.files.into(), ranks: rules.ranks.into(), rules: *rules }
    }

    /// Visits the ways that can have moves, files from left to right, then ranks from the top, until `visit` breaks.
    /// The position must not be decided by targets.
    #[inline]
    pub fn each<B>(
        &self,
        position: &CompactPosition,
        mut visit: impl FnMut(OpenWay, Inputs) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let [files, ranks] = Extent::of(position.squares);
        each_along::<false, B>(position, files, self.files, &mut visit)?;
        each_along::<true, B>(position, ranks, self.ranks, &mut visit)
    }

    /// Returns the set of contents that a modify (a move on a way that holds stones) must not leave on the way. `own`
    /// is the contents before the move.
    #[inline]
    pub fn illegal(&self, position: &CompactPosition, way: &OpenWay, own: u64) -> NumberSet {
        match self.rules.illegal_modifies {
            IllegalModifies::None => 0,
            IllegalModifies::Unchanged => 1 << own,
            IllegalModifies::Mirrored => 1 << own | self.mirrored(position, way),
        }
    }

    /// Returns the set of contents with which a modify (a move on a way that holds stones) turns the board into a
    /// mirror image. The set has at most one element. Only the mirror image that reverses the way itself is checked:
    /// left-right for a rank, up-down for a file. A modify reaches the other mirror image only if it leaves the way
    /// unchanged.
    #[inline(never)]
    fn mirrored(&self, position: &CompactPosition, way: &OpenWay) -> NumberSet {
        let image = Image { files: way.is_rank(), ranks: !way.is_rank() };
        let stones = image.squares(&self.rules, position.stones);
        let is_image = image.squares(&self.rules, position.squares) == position.squares
            && (stones ^ position.stones) & !way.squares == 0;
        if is_image { 1 << way.number_of(stones) } else { 0 }
    }

    /// Returns the first unlocked way of a full board, with its inputs. There must be an unlocked way.
    #[inline]
    pub fn last(&self, position: &CompactPosition) -> (OpenWay, Inputs) {
        let (files, ranks) = (self.files, self.ranks);
        let open = !position.locks & self.locks();
        let way = open.trailing_zeros();
        if way < FIRST_RANK {
            look::<false>(position.stones, Extent { first: 0, count: files, from: 0, length: ranks }, way)
        } else {
            look::<true>(position.stones, Extent { first: 0, count: ranks, from: 0, length: files }, way - FIRST_RANK)
        }
    }

    /// The locks of all ways of the board.
    #[inline]
    pub fn locks(&self) -> u16 {
        ((1 << self.files) - 1) | ((1 << self.ranks) - 1) << FIRST_RANK
    }
}

/// Visits the ways of one direction that can have moves. `all` is the number of ways of this direction on the board.
#[inline]
fn each_along<const RANK: bool, B>(
    position: &CompactPosition,
    extent: Extent,
    all: u32,
    visit: &mut impl FnMut(OpenWay, Inputs) -> ControlFlow<B>,
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

/// Returns the way with index `way` in its direction, and the inputs of its operators.
#[inline]
fn look<const RANK: bool>(stones: Squares, extent: Extent, way: u32) -> (OpenWay, Inputs) {
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
    (OpenWay { number: number as u8, squares: ground << from, from, lock }, inputs)
}
