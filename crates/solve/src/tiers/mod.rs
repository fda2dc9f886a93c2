//! Solves acyclic games whose positions fall into dense tiers, a tier at a time.
//!
//! A tier has rows of 64 lanes each; a lane of a row is one position. Every move leads one ply on, into another tier.
//! Tiers are enumerated forward, which finds the lanes of each row that can arise, and solved backward. The driver in
//! this module manages the order, memory, checkpoints and files. The game computes the sheet of a tier from the sheets
//! of its neighbours ([`Tiered`]).
//!
//! A sheet is an array with an element for each row of a tier. If whole tiers are too large, a sheet has only the rows
//! of a part of a tier ([`Part`]). The game implements steps over sheets. A step reads a sheet of one tier, writes a
//! sheet of a neighbouring tier, and depends on nothing else. So parts can be made in any order, by threads or by
//! machines. A sheet of an enumeration has one word ([`Lanes`]) per row, with bit `i` for lane `i`. A sheet of values
//! has 64 bytes ([`Row`]) per row, with byte `i` for lane `i`.
//!
//! 1. Enumeration begins with zeros. The driver calls [`Tiered::reach`] for each link from the tiers of the ply before,
//!    adds images under the tier's own symmetries, and calls [`Tiered::close`].
//! 2. Solving begins with [`Tiered::worst`] in all lanes. The driver calls [`Tiered::improve`] for each link to the
//!    tiers of the next ply, and [`Tiered::end_rows`]. The sheet is then complete, and [`Tiered::lift`] prepares it for
//!    the steps to the ply before.

#[cfg(feature = "write")]
pub(crate) mod enumerate;
mod memory;
mod move_counts;
mod part;
#[cfg(feature = "write")]
mod run;
#[cfg(feature = "write")]
pub(crate) mod solve;

pub use memory::{ROOM, memory_for};
pub use move_counts::TierCounts;
pub use part::{Cut, Part, Slice, SliceImage};
#[cfg(feature = "write")]
pub use run::analyze;
pub use yomikiri_table::blocks::Lanes;

use crate::cache::Cache;
use crate::space::BitMap;
use yomikiri_rules::{CodedValue, Notation};
use yomikiri_table::memory::Zeros;
use zerocopy::{FromBytes, IntoBytes};

/// The value bytes of a row, one per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes)]
#[repr(C, align(64))]
pub struct Row(pub [u8; 64]);

impl Row {
    /// Creates a row with this byte in all lanes.
    pub fn filled(byte: u8) -> Row {
        Row([byte; 64])
    }

    /// Replaces the byte of each lane by that of `other` if the latter is larger.
    #[inline(always)]
    pub fn raise(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
    }

    /// Replaces the byte of each lane by that of `other` if the latter is smaller.
    #[inline(always)]
    pub fn lower(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine = (*mine).min(*theirs));
    }

    /// Adds the byte of `other` to the byte of each lane. Each sum must fit in a byte.
    #[inline(always)]
    pub fn add(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine = mine.wrapping_add(*theirs));
    }
}

/// A cache with a sheet for each tier or part. A sheet has, for each row, the set of lanes that have a position.
pub(crate) type LaneSheets = Cache<Zeros<Lanes>>;

/// A cache with a sheet for each tier or part. A sheet has, for each row, a byte for each lane.
pub(crate) type RowSheets = Cache<Zeros<Row>>;

/// A tier and the links out of it, which are groups of moves.
#[derive(Clone, Debug)]
pub struct Node<T, S> {
    /// The tier.
    pub tier: T,
    /// The key of row 0, lane 0. Row `r`, lane `l` has key `base + (r << 6 | l)`.
    pub base: u64,
    /// The ply of all its positions.
    pub ply: u32,
    /// The number of rows; a power of two.
    pub rows: usize,
    /// The links to tiers of the next ply.
    pub links: Vec<Link<S>>,
}

/// A group of moves from one tier to another, which the solver makes together.
#[derive(Clone, Copy, Debug)]
pub struct Link<S> {
    /// The index of the tier that the moves lead to.
    pub child: usize,
    /// The moves, as the game describes them.
    pub step: S,
}

/// A part with its tier.
pub struct NodePart<'a, G: Tiered> {
    /// The tier.
    pub node: &'a NodeOf<G>,
    /// The part of the tier.
    pub part: &'a Part,
}

/// A group of moves from one tier to another, with both tiers.
pub struct Edge<'a, G: Tiered> {
    /// The tier in which the moves are made.
    pub parent: &'a NodeOf<G>,
    /// The tier that the moves lead to.
    pub child: &'a NodeOf<G>,
    /// The moves of the link, as the game describes them.
    pub step: G::Step,
}

/// The contents of the rows of a part, such as the values of their positions.
#[derive(Clone, Copy)]
pub struct Sheet<'a, T> {
    /// The part, which maps each index to a row.
    pub part: &'a Part,
    /// The content of each row, by the index of the row in the part.
    pub rows: &'a [T],
}

/// The contents of the rows of a part, which a step writes.
pub struct SheetMut<'a, T> {
    /// The part, which maps each index to a row.
    pub part: &'a Part,
    /// The content of each row, by the index of the row in the part.
    pub rows: &'a mut [T],
}

/// A choice among the moves of an edge, which leads from one tier to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// All moves.
    All,
    /// Moves whose result does not depend on the row bits that they change. They are the same for all rows that differ
    /// only in these bits.
    Common,
    /// All other moves.
    Own,
}

/// A description of the rows that the moves of an edge, from one tier to another, lead to.
pub struct Crossing {
    /// Maps a row of the parent to the row of the child with the same stones or their mirror image, before the moves
    /// change any stones.
    pub map: BitMap,
    /// The bits of the child's rows that the moves may change.
    pub changed: u32,
    /// The changes that moves of [`Moves::Own`] make, as maps of the bits `changed`: each move applies one of them.
    /// `None` if these moves cannot be told apart from common moves.
    pub own: Option<Vec<BitMap>>,
}

impl Crossing {
    /// Returns true if `moves` may lead from the part `from` of the parent to the part `to` of the child.
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

    /// Returns true if it pays to make the common moves only once for all parts of the parent. This is the case if both
    /// tiers are cut, own moves can be told apart from common moves, and the moves change exactly the child's pins
    /// ([`Part::pins`]): the row bits at which it is cut.
    pub fn has_common(&self, parent: &Part, child: &Part) -> bool {
        let is_cut = !parent.is_whole() && !child.is_whole();
        is_cut && self.own.is_some() && self.changed == child.pins()
    }
}

/// For the audit: moves from a tier's rows to one other tier, by the plain rules. Several links can lead to the same
/// tier. The moves of a link are grouped by bundles of rows. The rows of a bundle differ only in the bits `free`. Moves
/// of a row that lead to the same position may count as one.
pub struct RowLink<'a> {
    /// The first key of the tier that the moves lead to.
    pub base: u64,
    /// The bits in which the rows of a bundle differ.
    pub free: u32,
    /// For each value of a row's free bits ([`crate::space::extract_bits`]): the children that this row has moves to,
    /// but that not all rows of its bundle have moves to. They are indices into [`Bundle::children`].
    pub own: Vec<Vec<u8>>,
    /// A function that sets [`Bundle::children`] of a bundle. It takes the row of the bundle whose free bits are 0.
    pub children: OfBundle<'a>,
    /// A function that takes the same row as `children` does, and sets [`Bundle::shared`]. It is called after
    /// `children`.
    pub shared: OfBundle<'a>,
}

impl RowLink<'_> {
    /// Sets `bundle` to the bundle that contains `row`. The free bits of `row` must be 0.
    pub fn bundle(&self, row: u32, bundle: &mut Bundle) {
        (self.children)(row, bundle);
        (self.shared)(row, bundle);
    }
}

/// The moves of a bundle of rows.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// The rows of the child tier that moves of the bundle may lead to.
    pub children: Vec<u32>,
    /// The children that all rows of the bundle have moves to, as indices into `children`.
    pub shared: Vec<u8>,
}

/// A function that takes a row and sets a field of the row's bundle.
pub type OfBundle<'a> = Box<dyn Fn(u32, &mut Bundle) + Sync + 'a>;

/// The effect of moves to a row: the change from a position's lane before the move to the lane after it, and the values
/// of games that end there. The effect is the same for all moves to that row.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The bits that a move to the row sets in the index of the lane.
    pub added: u8,
    /// Table bytes of the lanes in which a move to this row ends the game, for the side that would move next. The index
    /// is the number from [`Tiered::lane_ends`], minus 1.
    pub ends: [u8; 3],
}

/// A function that takes a row of a tier and returns the effect of moves to this row.
pub type ArrivalAtRow<'a> = Box<dyn Fn(u32) -> Arrival + Sync + 'a>;

/// The type of the nodes of a game's tier graph.
pub type NodeOf<G> = Node<<G as Tiered>::Tier, <G as Tiered>::Step>;

/// A game with dense tiers.
///
/// During a run, sheets of values hold **absolute** bytes, which mean the same at every ply: a larger byte is better
/// for Black. 0 and 255 are never values of a position. Only the game knows what a lane means, and in which lanes the
/// game is over. The sheet of a finished tier is **lifted**: lane `l` of a row then holds the value of a move to this
/// row from a position in lane `l`. The move itself may change the lane ([`Arrival`]).
///
/// The tier graph says where each tier's keys are and which tiers its moves lead to:
///
/// ```
/// use yomikiri_rules::Game;
/// use yomikiri_rules::games::binarsi::Binarsi;
/// use yomikiri_solve::tiers::Tiered;
///
/// let game = Binarsi::parse("bin2x2")?;
/// let graph = game.tier_graph();
/// let keys = |node: usize| graph[node].base..graph[node].base + 64 * graph[node].rows as u64;
/// assert!(keys(0).contains(&game.rank(&game.start())));
/// assert_eq!(game.largest_tier(), graph.iter().map(|node| node.rows as u64).max());
/// let link = graph[0].links.first().expect("the start has moves");
/// assert_eq!(graph[link.child].ply, graph[0].ply + 1);
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
///
/// The moves of a link work on sheets. Here, the bits of the lanes of the first tier lead to lanes of a child:
///
/// ```
/// use yomikiri_rules::Game;
/// use yomikiri_rules::games::binarsi::Binarsi;
/// use yomikiri_solve::tiers::{Edge, Moves, Part, Sheet, SheetMut, Tiered};
///
/// let game = Binarsi::parse("bin2x2")?;
/// let graph = game.tier_graph();
/// let link = graph[0].links.first().expect("the start has moves");
/// let (parent, child) = (&graph[0], &graph[link.child]);
/// let parts = [parent, child].map(|node| Part::whole(node.rows));
/// let start = (game.rank(&game.start()) - parent.base) as usize;
/// let (mut from, mut into) = (vec![0; parent.rows], vec![0; child.rows]);
/// from[start / 64] = 1 << (start % 64);
/// let edge = Edge { parent, child, step: link.step };
/// let (from, sheet) = (Sheet { part: &parts[0], rows: &from }, SheetMut { part: &parts[1], rows: &mut into });
/// game.reach(edge, Moves::All, from, sheet);
/// game.close(child, SheetMut { part: &parts[1], rows: &mut into });
/// assert!(into.iter().any(|&lanes| lanes != 0));
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
pub trait Tiered: Notation<Value: CodedValue> {
    /// The description of a tier.
    type Tier: Copy + Send + Sync + std::fmt::Debug;
    /// The description of the moves of a link.
    type Step: Copy + Send + Sync + std::fmt::Debug;

    /// Returns all tiers that can arise in a game, sorted by ply, then by base key. The start is in the first tier.
    /// Mirror images share a tier.
    fn tier_graph(&self) -> Vec<NodeOf<Self>>;

    /// Returns the number of rows of the largest tier, without building the graph. Returns `None` if the rows of that
    /// tier do not fit the 30 bits of a [`BitMap`].
    fn largest_tier(&self) -> Option<u64>;

    /// Returns the row bits, called pins, whose values can divide the tier into parts ([`Part`]). They are bits of
    /// squares that the symmetries of the board map to each other.
    fn pins(&self, node: &NodeOf<Self>) -> u32;

    /// Returns the symmetries of a tier itself, except the identity, as maps of its rows.
    fn images(&self, node: &NodeOf<Self>) -> Vec<BitMap>;

    /// Describes the rows that the moves of an edge lead to. The driver uses this to choose the parts that the edge
    /// connects.
    fn crossing(&self, edge: Edge<Self>) -> Crossing;

    /// Makes the moves from the parent's lanes in `from`, and sets the bits of the child's lanes that they lead to in
    /// `into`. With [`Moves::Common`], `into` is a sheet of [`Part::unpinned`], for [`Tiered::reach_common`].
    fn reach(&self, edge: Edge<Self>, moves: Moves, from: Sheet<Lanes>, into: SheetMut<Lanes>);

    /// Adds to `into` the lanes that the common moves lead to. `common` has these lanes, as [`Tiered::reach`] found
    /// them with [`Moves::Common`].
    fn reach_common(&self, edge: Edge<Self>, common: &[Lanes], into: SheetMut<Lanes>);

    /// Ends the enumeration of a part. Moves each position to the lane that the row's board implies: in Binarsi, this
    /// adds the targets that the stones clear to the set of the lane. Then drops lanes in which the game is over.
    fn close(&self, node: &NodeOf<Self>, into: SheetMut<Lanes>);

    /// Improves the values of the parent's rows in `into` by moves to the child. `from` is the child's lifted sheet
    /// ([`Tiered::lift`]). With [`Moves::Common`], `into` is a sheet of [`Part::unpinned`], for
    /// [`Tiered::improve_common`].
    fn improve(&self, edge: Edge<Self>, moves: Moves, from: Sheet<Row>, into: SheetMut<Row>);

    /// Improves the values of the parent's rows in `into` by the common moves. `common` has the values that these moves
    /// give, as [`Tiered::improve`] found them with [`Moves::Common`].
    fn improve_common(&self, edge: Edge<Self>, common: &[Row], into: SheetMut<Row>);

    /// Adds, for each legal move of the edge, the byte of the child in `from` to the byte of the parent in `counts`.
    /// Moves that lead to the same position count separately.
    fn count(&self, edge: Edge<Self>, from: Sheet<Row>, counts: SheetMut<Row>);

    /// Adds, for each row of the parent, the number of its legal moves on the edge to `counts`.
    fn count_moves(&self, edge: Edge<Self>, counts: SheetMut<u8>);

    /// Returns a byte that is worse than any value for the side to move at this ply.
    fn worst(&self, ply: u32) -> u8;

    /// Sets the byte of each position without moves, which is still [`Tiered::worst`], to the value of the end of the
    /// game.
    fn end_rows(&self, node: &NodeOf<Self>, into: SheetMut<Row>);

    /// Lifts a finished sheet: lane `l` of a row then holds the value of a move to this row from a position in lane
    /// `l`.
    fn lift(&self, node: &NodeOf<Self>, into: SheetMut<Row>);

    /// Returns the table byte at this ply for each absolute byte (a value that is larger if it is better for Black).
    /// Bytes that are no value map to 0.
    fn table_bytes(&self, ply: u32) -> [u8; 256];

    /// For the audit: returns all legal moves of a tier's rows, by the plain rules.
    fn row_links(&self, node: &NodeOf<Self>) -> Vec<RowLink<'_>>;

    /// For the audit: returns the effect ([`Arrival`]) of moves to a tier's rows, by the plain rules.
    fn arrivals(&self, node: &NodeOf<Self>) -> ArrivalAtRow<'_>;

    /// For the audit: returns a number for each lane, 0 if the game goes on, else 1 plus the index of the lane's value
    /// in [`Arrival::ends`].
    fn lane_ends(&self) -> [u8; 64];

    /// For the audit: returns the value of a row without moves.
    fn row_end(&self, node: &NodeOf<Self>, row: u32) -> Self::Value;
}

/// Returns the smallest row among `row` and its images under symmetries.
#[inline]
pub fn first_image(images: &[BitMap], row: u32) -> u32 {
    images.iter().map(|image| image.apply(row)).fold(row, u32::min)
}
