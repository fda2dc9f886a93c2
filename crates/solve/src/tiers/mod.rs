//! Acyclic games whose positions fall into dense tiers, solved a tier at a time.
//!
//! A tier is a sheet of rows with 64 lanes each; every move leads one ply on, into another tier. Tiers are
//! enumerated forward (which lanes of each row can arise) and valued backward. The driver here knows the order,
//! memory, checkpoints and files; how a sheet follows from its neighbours is the game's business ([`Tiered`]).
//!
//! The game's part are steps over slices of sheets. A slice is a run of rows, a power of two of them beginning at a
//! multiple of it; the whole sheet is one. Steps read the whole sheets of other tiers, write the slice, and depend on
//! nothing else, so that slices can be made in any order, by threads or by machines; the driver here makes one slice of
//! each tier. A slice of an enumeration has one word ([`Lanes`]) a row, bit `i` for lane `i`; a slice of values has 64
//! bytes ([`Row`]) a row, byte `i` for lane `i`.
//! 1. Enumeration: zeros, [`Tiered::reach`] for each link from the tiers of the ply before,
//!    [`Tiered::add_images`] once all slices have come so far, [`Tiered::close`].
//! 2. Values: [`Tiered::worst`], [`Tiered::improve`] for each link to the tiers of the next ply, [`Tiered::end_rows`];
//!    the slice is whole then, and [`Tiered::lift`] readies it for the ply before.

#[cfg(feature = "write")]
pub(crate) mod enumerate;
mod move_counts;
mod run;
#[cfg(feature = "write")]
pub(crate) mod solve;

pub use move_counts::TierCounts;
#[cfg(feature = "write")]
pub use run::analyze;
pub use run::needs;
pub use yomikiri_table::blocks::Lanes;

use yomikiri_rules::Game;

/// One value byte per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
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

/// Replaces what is in a list by moves of a row, by the row's number in its tier: the keys of the positions they lead
/// to, with lane 0.
pub type MovesOfRow<'a> = Box<dyn Fn(u32, &mut Vec<u64>) + Sync + 'a>;

/// For the audit: moves of a tier's rows that lead to one tier, by the plain rules. Moves of a row that leave the same
/// position may be one.
pub struct RowLink<'a> {
    /// First key of the tier they lead to.
    pub base: u64,
    /// Moves that rows have in common which differ in nothing but some bits of their numbers.
    pub shared: Option<SharedMoves<'a>>,
    /// The other moves of a row.
    pub own: MovesOfRow<'a>,
}

/// Moves that look at a part of a row only.
pub struct SharedMoves<'a> {
    /// The bits of a row's number that they do not look at.
    pub free: u32,
    /// Those of a row; it has none of the free bits.
    pub of: MovesOfRow<'a>,
}

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

    /// Adds to the slice `lanes` of the child, which begins at row `first`, what the moves reach from the parent's
    /// sheet `from`.
    fn reach(&self, edge: Edge<Self>, from: &[Lanes], first: u32, lanes: &mut [Lanes]);

    /// Whether a tier has symmetries of its own.
    fn has_images(&self, node: &NodeOf<Self>) -> bool;

    /// Adds to the slice that begins at row `first` the images, under the tier's own symmetries, of what the links have
    /// reached in the sheet `reached`.
    fn add_images(&self, node: &NodeOf<Self>, reached: &[Lanes], first: u32, lanes: &mut [Lanes]);

    /// Ends the enumeration of a slice: moves lanes on by what lies on the row's board, drops lanes that are over.
    fn close(&self, node: &NodeOf<Self>, first: u32, lanes: &mut [Lanes]);

    /// The smallest row among those that the tier's own symmetries make equal to `row`.
    fn first_image(&self, node: &NodeOf<Self>) -> Box<dyn Fn(u32) -> u32 + Sync + '_>;

    /// Improves the slice `rows` of the parent, which begins at row `first`, by the moves into the child's lifted sheet
    /// `from`.
    fn improve(&self, edge: Edge<Self>, from: &[Row], first: u32, rows: &mut [Row]);

    /// Adds to the slice `counts` of the parent, which begins at row `first`, what `from`, a sheet of the child, has
    /// for each of the moves: legal moves one by one, also where several leave the same position.
    fn count(&self, edge: Edge<Self>, from: &[Row], first: u32, counts: &mut [Row]);

    /// Adds the number of legal moves of each row to the slice `counts`, which begins at row `first`.
    fn count_moves(&self, edge: Edge<Self>, first: u32, counts: &mut [u8]);

    /// A byte worse than any value for the side to move at this ply.
    fn worst(&self, ply: u32) -> u8;

    /// Gives positions that found no move (still [`Tiered::worst`]) their value at the end of the game.
    fn end_rows(&self, node: &NodeOf<Self>, first: u32, rows: &mut [Row]);

    /// Lifts a finished slice.
    fn lift(&self, node: &NodeOf<Self>, first: u32, rows: &mut [Row]);

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
