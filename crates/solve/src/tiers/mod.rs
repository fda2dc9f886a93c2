//! Acyclic games whose positions fall into dense tiers, solved a tier at a time.
//!
//! A tier is a sheet of rows with 64 lanes each; every move leads one ply on, into another tier. Tiers are
//! enumerated forward (which lanes of each row can arise) and valued backward. The driver here knows the order,
//! memory, checkpoints and files; how a sheet follows from its neighbours is the game's business ([`Tiered`]).
//!
//! The game's part are steps over sheets: those of whole tiers, or of parts of them ([`Part`]), where whole tiers are
//! too large. Steps read the sheet of a part of another tier, write that of a part, and depend on nothing else, so that
//! parts can be made in any order, by threads or by machines. A sheet of an enumeration has one word ([`Lanes`]) a row,
//! bit `i` for lane `i`; a sheet of values has 64 bytes ([`Row`]) a row, byte `i` for lane `i`.
//! 1. Enumeration: zeros, [`Tiered::reach`] for each link from the tiers of the ply before, images under the tier's own
//!    symmetries, [`Tiered::close`].
//! 2. Values: [`Tiered::worst`], [`Tiered::improve`] for each link to the tiers of the next ply, [`Tiered::end_rows`];
//!    the sheet is whole then, and [`Tiered::lift`] readies it for the ply before.

#[cfg(feature = "write")]
pub(crate) mod enumerate;
mod move_counts;
mod part;
mod run;
#[cfg(feature = "write")]
pub(crate) mod solve;

pub use move_counts::TierCounts;
pub use part::{Cut, Part, Placed, Slice};
#[cfg(feature = "write")]
pub use run::analyze;
pub use run::needs;
pub use yomikiri_table::blocks::Lanes;

use crate::cache::Cache;
use crate::memory::Zeros;
use crate::space::BitMap;
use yomikiri_rules::Game;
use zerocopy::{FromBytes, IntoBytes};

/// One value byte per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes)]
#[repr(C, align(64))]
pub struct Row(pub [u8; 64]);

impl Row {
    pub fn filled(byte: u8) -> Row {
        Row([byte; 64])
    }

    /// Lane by lane the larger byte.
    #[inline(always)]
    pub fn raise(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
    }

    /// Lane by lane the smaller byte.
    #[inline(always)]
    pub fn lower(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine = (*mine).min(*theirs));
    }

    /// Lane by lane the sum, which must fit a byte.
    #[inline(always)]
    pub fn add(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine = mine.wrapping_add(*theirs));
    }
}

/// Sheets of lanes by tier or part.
pub(crate) type LaneSheets = Cache<Zeros<Lanes>>;

/// Sheets of values by tier or part.
pub(crate) type RowSheets = Cache<Zeros<Row>>;

/// One tier and the ways out of it.
#[derive(Clone, Debug)]
pub struct Node<T, S> {
    pub tier: T,
    /// Key of row 0, lane 0; row `r`, lane `l` has key `base + (r << 6 | l)`.
    pub base: u64,
    pub ply: u32,
    pub rows: usize,
    pub links: Vec<Link<S>>,
}

/// A bundle of moves from one tier to another.
#[derive(Clone, Copy, Debug)]
pub struct Link<S> {
    /// Number of the tier the moves lead to.
    pub child: usize,
    pub step: S,
}

/// A bundle of moves with the tiers at both its ends.
pub struct Edge<'a, G: Tiered> {
    pub parent: &'a NodeOf<G>,
    pub child: &'a NodeOf<G>,
    pub step: G::Step,
}

/// The rows of a part.
#[derive(Clone, Copy)]
pub struct Sheet<'a, T> {
    pub part: &'a Part,
    pub rows: &'a [T],
}

/// The rows of a part that is being made.
pub struct SheetMut<'a, T> {
    pub part: &'a Part,
    pub rows: &'a mut [T],
}

/// Which moves of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    All,
    /// Those that do not look at what the edge changes, and so are the same for all rows that differ in nothing else.
    Common,
    /// The others.
    Own,
}

/// Where the moves of an edge lead.
pub struct Crossing {
    /// From rows of the parent to rows of the child.
    pub map: BitMap,
    /// The bits of the child's rows that the moves change.
    pub changed: u32,
    /// What moves that are not common make of these bits, if moves can be told apart so.
    pub own: Option<Vec<BitMap>>,
}

impl Crossing {
    /// Whether moves may lead from a part of the parent to a part of the child.
    pub fn leads(&self, moves: Moves, from: &Part, to: &Part) -> bool {
        let known = self.map.apply(from.pins()) & !self.changed & to.pins();
        let changed = self.changed & to.pins();
        let fits = |from: u32, to: u32| {
            let before = self.map.apply(from);
            let turned = |turn: &BitMap| (turn.apply(before & self.changed) ^ to) & changed == 0;
            let own = self.own.as_ref().filter(|_| moves == Moves::Own);
            (before ^ to) & known == 0 && own.is_none_or(|own| own.iter().any(turned))
        };
        from.fixed().iter().any(|&from| to.fixed().iter().any(|&to| fits(from, to)))
    }

    /// Whether the common moves are worth a sheet of their own, which is made once for all parts of the parent: rows
    /// of a slice have the same in all that the moves change, and have nothing else in the pins.
    pub fn has_common(&self, parent: &Part, child: &Part) -> bool {
        let is_cut = !parent.is_whole() && !child.is_whole();
        is_cut && self.own.is_some() && self.changed == child.pins()
    }
}

/// For the audit: all moves of a tier's rows that lead to one tier, by the plain rules. They are told for bundles of
/// rows that differ in some bits of their numbers alone. Moves of a row that leave the same position may be one.
pub struct RowLink<'a> {
    /// First key of the tier they lead to.
    pub base: u64,
    /// The bits in which rows of a bundle differ.
    pub free: u32,
    /// By what a row has in these bits, as a number ([`crate::space::squeezed`]): to which of the bundle's children
    /// moves lead that not all of its rows have.
    pub own: Vec<Vec<u8>>,
    /// Replaces the children of a bundle by those of a row, which has none of the free bits.
    pub children: OfBundle<'a>,
    /// Replaces what all rows of a bundle have, whose children have been made.
    pub shared: OfBundle<'a>,
}

impl RowLink<'_> {
    /// Replaces a bundle by that of a row, which has none of the free bits.
    pub fn bundle(&self, row: u32, bundle: &mut Bundle) {
        (self.children)(row, bundle);
        (self.shared)(row, bundle);
    }
}

/// Moves of a bundle of rows.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// Rows of the tier that moves may lead to.
    pub children: Vec<u32>,
    /// To which of them moves lead that all rows of the bundle have.
    pub shared: Vec<u8>,
}

/// Makes something of the bundle of a row.
pub type OfBundle<'a> = Box<dyn Fn(u32, &mut Bundle) + Sync + 'a>;

/// What every move to a row does to its lane.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// What is added to the lane.
    pub added: u8,
    /// Table bytes, for the side to move there, of lanes that are over, by [`Tiered::lane_ends`] less one.
    pub ends: [u8; 3],
}

/// Tells what moves to a row of a tier do, by the row's number.
pub type ArrivalAtRow<'a> = Box<dyn Fn(u32) -> Arrival + Sync + 'a>;

/// Node type of a game.
pub type NodeOf<G> = Node<<G as Tiered>::Tier, <G as Tiered>::Step>;

/// A game with dense tiers.
///
/// Value sheets inside a run hold **absolute** bytes, which need no change from ply to ply: the larger, the
/// better for Black; 0 and 255 are never values of a position. What a lane means, and which lanes are over, is
/// known to the game alone. Sheets of tiers are **lifted** once finished: the lane of a row then holds the value
/// of moving there with the lane's state before the move.
pub trait Tiered: Game {
    type Tier: Copy + Send + Sync + std::fmt::Debug;
    type Step: Copy + Send + Sync + std::fmt::Debug;

    /// All tiers a game can pass through, sorted by ply, then base; the start is in the first. Mirror images
    /// share a tier.
    fn tier_graph(&self) -> Vec<NodeOf<Self>>;

    /// Rows of the largest tier, without building the graph; `None` if they exceed 32 bits.
    fn largest_tier(&self) -> Option<u64>;

    /// The pins of a tier's rows: bits of squares that the symmetries of the board take to each other.
    fn pins(&self, node: &NodeOf<Self>) -> u32;

    /// The symmetries of a tier itself, the identity left out, as maps of its rows.
    fn images(&self, node: &NodeOf<Self>) -> Vec<BitMap>;

    fn crossing(&self, edge: Edge<Self>) -> Crossing;

    /// Adds to lanes of the child what the moves reach from lanes of the parent. [`Moves::Common`] adds to the sheet of
    /// [`Part::unpinned`] what [`Tiered::reach_common`] takes from it.
    fn reach(&self, edge: Edge<Self>, moves: Moves, from: Sheet<Lanes>, into: SheetMut<Lanes>);

    /// Adds what the common moves reach.
    fn reach_common(&self, edge: Edge<Self>, common: &[Lanes], into: SheetMut<Lanes>);

    /// Ends the enumeration of a part: moves lanes on by what lies on the row's board, drops lanes that are over.
    fn close(&self, node: &NodeOf<Self>, into: SheetMut<Lanes>);

    /// Improves rows of the parent by the moves into the child's lifted sheet `from`. [`Moves::Common`] improves the
    /// sheet of [`Part::unpinned`], for [`Tiered::improve_common`].
    fn improve(&self, edge: Edge<Self>, moves: Moves, from: Sheet<Row>, into: SheetMut<Row>);

    /// Improves rows of the parent by what the common moves have made.
    fn improve_common(&self, edge: Edge<Self>, common: &[Row], into: SheetMut<Row>);

    /// Adds to the sheet `counts` of the parent what `from`, the sheet of the child, has for each of the moves: legal
    /// moves one by one, also where several leave the same position.
    fn count(&self, edge: Edge<Self>, from: Sheet<Row>, counts: SheetMut<Row>);

    /// Adds the number of legal moves of each row to the sheet `counts` of the parent.
    fn count_moves(&self, edge: Edge<Self>, counts: SheetMut<u8>);

    /// A byte worse than any value for the side to move at this ply.
    fn worst(&self, ply: u32) -> u8;

    /// Gives positions that found no move (still [`Tiered::worst`]) their value at the end of the game.
    fn end_rows(&self, node: &NodeOf<Self>, into: SheetMut<Row>);

    /// Lifts a finished sheet.
    fn lift(&self, node: &NodeOf<Self>, into: SheetMut<Row>);

    /// From absolute bytes to table bytes (`Value::to_byte`) at a ply; bytes that are no value go to 0.
    fn table_bytes(&self, ply: u32) -> [u8; 256];

    /// For the audit: all legal moves of a tier's rows, by the plain rules.
    fn row_links(&self, node: &NodeOf<Self>) -> Vec<RowLink<'_>>;

    /// For the audit: what moves to a tier's rows do, by the plain rules.
    fn arrivals(&self, node: &NodeOf<Self>) -> ArrivalAtRow<'_>;

    /// For the audit: 0 for lanes that are open, else which of [`Arrival::ends`], counted from 1, is the value of the
    /// lane.
    fn lane_ends(&self) -> [u8; 64];

    /// For the audit: the value of a row without moves.
    fn row_end(&self, node: &NodeOf<Self>, row: u32) -> Self::Value;
}

/// The smallest row among those that symmetries make equal to `row`.
#[inline]
pub fn first_image(images: &[BitMap], row: u32) -> u32 {
    images.iter().map(|image| image.apply(row)).fold(row, u32::min)
}
