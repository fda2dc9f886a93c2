//! The moves of a part's rows on one link, bundle by bundle: rows that differ in some bits alone have the same
//! children, which are looked up once for all of them.

use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::marks::Marks;
use crate::space::{Place, Tile, Tiling, prefetch, spread, squeezed};
use crate::tiers::{Bundle, Part, Row, RowLink};
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

/// A part that moves lead to.
pub struct Child<'s> {
    /// Rows of its tier.
    pub rows: usize,
    pub part: &'s Part,
    /// By row and the lane before the move: its rank, as [`crate::audit::ValueRanks::of_move`]; 0 where there is no
    /// position.
    pub ranks: &'s [Row],
    pub marks: &'s Marks,
}

impl Child<'_> {
    /// Asks for all that is known of a row.
    #[inline]
    fn prefetch(&self, row: u32) {
        if let Some(at) = self.part.index(row) {
            prefetch(&self.ranks[at]);
            prefetch(&self.marks.0[at]);
        }
    }

    /// Marks lanes from which moves lead to a row.
    #[inline]
    fn mark(&self, row: u32, lanes: Lanes) {
        if let Some(at) = self.part.index(row) {
            let seen = &self.marks.0[at];
            if seen.load(Ordering::Relaxed) & lanes != lanes {
                seen.fetch_or(lanes, Ordering::Relaxed);
            }
        }
    }
}

/// A bundle with the lanes of its rows.
#[derive(Clone, Default)]
struct Made {
    bundle: Bundle,
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
            let rows = tiling.places(varying).into_iter().map(|place| (place, own(&place)));
            Slice { part, first, rows: rows.collect() }
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
            (self.link.bundle)(slice.part.row(first) & !self.link.free, &mut into.bundle);
        }
        is_any
    }

    /// Calls `visit` with every row to which moves lead, some of them again and again.
    pub fn each_child(&self, lanes: &[Lanes], visit: impl Fn(u32) + Sync) {
        for slice in &self.slices {
            let varying = slice.rows.iter().fold(0, |bits, (place, _)| bits | place.index);
            let others = ((1 << self.bits) - 1) & !varying;
            let contexts = (0..1usize << others.count_ones()).into_par_iter().with_min_len(1 << 8);
            contexts.for_each_init(Made::default, |made, number| {
                if self.make(slice, spread(number, others), lanes, made) {
                    let Bundle { children, shared } = &made.bundle;
                    let of_rows = slice.rows.iter().zip(&made.lanes).filter(|(_, lanes)| **lanes != 0);
                    let mut led_to: u128 = 0;
                    of_rows.for_each(|((_, own), _)| own.iter().for_each(|&at| led_to |= 1 << at));
                    if self.wanted.shared() {
                        shared.iter().for_each(|&at| led_to |= 1 << at);
                    }
                    while led_to != 0 {
                        visit(children[led_to.trailing_zeros() as usize]);
                        led_to &= led_to - 1;
                    }
                }
            });
        }
    }

    /// Makes all moves into a part: raises the best of each lane, and marks where they lead. The error is the index of
    /// a row of a bundle from which one leads to no row of the tier.
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
                            children.iter().for_each(|&row| child.prefetch(row));
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
        let Made { bundle: Bundle { children, shared }, lanes, .. } = &waiting[at];
        let nothing = Row::filled(0);
        ranks.clear();
        ranks.extend(children.iter().map(|&row| child.part.index(row).map_or(nothing, |at| child.ranks[at])));
        arriving.clear();
        arriving.resize(children.len(), 0);
        let shared = if self.wanted.shared() { &shared[..] } else { &[] };
        take_bundle(&slice.rows, shared, lanes, (ranks, arriving), context, tile);
        for (&row, &lanes) in children.iter().zip(&*arriving) {
            if lanes != 0 {
                child.mark(row, lanes);
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
