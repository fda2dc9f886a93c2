//! The moves of some of a tier's rows to one other tier (a link), bundle by bundle. A bundle has rows that differ only
//! in some bits. These rows share children, which are looked up once for the whole bundle.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::marks::Marks;
use crate::space::{Tile, TilePlace, Tiling, deposit_bits, extract_bits};
use crate::tiers::{Bundle, Cut, Part, Row, RowLink};

use yomikiri_table::blocks::Lanes;
use yomikiri_table::memory::Zeros;
use yomikiri_table::memory::prefetch;

/// The base-2 logarithm of the minimum number of rows in a tile. A tile ([`Tiling`]) is a piece of a slice of a tier
/// that fits into the processor's caches.
const TILE: u32 = 11;

/// The number of bundles whose children are prefetched before the moves of the first bundle are made.
const WAITING: usize = 4;

/// A choice among the moves of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MoveChoice {
    /// All moves.
    All,
    /// The moves that only some rows of a bundle have.
    Own,
    /// The moves that all rows of a bundle have.
    Shared,
}

impl MoveChoice {
    fn shared(self) -> bool {
        self != MoveChoice::Own
    }

    fn own(self) -> bool {
        self != MoveChoice::Shared
    }
}

/// A part (some of the rows) of the tier that moves lead to, in memory.
pub struct PartInMemory<'s> {
    pub part: &'s Part,
    /// The grades of moves ([`crate::audit::ValueGrades::of_move`]), by the row that a move leads to, then by the lane
    /// before the move. 0 if the table lacks the position after the move.
    pub grades: Arc<Zeros<Row>>,
    pub marks: Marks,
}

/// The tier that moves lead to.
pub struct ChildTier<'s> {
    rows: usize,
    cut: &'s Cut,
    /// The parts of the tier that are in memory.
    held: Vec<PartInMemory<'s>>,
    /// For each part of the tier: its index in `held`, or [`ChildTier::NOT_HELD`].
    places: Vec<u32>,
    /// For each part of the tier: true if a move is known to lead to it. [`ChildTier::mark`] sets this for parts that
    /// are not in memory.
    is_reached: &'s [AtomicBool],
}

impl<'s> ChildTier<'s> {
    const NOT_HELD: u32 = u32::MAX;

    /// Creates a child tier of `rows` rows, with some of its parts in memory. Each element of `held` has a part and,
    /// before it, the index of the part in the tier.
    pub fn new(
        rows: usize,
        cut: &'s Cut,
        held: Vec<(usize, PartInMemory<'s>)>,
        is_reached: &'s [AtomicBool],
    ) -> ChildTier<'s> {
        let mut places = vec![Self::NOT_HELD; cut.parts.len()];
        held.iter().zip(0..).for_each(|((number, _), place)| places[*number] = place);
        let held = held.into_iter().map(|(_, held)| held).collect();
        ChildTier { rows, cut, held, places, is_reached }
    }

    /// Returns the marks (positions that moves have reached) of the parts in memory, in the order in which
    /// [`ChildTier::new`] received the parts.
    pub fn into_marks(self) -> impl Iterator<Item = Marks> {
        self.held.into_iter().map(|held| held.marks)
    }

    /// Finds the part that has a row of the tier, and the index of the row in that part.
    #[inline]
    fn find(&self, row: u32) -> ChildPlace {
        let number = self.cut.part_of(row);
        let held = self.places[number];
        let at = self.held.get(held as usize).and_then(|held| held.part.index(row));
        at.map_or(ChildPlace { held: Self::NOT_HELD, at: number as u32 }, |at| ChildPlace { held, at: at as u32 })
    }

    /// Prefetches the grades and marks of a row.
    #[inline]
    fn prefetch(&self, ChildPlace { held, at }: ChildPlace) {
        if let Some(held) = self.held.get(held as usize) {
            prefetch(&held.grades[at as usize]);
            prefetch(&held.marks.0[at as usize]);
        }
    }

    /// Returns the grades of moves to a row, by the lane before the move; all 0 if the row is not in memory.
    #[inline]
    fn grades(&self, ChildPlace { held, at }: ChildPlace) -> Row {
        self.held.get(held as usize).map_or(Row::filled(0), |held| held.grades[at as usize])
    }

    /// Marks a row as reached by moves from positions in `lanes`. If the row is not in memory, marks its part as
    /// reached.
    #[inline]
    fn mark(&self, ChildPlace { held, at }: ChildPlace, lanes: Lanes) {
        if let Some(held) = self.held.get(held as usize) {
            let seen = &held.marks.0[at as usize];
            if seen.load(Ordering::Relaxed) & lanes != lanes {
                seen.fetch_or(lanes, Ordering::Relaxed);
            }
        } else {
            let is_reached = &self.is_reached[at as usize];
            if !is_reached.load(Ordering::Relaxed) {
                is_reached.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// The place of a row of the child tier: the part that has the row, and the index of the row in the part.
#[derive(Clone, Copy, Default)]
struct ChildPlace {
    /// The index of the row's part in [`ChildTier::held`], or [`ChildTier::NOT_HELD`].
    held: u32,
    /// The index of the row in its part. If the part is not in memory, the index of the part in the tier.
    at: u32,
}

/// A bundle with the lanes of its rows.
#[derive(Clone, Default)]
struct BundleLanes {
    bundle: Bundle,
    /// For each child of the bundle: its place, which is valid only for children that are looked up.
    found: Vec<ChildPlace>,
    /// The index of the bundle's first row in its slice.
    context: usize,
    /// For each row of the bundle: the lanes that have positions.
    lanes: Vec<Lanes>,
}

/// The buffers of a thread.
struct Scratch {
    waiting: Vec<BundleLanes>,
    grades: Vec<Row>,
    arriving: Vec<Lanes>,
}

impl Scratch {
    fn new() -> Scratch {
        Scratch { waiting: vec![BundleLanes::default(); WAITING], grades: Vec::new(), arriving: Vec::new() }
    }
}

/// A slice of a part, with its rows divided into bundles. The rows of a slice have the same values of certain row bits.
struct BundledSlice<'l> {
    part: &'l Part,
    /// The index of the slice's first row in the part.
    first: usize,
    /// For each row of a bundle: its place relative to the first row of the bundle, and some of its children. These are
    /// the children that not all rows of the bundle have ([`RowLink::own`]).
    rows: Vec<(TilePlace, &'l [u8])>,
    /// The indices of all children in `rows`, without repeats, in ascending order. `None` if all children of a bundle
    /// are looked up.
    own: Option<Vec<u8>>,
}

impl BundledSlice<'_> {
    /// Calls `visit` with the index of each child of a bundle that is looked up.
    #[inline]
    fn each_child(&self, bundle: &Bundle, visit: impl FnMut(usize)) {
        match &self.own {
            Some(own) => own.iter().chain(&bundle.shared).map(|&at| usize::from(at)).for_each(visit),
            None => (0..bundle.children.len()).for_each(visit),
        }
    }
}

/// The rows of a part of a tier, divided into bundles for the moves to one other tier.
pub struct LinkBundles<'l> {
    link: &'l RowLink<'l>,
    wanted: MoveChoice,
    tiling: Tiling,
    /// The place of each bundle's first row in a tile, a piece of a slice. The places are the same in all tiles.
    contexts: Vec<TilePlace>,
    slices: Vec<BundledSlice<'l>>,
    /// The number of bits of an index inside a slice.
    bits: u32,
}

impl<'l> LinkBundles<'l> {
    pub fn new(part: &'l Part, link: &'l RowLink<'l>, wanted: MoveChoice) -> LinkBundles<'l> {
        let ((slices, bits), varying) = (part.slices_of(), part.index_bits(link.free));
        let tiling = Tiling::new(bits, varying, TILE);
        let slice = |number: usize| {
            let first = number << bits;
            let own = |place: &TilePlace| {
                let content = extract_bits(part.row(first | place.index) as usize, link.free as usize);
                if wanted.own() { &link.own[content][..] } else { &[] }
            };
            let rows: Vec<_> = tiling.places(varying).into_iter().map(|place| (place, own(&place))).collect();
            let mut of_any: Vec<u8> = rows.iter().flat_map(|(_, own)| own.iter().copied()).collect();
            of_any.sort_unstable();
            of_any.dedup();
            BundledSlice { part, first, rows, own: (of_any.len() < link.own.len()).then_some(of_any) }
        };
        let slices = (0..slices).map(slice).collect();
        let contexts = tiling.places(tiling.inside() & !varying);
        LinkBundles { link, wanted, tiling, contexts, slices, bits }
    }

    /// Fills `into` with the bundle whose first row has index `context` in the slice. Returns false if no row of the
    /// bundle has positions.
    fn make(&self, slice: &BundledSlice, context: usize, lanes: &[Lanes], into: &mut BundleLanes) -> bool {
        let first = slice.first | context;
        into.context = context;
        into.lanes.clear();
        into.lanes.extend(slice.rows.iter().map(|(place, _)| lanes[first | place.index]));
        let is_any = into.lanes.iter().any(|&lanes| lanes != 0);
        if is_any {
            let row = slice.part.row(first) & !self.link.free;
            (self.link.children)(row, &mut into.bundle);
            into.bundle.shared.clear();
            if self.wanted.shared() {
                (self.link.shared)(row, &mut into.bundle);
            }
        }
        is_any
    }

    /// Finds a bundle that has moves, and returns the rows of the child tier that its moves lead to. Returns an empty
    /// list if no bundle has moves.
    pub fn some_children(&self, lanes: &[Lanes]) -> Vec<u32> {
        let mut made = BundleLanes::default();
        let found = self.slices.iter().find_map(|slice| {
            let varying = slice.rows.iter().fold(0, |bits, (place, _)| bits | place.index);
            let others = ((1 << self.bits) - 1) & !varying;
            (0..1usize << others.count_ones()).find_map(|number| {
                if !self.make(slice, deposit_bits(number, others), lanes, &mut made) {
                    return None;
                }
                let Bundle { children, shared } = &made.bundle;
                let of_rows = slice.rows.iter().zip(&made.lanes).filter(|(_, lanes)| **lanes != 0);
                let own = of_rows.flat_map(|((_, own), _)| own.iter());
                let rows: Vec<u32> = own.chain(shared).map(|&at| children[usize::from(at)]).collect();
                (!rows.is_empty()).then_some(rows)
            })
        });
        found.unwrap_or_default()
    }

    /// Makes the wanted moves into those parts of `child` that are in memory. Raises `best`, the grade of the best move
    /// by row and lane, and marks the children. Moves into other parts only mark these parts as reached. If a bundle
    /// has a child outside the tier, the error is the index of a row of that bundle in the part.
    pub fn take(&self, child: &ChildTier, lanes: &[Lanes], best: &mut [Row]) -> Result<(), usize> {
        for (slice, best) in self.slices.iter().zip(best.chunks_mut(1 << self.bits)) {
            self.tiling.try_each(best, Scratch::new, |scratch, tile| {
                for contexts in self.contexts.chunks(WAITING) {
                    let mut made = [None; WAITING];
                    for ((waiting, made), &context) in scratch.waiting.iter_mut().zip(&mut made).zip(contexts) {
                        if self.make(slice, tile.first | context.index, lanes, waiting) {
                            let children = &waiting.bundle.children;
                            if children.iter().any(|&row| row as usize >= child.rows) {
                                let of_lanes = slice.rows.iter().zip(&waiting.lanes).find(|(_, lanes)| **lanes != 0);
                                let place = of_lanes.map_or(0, |((place, _), _)| place.index);
                                return Err(slice.first | waiting.context | place);
                            }
                            waiting.found.resize(children.len(), ChildPlace::default());
                            slice.each_child(&waiting.bundle, |at| {
                                waiting.found[at] = child.find(children[at]);
                                child.prefetch(waiting.found[at]);
                            });
                            slice.rows.iter().for_each(|&(place, _)| tile.prefetch(context | place));
                            *made = Some(context);
                        }
                    }
                    for (at, context) in made.iter().enumerate() {
                        if let &Some(context) = context {
                            self.look_up(child, slice, (at, context), scratch, tile);
                        }
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Makes the moves of the bundle `scratch.waiting[at]`, whose children have been prefetched. Looks up the grades of
    /// the moves and marks the children. `context` is the place of the bundle's first row in `tile`.
    fn look_up(
        &self,
        child: &ChildTier,
        slice: &BundledSlice,
        (at, context): (usize, TilePlace),
        scratch: &mut Scratch,
        tile: &mut Tile<Row>,
    ) {
        let Scratch { waiting, grades, arriving } = scratch;
        let BundleLanes { bundle, found, lanes, .. } = &waiting[at];
        if grades.len() < found.len() {
            grades.resize(found.len(), Row::filled(0));
        }
        slice.each_child(bundle, |at| grades[at] = child.grades(found[at]));
        arriving.clear();
        arriving.resize(found.len(), 0);
        take_bundle(&slice.rows, &bundle.shared, lanes, (grades, arriving), context, tile);
        for (&found, &lanes) in found.iter().zip(&*arriving) {
            if lanes != 0 {
                child.mark(found, lanes);
            }
        }
    }
}

/// Raises the best grades of a bundle's rows, lane by lane, to the grades of the bundle's moves if these are greater.
/// Adds to `arriving`, for each child, the lanes from which moves lead to it.
#[inline(always)]
fn take_bundle(
    rows: &[(TilePlace, &[u8])],
    shared: &[u8],
    lanes: &[Lanes],
    (grades, arriving): (&[Row], &mut [Lanes]),
    context: TilePlace,
    tile: &mut Tile<Row>,
) {
    let any = lanes.iter().fold(0, |any, lanes| any | lanes);
    let mut of_all = Row::filled(0);
    for &at in shared {
        of_all.raise(&grades[usize::from(at)]);
        arriving[usize::from(at)] |= any;
    }
    for (&(place, own), &lanes) in rows.iter().zip(lanes) {
        if lanes == 0 {
            continue;
        }
        let mut best = of_all;
        for &at in own {
            best.raise(&grades[usize::from(at)]);
            arriving[usize::from(at)] |= lanes;
        }
        tile.cell(context | place).raise(&best);
    }
}
