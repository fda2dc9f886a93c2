//! The rows of a slice in bundles: those that differ on the way of a modify alone.
//!
//! The rows that such a bundle comes from or leads to are one bundle, too, so that each of them is read once for all
//! moves.

use arrayvec::ArrayVec;

use super::line::{Line, Modify};
use crate::space::{BitMap, Place, Tiling};

/// Rows of a tile, as a power of two.
const TILE: u32 = 11;

/// Most squares of a way.
const LENGTH: usize = 7;

/// Numbers of the contents that rotations take to each other.
struct Orbit {
    numbers: ArrayVec<u8, LENGTH>,
    /// Whether some rotation leaves each of them as it is.
    is_short: bool,
}

/// The bundles of a slice.
pub struct Bundles {
    pub tiling: Tiling,
    /// Where the first rows of the bundles of a tile lie.
    pub contexts: Vec<Place>,
    /// By row of a bundle: where it lies, and the number of what it has on the way.
    pub rows: Vec<(Place, usize)>,
    /// By number: what the way can hold, as row bits of the other tier.
    pub contents: Vec<u32>,
    numbers: BitMap,
    orbits: Vec<Orbit>,
}

impl Bundles {
    /// Of the slice of a modify.
    pub fn new(Modify { area, line, placed, .. }: &Modify) -> Bundles {
        let contents = line.contents();
        let places: Vec<u32> = (0..line.length).map(|at| contents[1 << at].trailing_zeros()).collect();
        let numbers = BitMap::new(*area, |bit| places.iter().position(|&place| place == bit).map(|at| at as u32));
        let varying = (0..placed.bits()).filter(|&bit| placed.turned(1 << bit) & line.mask != 0);
        let varying = varying.fold(0, |mask, bit| mask | 1 << bit);
        let tiling = Tiling::new(placed.bits(), varying, TILE);
        let number = |place: Place| numbers.apply(placed.apply(place.index as u32) & line.mask) as usize;
        let rows = tiling.places(varying).into_iter().map(|place| (place, number(place))).collect();
        let contexts = tiling.places(tiling.inside() & !varying);
        let orbits = orbits(line, &contents, &numbers);
        Bundles { tiling, contexts, rows, contents, numbers, orbits }
    }

    /// The number of a content.
    #[inline(always)]
    pub fn number(&self, content: u32) -> usize {
        self.numbers.apply(content) as usize
    }

    /// Replaces what is in `into` by what rotations of each content find in `cells`, and what `begin` has, merged.
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

/// All contents, by what rotations take to each other.
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
