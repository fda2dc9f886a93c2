//! The moves of a part's rows on one link, bundle by bundle: rows that differ in some bits alone have the same
//! children, which are looked up once for all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::marks::Marks;
use crate::memory::Zeros;
use crate::space::{Place, Tile, Tiling, prefetch, spread, squeezed};
use crate::tiers::{Bundle, Cut, Part, Row, RowLink};
use yomikiri_table::blocks::Lanes;

/// Rows of a tile, as a power of two.
const TILE: u32 = 11;

/// Bundles whose children are asked for before those of the first are looked at.
const WAITING: usize = 4;

/// Which moves of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    All,
    /// Those that not all rows of a bundle have.
    Own,
    /// Those that all have.
    Shared,
}

impl Wanted {
    fn shared(self) -> bool {
        self != Wanted::Own
    }

    fn own(self) -> bool {
        self != Wanted::Shared
    }
}

/// A part that is in memory.
pub struct Held<'s> {
    pub part: &'s Part,
    /// By row and the lane before the move: its rank, as [`crate::audit::ValueRanks::of_move`]; 0 where there is no
    /// position.
    pub ranks: Arc<Zeros<Row>>,
    pub marks: Marks,
}

/// The tier that moves lead to.
pub struct Child<'s> {
    rows: usize,
    cut: &'s Cut,
    /// The parts in memory.
    held: Vec<Held<'s>>,
    /// By part, which of these it is; [`Child::NOT_HELD`] if none.
    places: Vec<u32>,
    /// By part, whether moves have led there.
    is_reached: &'s [AtomicBool],
}

impl<'s> Child<'s> {
    const NOT_HELD: u32 = u32::MAX;

    /// A tier of so many rows, with some of its parts.
    pub fn new(rows: usize, cut: &'s Cut, held: Vec<(usize, Held<'s>)>, is_reached: &'s [AtomicBool]) -> Child<'s> {
        let mut places = vec![Self::NOT_HELD; cut.parts.len()];
        held.iter().zip(0..).for_each(|((number, _), place)| places[*number] = place);
        let held = held.into_iter().map(|(_, held)| held).collect();
        Child { rows, cut, held, places, is_reached }
    }

    /// The marks of the parts, in the order in which these were given.
    pub fn into_marks(self) -> impl Iterator<Item = Marks> {
        self.held.into_iter().map(|held| held.marks)
    }

    /// Where a row of the tier lies.
    #[inline]
    fn find(&self, row: u32) -> Found {
        let number = self.cut.part_of(row);
        let held = self.places[number];
        let at = self.held.get(held as usize).and_then(|held| held.part.index(row));
        at.map_or(Found { held: Self::NOT_HELD, at: number as u32 }, |at| Found { held, at: at as u32 })
    }

    /// Asks for all that is known of a row.
    #[inline]
    fn prefetch(&self, Found { held, at }: Found) {
        if let Some(held) = self.held.get(held as usize) {
            prefetch(&held.ranks[at as usize]);
            prefetch(&held.marks.0[at as usize]);
        }
    }

    /// The ranks of a row; those of no position if it is not in memory.
    #[inline]
    fn ranks(&self, Found { held, at }: Found) -> Row {
        self.held.get(held as usize).map_or(Row::filled(0), |held| held.ranks[at as usize])
    }

    /// Marks lanes from which moves lead to a row; of one that is not in memory, that they lead to its part.
    #[inline]
    fn mark(&self, Found { held, at }: Found, lanes: Lanes) {
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

/// Where a row of a child lies.
#[derive(Clone, Copy, Default)]
struct Found {
    /// Which of the parts in memory it is in; [`Child::NOT_HELD`] if in none.
    held: u32,
    /// Its index there; if it is in none, the number of its part.
    at: u32,
}

/// A bundle with the lanes of its rows.
#[derive(Clone, Default)]
struct Made {
    bundle: Bundle,
    /// By child, where it lies, of those that are to be looked up.
    found: Vec<Found>,
    context: usize,
    lanes: Vec<Lanes>,
}

/// What a thread works with.
struct Scratch {
    waiting: Vec<Made>,
    ranks: Vec<Row>,
    arriving: Vec<Lanes>,
}

impl Scratch {
    fn new() -> Scratch {
        Scratch { waiting: vec![Made::default(); WAITING], ranks: Vec::new(), arriving: Vec::new() }
    }
}

/// The rows of a slice of a part, in bundles.
struct Slice<'l> {
    part: &'l Part,
    /// The index of its first row.
    first: usize,
    /// By row of a bundle: where it lies, and its own moves.
    rows: Vec<(Place, &'l [u8])>,
    /// To which of a bundle's children moves of these rows alone lead, unless that is to all.
    own: Option<Vec<u8>>,
}

impl Slice<'_> {
    /// Calls `visit` with the children of a bundle that are to be looked up.
    #[inline]
    fn each_child(&self, bundle: &Bundle, visit: impl FnMut(usize)) {
        match &self.own {
            Some(own) => own.iter().chain(&bundle.shared).map(|&at| usize::from(at)).for_each(visit),
            None => (0..bundle.children.len()).for_each(visit),
        }
    }
}

/// The bundles of a part on a link.
pub struct Bundles<'l> {
    link: &'l RowLink<'l>,
    wanted: Wanted,
    tiling: Tiling,
    /// Where the first rows of the bundles of a tile lie.
    contexts: Vec<Place>,
    slices: Vec<Slice<'l>>,
    /// Bits of an index inside a slice.
    bits: u32,
}

impl<'l> Bundles<'l> {
    pub fn new(part: &'l Part, link: &'l RowLink<'l>, wanted: Wanted) -> Bundles<'l> {
        let ((slices, bits), varying) = (part.slices_of(), part.index_bits(link.free));
        let tiling = Tiling::new(bits, varying, TILE);
        let slice = |number: usize| {
            let first = number << bits;
            let own = |place: &Place| {
                let content = squeezed(part.row(first | place.index) as usize, link.free as usize);
                if wanted.own() { &link.own[content][..] } else { &[] }
            };
            let rows: Vec<_> = tiling.places(varying).into_iter().map(|place| (place, own(&place))).collect();
            let mut of_any: Vec<u8> = rows.iter().flat_map(|(_, own)| own.iter().copied()).collect();
            of_any.sort_unstable();
            of_any.dedup();
            Slice { part, first, rows, own: (of_any.len() < link.own.len()).then_some(of_any) }
        };
        let slices = (0..slices).map(slice).collect();
        let contexts = tiling.places(tiling.inside() & !varying);
        Bundles { link, wanted, tiling, contexts, slices, bits }
    }

    /// Makes a bundle; false if none of its rows has any lanes.
    fn make(&self, slice: &Slice, context: usize, lanes: &[Lanes], into: &mut Made) -> bool {
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

    /// The rows to which moves of one bundle lead; none if there are no moves.
    pub fn some_children(&self, lanes: &[Lanes]) -> Vec<u32> {
        let mut made = Made::default();
        let found = self.slices.iter().find_map(|slice| {
            let varying = slice.rows.iter().fold(0, |bits, (place, _)| bits | place.index);
            let others = ((1 << self.bits) - 1) & !varying;
            (0..1usize << others.count_ones()).find_map(|number| {
                if !self.make(slice, spread(number, others), lanes, &mut made) {
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

    /// Makes all moves into the parts in memory: raises the best of each lane, and marks where they lead. The error is
    /// the index of a row of a bundle from which one leads to no row of the tier.
    pub fn take(&self, child: &Child, lanes: &[Lanes], best: &mut [Row]) -> Result<(), usize> {
        for (slice, best) in self.slices.iter().zip(best.chunks_mut(1 << self.bits)) {
            let tiles = self.tiling.split(best).into_par_iter();
            tiles.try_for_each_init(Scratch::new, |scratch, mut tile| {
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
                            waiting.found.resize(children.len(), Found::default());
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
                            self.look_up(child, slice, (at, context), scratch, &mut tile);
                        }
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Takes a bundle whose children have been asked for.
    fn look_up(
        &self,
        child: &Child,
        slice: &Slice,
        (at, context): (usize, Place),
        scratch: &mut Scratch,
        tile: &mut Tile<Row>,
    ) {
        let Scratch { waiting, ranks, arriving } = scratch;
        let Made { bundle, found, lanes, .. } = &waiting[at];
        if ranks.len() < found.len() {
            ranks.resize(found.len(), Row::filled(0));
        }
        slice.each_child(bundle, |at| ranks[at] = child.ranks(found[at]));
        arriving.clear();
        arriving.resize(found.len(), 0);
        take_bundle(&slice.rows, &bundle.shared, lanes, (ranks, arriving), context, tile);
        for (&found, &lanes) in found.iter().zip(&*arriving) {
            if lanes != 0 {
                child.mark(found, lanes);
            }
        }
    }
}

/// Raises the best of the rows of a bundle by the ranks of their children, and says which lanes lead to each of these.
#[inline(always)]
fn take_bundle(
    rows: &[(Place, &[u8])],
    shared: &[u8],
    lanes: &[Lanes],
    (ranks, arriving): (&[Row], &mut [Lanes]),
    context: Place,
    tile: &mut Tile<Row>,
) {
    let any = lanes.iter().fold(0, |any, lanes| any | lanes);
    let mut of_all = Row::filled(0);
    for &at in shared {
        of_all.raise(&ranks[usize::from(at)]);
        arriving[usize::from(at)] |= any;
    }
    for (&(place, own), &lanes) in rows.iter().zip(lanes) {
        if lanes == 0 {
            continue;
        }
        let mut best = of_all;
        for &at in own {
            best.raise(&ranks[usize::from(at)]);
            arriving[usize::from(at)] |= lanes;
        }
        tile.cell(context | place).raise(&best);
    }
}
