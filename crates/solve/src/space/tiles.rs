//! Sheets taken apart into tiles: cells whose indices differ in some bits alone, which wait in the caches together.

use std::ops::BitOr;

use super::prefetch::prefetch;

/// The bits of a number at a mask's places, as the lowest bits of another.
pub fn squeezed(number: usize, mask: usize) -> usize {
    let (mut rest, mut place, mut found) = (mask, 0, 0);
    while rest != 0 {
        found |= (number >> rest.trailing_zeros() & 1) << place;
        rest &= rest - 1;
        place += 1;
    }
    found
}

/// The inverse of [`squeezed`]: the lowest bits of a number at a mask's places.
pub fn spread(number: usize, mask: usize) -> usize {
    let (mut rest, mut place, mut found) = (mask, 0, 0);
    while rest != 0 {
        found |= (number >> place & 1) << rest.trailing_zeros();
        rest &= rest - 1;
        place += 1;
    }
    found
}

/// How a sheet of `1 << bits` cells falls into tiles.
pub struct Tiling {
    bits: u32,
    /// Bits of an index inside a run: neighbouring cells that are all of one tile.
    run: u32,
    /// The bits in which indices of a tile differ.
    inside: usize,
}

/// Where a cell lies in its tile, or some bits of its index. Places of different bits are joined by `|`.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// These bits of the index, as they lie in the index of the sheet.
    pub index: usize,
    run: u32,
    offset: u32,
}

impl BitOr for Place {
    type Output = Place;

    #[inline(always)]
    fn bitor(self, other: Place) -> Place {
        Place { index: self.index | other.index, run: self.run | other.run, offset: self.offset | other.offset }
    }
}

/// A tile of a sheet.
pub struct Tile<'s, T> {
    /// The index of its first cell in the sheet.
    pub first: usize,
    runs: Vec<&'s mut [T]>,
}

impl<T> Tile<'_, T> {
    /// Asks for a cell that will be wanted soon.
    #[inline(always)]
    pub fn prefetch(&self, place: Place) {
        prefetch(&self.runs[place.run as usize][place.offset as usize]);
    }

    #[inline(always)]
    pub fn cell(&mut self, place: Place) -> &mut T {
        &mut self.runs[place.run as usize][place.offset as usize]
    }
}

impl Tiling {
    /// Tiles of `1 << size` cells, or a few more, whose indices differ in all bits of the mask and in as many of the
    /// lowest as there is room for.
    pub fn new(bits: u32, mask: usize, size: u32) -> Tiling {
        let inside = |run: u32| mask | ((1 << run) - 1);
        let run = (0..bits).find(|&run| inside(run).count_ones() >= size).unwrap_or(bits);
        Tiling { bits, run, inside: inside(run) }
    }

    /// The bits in which indices of a tile differ.
    pub fn inside(&self) -> usize {
        self.inside
    }

    /// The bits of indices of runs in which those of a tile differ.
    fn runs(&self) -> usize {
        self.inside >> self.run
    }

    /// Where cells lie that have what they like in these bits, all of them inside a tile, and nothing in the others; by
    /// these bits as a number.
    pub fn places(&self, bits: usize) -> Vec<Place> {
        let place = |number: usize| {
            let index = spread(number, bits);
            let run = squeezed(index >> self.run, self.runs()) as u32;
            Place { index, run, offset: (index & ((1 << self.run) - 1)) as u32 }
        };
        (0..1 << bits.count_ones()).map(place).collect()
    }

    /// Takes a sheet apart.
    pub fn split<'s, T>(&self, sheet: &'s mut [T]) -> Vec<Tile<'s, T>> {
        let runs = self.runs();
        let apart = ((1 << (self.bits - self.run)) - 1) & !runs;
        let first = |tile: usize| spread(tile, apart) << self.run;
        let empty = |tile: usize| Tile { first: first(tile), runs: Vec::with_capacity(1 << runs.count_ones()) };
        let mut tiles: Vec<Tile<T>> = (0..1 << apart.count_ones()).map(empty).collect();
        for (number, run) in sheet.chunks_mut(1 << self.run).enumerate() {
            tiles[squeezed(number, apart)].runs.push(run);
        }
        tiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_in_one_tile_at_the_place_of_its_index() {
        for (bits, mask, size) in
            [(7, 0, 3), (7, 0b110_0010, 3), (7, 0b110_0010, 5), (7, 0b11, 9), (3, 0b100, 1), (0, 0, 4)]
        {
            let tiling = Tiling::new(bits, mask, size);
            assert_eq!(mask & !tiling.inside(), 0);
            let mut sheet: Vec<usize> = (0..1 << bits).collect();
            let (of_mask, others) = (tiling.places(mask), tiling.places(tiling.inside() & !mask));
            let mut seen = vec![false; sheet.len()];
            for mut tile in tiling.split(&mut sheet) {
                for (&a, &b) in of_mask.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                    let cell = *tile.cell(a | b);
                    assert_eq!(cell, tile.first + (a | b).index);
                    assert!(!std::mem::replace(&mut seen[cell], true));
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
        for (number, mask) in [(0b1011, 0b11010), (5, 0b111)] {
            assert_eq!(squeezed(spread(number, mask), mask), number & ((1 << mask.count_ones()) - 1));
        }
    }
}
