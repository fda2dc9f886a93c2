//! Bundles: sets of rows that differ only on one way, on which modifies are made. A modify is a move on a way inside
//! the rectangle of stones. The rows of a bundle are in one slice of a tier: rows with the same values of certain bits
//! ([`crate::tiers::Slice`]).
//!
//! A modify leads from one tier to another, and changes only its way. So all modifies on that way connect the rows of a
//! bundle with rows of a single bundle of the other tier. Each row of that other bundle is read once for all these
//! modifies.

use arrayvec::ArrayVec;

use super::line::{Line, Modify};
use crate::space::{BitMap, TilePlace, Tiling};

/// The base-2 logarithm of the minimum number of rows in a tile. A tile ([`Tiling`]) is a piece of a sheet that fits
/// into the processor's caches.
const TILE: u32 = 11;

/// The maximum number of squares of a way.
const LENGTH: usize = 7;

/// Contents of a way that are rotations of one another. `numbers` has their indices in [`Bundles::contents`], in the
/// order of rotation: each content after the first is the previous one, rotated by one square.
struct Orbit {
    numbers: ArrayVec<u8, LENGTH>,
    /// True if the orbit has fewer contents than the way has squares. A rotation by fewer squares than the length of
    /// the way then maps each content to itself.
    is_short: bool,
}

/// The bundles of a slice of a tier: its rows, divided into sets that differ only on one way.
pub struct Bundles {
    pub tiling: Tiling,
    /// The place of each bundle's first row in a tile, a piece of the slice. The places are the same in all tiles.
    pub contexts: Vec<TilePlace>,
    /// For each row of a bundle: its place relative to the first row of the bundle, and the index in `contents` of the
    /// stones that it has on the way.
    pub rows: Vec<(TilePlace, usize)>,
    /// All contents of the way. They are row bits of the other tier: modifies lead from the slice to that tier, or from
    /// that tier to the slice.
    pub contents: Vec<u32>,
    numbers: BitMap,
    orbits: Vec<Orbit>,
}

impl Bundles {
    /// Finds the bundles of a slice for the modifies of its rows on one way.
    pub fn new(Modify { area, line, placed, .. }: &Modify) -> Bundles {
        let contents = line.contents();
        let places: Vec<u32> = (0..line.length).map(|at| contents[1 << at].trailing_zeros()).collect();
        let numbers = BitMap::new(*area, |bit| places.iter().position(|&place| place == bit).map(|at| at as u32));
        let varying = (0..placed.bits()).filter(|&bit| placed.of_bits(1 << bit) & line.mask != 0);
        let varying = varying.fold(0, |mask, bit| mask | 1 << bit);
        let tiling = Tiling::new(placed.bits(), varying, TILE);
        let number = |place: TilePlace| numbers.apply(placed.apply(place.index as u32) & line.mask) as usize;
        let rows = tiling.places(varying).into_iter().map(|place| (place, number(place))).collect();
        let contexts = tiling.places(tiling.inside() & !varying);
        let orbits = orbits(line, &contents, &numbers);
        Bundles { tiling, contexts, rows, contents, numbers, orbits }
    }

    /// Returns the index of a content in [`Bundles::contents`].
    #[inline(always)]
    pub fn number(&self, content: u32) -> usize {
        self.numbers.apply(content) as usize
    }

    /// For each content of the way, merges `begin` with the `cells` of all proper rotations of the content. These
    /// rotate it by 1 to `length - 1` squares, where `length` is the number of squares of the way. Writes the result to
    /// `into`. `cells` and `into` are indexed like [`Bundles::contents`].
    #[inline(always)]
    pub fn turn<T: Copy>(&self, cells: &[T], begin: &T, into: &mut [T], merge: impl Fn(&mut T, &T)) {
        for Orbit { numbers, is_short } in &self.orbits {
            let mut before = *begin;
            if *is_short {
                numbers.iter().for_each(|&number| merge(&mut before, &cells[usize::from(number)]));
                numbers.iter().for_each(|&number| into[usize::from(number)] = before);
                continue;
            }
            for &number in numbers {
                into[usize::from(number)] = before;
                merge(&mut before, &cells[usize::from(number)]);
            }
            let mut rest = numbers.iter().rev().map(|&number| usize::from(number));
            let Some(last) = rest.next() else { continue };
            let mut after = cells[last];
            for number in rest {
                merge(&mut into[number], &after);
                merge(&mut after, &cells[number]);
            }
        }
    }
}

/// Groups all contents into cycles under rotation.
fn orbits(line: &Line, contents: &[u32], numbers: &BitMap) -> Vec<Orbit> {
    let (mut orbits, mut known) = (Vec::new(), vec![false; contents.len()]);
    for (number, &content) in contents.iter().enumerate() {
        if known[number] {
            continue;
        }
        let mut orbit = ArrayVec::new();
        let turns = (1..line.length).map(|k| line.rotated(content, k));
        for turned in std::iter::once(content).chain(turns).map(|content| numbers.apply(content)) {
            if !std::mem::replace(&mut known[turned as usize], true) {
                orbit.push(turned as u8);
            }
        }
        let is_short = orbit.len() < line.length as usize;
        orbits.push(Orbit { numbers: orbit, is_short });
    }
    orbits
}
