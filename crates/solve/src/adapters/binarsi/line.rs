//! Ways of a rectangle as row bits. A row is the stones of the rectangle as a number, with one bit for each square.
//! This module finds the contents that operators can leave on a way, and maps rows to mirrored boards.

use super::illegal::Illegal;
use crate::space::BitMap;
use crate::tiers::{Moves, SliceImage};
use yomikiri_rules::games::binarsi::board::{Image, Rect, Way};
use yomikiri_rules::games::binarsi::index::compact_stones;
use yomikiri_rules::games::binarsi::rules::Rules;

/// The moves on one way of the parent's tier. They are modifies if the parent's rectangle contains the way; otherwise
/// they add the way to the rectangle.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub way: Way,
    /// The mirroring that maps the board after the move to the child's tier, which is canonical.
    pub image: Image,
}

/// The moves on one way that lead from one tier, the parent, to another, the child.
#[derive(Clone, Copy, Debug)]
pub struct EdgeMoves {
    /// The rectangle of the parent.
    pub parent: Rect,
    /// The rectangle of the child.
    pub child: Rect,
    pub step: Step,
    /// The choice among the moves on the way: all, or only some of them.
    pub moves: Moves,
}

/// A way of a rectangle, with the inputs of its operators. The squares are row bits: a row is the stones of the
/// rectangle as a number, with one bit for each square.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub mask: u32,
    /// The distance in row bits between neighbouring squares of the way.
    along: u32,
    /// The number of squares of the way.
    pub length: u32,
    first: Option<Shift>,
    second: Option<Shift>,
}

/// The place of an operator's input (another way), relative to the way that the operator changes. The field is the
/// distance between the two ways in row bits. An `Up` input lies below the changed way, and its stones are shifted up
/// to it. A `Down` input lies above, and its stones are shifted down.
#[derive(Clone, Copy, Debug)]
enum Shift {
    Up(u32),
    Down(u32),
}

impl Shift {
    #[inline]
    fn apply(self, row: u32) -> u32 {
        match self {
            Shift::Up(bits) => row << bits,
            Shift::Down(bits) => row >> bits,
        }
    }
}

impl Line {
    /// Returns the line of a way inside the rectangle, for modifies: moves on ways that already hold stones.
    pub fn modify(rect: Rect, way: Way) -> Line {
        let (at, size, unit) = place(rect, way);
        let mut line = Line::bare(rect, way);
        line.first = (at > 0).then_some(Shift::Up(unit));
        line.second = (at + 1 < size).then_some(Shift::Down(unit));
        line
    }

    /// Returns the line of a way that a move has just added. `rect` is the rectangle after the move, which includes the
    /// way.
    pub fn new_way(rect: Rect, way: Way) -> Line {
        let (at, size, unit) = place(rect, way);
        let shift = |steps: u32| if at == 0 { Shift::Down(steps * unit) } else { Shift::Up(steps * unit) };
        let mut line = Line::bare(rect, way);
        line.first = Some(shift(1));
        line.second = (size > 2).then(|| shift(2));
        line
    }

    fn bare(rect: Rect, way: Way) -> Line {
        let mask = compact_stones(rect, rect.squares() & way.squares()) as u32;
        let along = match way {
            Way::File(_) => u32::from(rect.width),
            Way::Rank(_) => 1,
        };
        Line { mask, along, length: mask.count_ones(), first: None, second: None }
    }

    /// Returns the contents that operators other than rotations can leave on the way. Only the first entries of the
    /// array are valid; the number returned with it counts them. `context` has the stones off the way. Some contents
    /// may be equal.
    #[inline(always)]
    pub fn results(&self, context: u32) -> ([u32; 8], usize) {
        let mask = self.mask;
        match (self.first, self.second) {
            (Some(first), Some(second)) => {
                let (a, b) = (first.apply(context) & mask, second.apply(context) & mask);
                ([!a & mask, a & b, a | b, a ^ b, !(a & b) & mask, !(a | b) & mask, !(a ^ b) & mask, !b & mask], 8)
            }
            (Some(one), None) | (None, Some(one)) => ([!one.apply(context) & mask, 0, 0, 0, 0, 0, 0, 0], 1),
            (None, None) => ([0; 8], 0),
        }
    }

    /// Like [`Line::results`], but for a way that the move adds. The last result of [`Line::results`], the complement
    /// of the second input, is left out, because a new way has no such operator.
    #[inline(always)]
    pub fn new_results(&self, context: u32) -> ([u32; 8], usize) {
        let (results, count) = self.results(context);
        (results, count.min(7))
    }

    /// Returns the content rotated by `k` squares.
    #[inline(always)]
    pub fn rotated(&self, content: u32, k: u32) -> u32 {
        ((content << (self.along * k)) | (content >> (self.along * (self.length - k)))) & self.mask
    }

    /// Returns a map of rows to row bits: the content of the way, rotated by `k` squares. Bits off the way are dropped.
    pub fn turn(&self, k: u32) -> BitMap {
        let image = |bit: u32| (self.mask >> bit & 1 == 1).then(|| self.rotated(1 << bit, k).trailing_zeros());
        BitMap::new(u32::BITS - self.mask.leading_zeros(), image)
    }

    /// Returns all contents of the way as row bits. Bit `i` of the index of a content stands for the `i`-th square of
    /// the way.
    pub fn contents(&self) -> Vec<u32> {
        let bit = |i: u32| 1 << (self.mask.trailing_zeros() + i * self.along);
        (0..1 << self.length).map(|x: u32| (0..self.length).filter(|i| x >> i & 1 == 1).map(bit).sum()).collect()
    }

    /// Returns true if any operator can be applied to the way.
    pub fn has_moves(&self) -> bool {
        self.first.is_some() || self.second.is_some() || self.length > 1
    }
}

/// Returns the index of a way in a rectangle, the number of ways of the same direction in the rectangle, and the
/// distance in row bits from one of these ways to the next.
fn place(rect: Rect, way: Way) -> (u8, u8, u32) {
    match way {
        Way::File(file) => (file - rect.file, rect.width, 1),
        Way::Rank(rank) => (rank - rect.rank, rect.height, u32::from(rect.width)),
    }
}

/// Returns the image of a way on the mirrored board.
pub fn mirrored_way(rules: &Rules, way: Way, image: Image) -> Way {
    match way {
        Way::File(file) if image.files => Way::File(rules.files - 1 - file),
        Way::Rank(rank) if image.ranks => Way::Rank(rules.ranks - 1 - rank),
        _ => way,
    }
}

/// Returns true if the rectangle contains the way, so that moves on the way are modifies.
pub fn is_modify(parent: Rect, way: Way) -> bool {
    match way {
        Way::File(file) => (parent.file..parent.file + parent.width).contains(&file),
        Way::Rank(rank) => (parent.rank..parent.rank + parent.height).contains(&rank),
    }
}

/// Returns the map from rows of the rectangle `from` to rows of the rectangle `to` on the mirrored board. Squares
/// outside `to` are dropped.
pub fn row_map(rules: &Rules, from: Rect, image: Image, to: Rect) -> BitMap {
    BitMap::new(from.area(), |bit| {
        let width = u32::from(from.width);
        let (mut file, mut rank) = (from.file + (bit % width) as u8, from.rank + (bit / width) as u8);
        if image.files {
            file = rules.files - 1 - file;
        }
        if image.ranks {
            rank = rules.ranks - 1 - rank;
        }
        let inside = (to.file..to.file + to.width).contains(&file) && (to.rank..to.rank + to.height).contains(&rank);
        inside.then(|| u32::from(rank - to.rank) * u32::from(to.width) + u32::from(file - to.file))
    })
}

/// The modifies on one way that connect the rows of a slice of a tier with rows of another tier, in either direction.
/// `area` is the number of squares of the other tier's rectangle. `line` and `illegal` are in terms of the other tier's
/// row bits. `placed` maps the indices of the slice to rows of the other tier.
pub struct Modify {
    pub area: u32,
    pub line: Line,
    pub placed: SliceImage,
    pub illegal: Illegal,
}

impl Modify {
    /// Creates the modifies on `way` that connect the rows of a slice with rows of another tier. `rect` is the
    /// rectangle of that other tier, and `placed` maps the slice to it.
    pub fn new(rules: &Rules, rect: Rect, way: Way, placed: SliceImage) -> Modify {
        let line = Line::modify(rect, way);
        let illegal = Illegal::new(rules, rect, way, line.mask, |image| row_map(rules, rect, image, rect));
        Modify { area: rect.area(), line, placed, illegal }
    }
}

/// The contexts of a way (the stones off the way) that occur in a slice, with their indices. The index of a context
/// consists of the row bits off the way that vary within the slice.
pub struct Contexts {
    pub count: u32,
    squeeze: BitMap,
    spread: BitMap,
    fixed: u32,
}

impl Contexts {
    /// Finds the contexts (the stones off the way) that occur in the slice to which the modifies belong.
    pub fn new(Modify { area, line, placed, .. }: &Modify) -> Contexts {
        let varying = placed.varying() & !line.mask;
        let kept: Vec<u32> = (0..*area).filter(|bit| varying >> bit & 1 == 1).collect();
        let squeeze = BitMap::new(*area, |bit| kept.iter().position(|&k| k == bit).map(|at| at as u32));
        let spread = BitMap::new(kept.len() as u32, |bit| Some(kept[bit as usize]));
        Contexts { count: 1 << kept.len(), squeeze, spread, fixed: placed.fixed() & !line.mask }
    }

    /// Returns the index of the context of a row, which is its stones off the way.
    #[inline(always)]
    pub fn number(&self, row: u32) -> u32 {
        self.squeeze.apply(row)
    }

    /// Returns the context (the stones off the way) with this index.
    #[inline(always)]
    pub fn context(&self, number: u32) -> u32 {
        self.spread.apply(number) | self.fixed
    }
}
