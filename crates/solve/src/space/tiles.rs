//! Divides sheets, which are arrays of cells, into tiles. The indices of a tile's cells differ only in some bits, and a
//! tile fits into the processor's caches.

use std::convert::Infallible;
use std::ops::BitOr;

use yomikiri_rules::bits::set_bits;
use yomikiri_table::memory::prefetch;
use yomikiri_table::parallel;

/// Threads get the tiles in shares. This is the number of shares for each thread, on average. [`Tiling::each`] makes a
/// scratch value for each share.
const SHARES_PER_THREAD: usize = 8;

/// Moves the bits of `number` that are under the set bits of `mask` to the lowest places, as the instruction PEXT does.
pub fn extract_bits(number: usize, mask: usize) -> usize {
    set_bits(mask as u64).enumerate().fold(0, |found, (place, bit)| found | (number >> bit & 1) << place)
}

/// Moves the lowest bits of `number` to the set bits of `mask`, as the instruction PDEP does. The inverse of
/// [`extract_bits`].
pub fn deposit_bits(number: usize, mask: usize) -> usize {
    set_bits(mask as u64).enumerate().fold(0, |found, (place, bit)| found | (number >> place & 1) << bit)
}

/// The division of a sheet, an array of `1 << bits` cells, into tiles. A tile fits into the processor's caches.
pub struct Tiling {
    bits: u32,
    /// The base-2 logarithm of the length of a run, which is a range of consecutive cells of one tile.
    run: u32,
    /// The index bits in which the cells of one tile differ.
    inside: usize,
}

/// The place of a cell in its tile. The operator `|` combines places as it combines indices: if two places have the
/// index bits `a` and `b`, the combined place has the index bits `a | b`.
#[derive(Clone, Copy, Debug)]
pub struct TilePlace {
    /// The index of the cell in the sheet, without the bits of [`Tile::first`].
    pub index: usize,
    run: u32,
    offset: u32,
}

impl BitOr for TilePlace {
    type Output = TilePlace;

    #[inline(always)]
    fn bitor(self, other: TilePlace) -> TilePlace {
        TilePlace { index: self.index | other.index, run: self.run | other.run, offset: self.offset | other.offset }
    }
}

/// A tile of a sheet: runs of consecutive cells, whose indices differ only in some bits.
pub struct Tile<'s, T> {
    /// The index in the sheet of the tile's first cell.
    pub first: usize,
    runs: Vec<&'s mut [T]>,
}

impl<T> Tile<'_, T> {
    /// Prefetches a cell.
    #[inline(always)]
    pub fn prefetch(&self, place: TilePlace) {
        prefetch(&self.runs[place.run as usize][place.offset as usize]);
    }

    /// Returns the cell at a place.
    #[inline(always)]
    pub fn cell(&mut self, place: TilePlace) -> &mut T {
        &mut self.runs[place.run as usize][place.offset as usize]
    }
}

impl Tiling {
    /// Divides sheets (arrays of `1 << bits` cells) into tiles of at least `1 << size` cells. The cells of one tile
    /// differ in all index bits of `mask`, and in as few of the lowest bits as this size requires. A smaller sheet is
    /// one tile.
    pub fn new(bits: u32, mask: usize, size: u32) -> Tiling {
        let inside = |run: u32| mask | ((1 << run) - 1);
        let run = (0..bits).find(|&run| inside(run).count_ones() >= size).unwrap_or(bits);
        Tiling { bits, run, inside: inside(run) }
    }

    /// Returns the index bits in which the cells of one tile differ.
    pub fn inside(&self) -> usize {
        self.inside
    }

    /// Returns the bits in which the indices of a tile's runs differ. The runs of a sheet have `1 << run` cells each,
    /// and are numbered in order.
    fn runs(&self) -> usize {
        self.inside >> self.run
    }

    /// Returns the places of all cells whose index is 0 outside `bits`, ordered by the value of these bits. The cells
    /// of a tile must differ in all of `bits`.
    pub fn places(&self, bits: usize) -> Vec<TilePlace> {
        let place = |number: usize| {
            let index = deposit_bits(number, bits);
            let run = extract_bits(index >> self.run, self.runs()) as u32;
            TilePlace { index, run, offset: (index & ((1 << self.run) - 1)) as u32 }
        };
        (0..1 << bits.count_ones()).map(place).collect()
    }

    /// Calls `work` with each tile of a sheet of `1 << bits` cells, on all threads. `scratch` makes a value that the
    /// calls for many tiles share.
    pub fn each<T: Send, S>(
        &self,
        sheet: &mut [T],
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &mut Tile<T>) + Sync,
    ) {
        let Ok(()) = self.try_each(sheet, scratch, |scratch, tile| {
            work(scratch, tile);
            Ok::<(), Infallible>(())
        });
    }

    /// Like [`Tiling::each`], for work that may fail. Returns one of its errors.
    pub fn try_each<T: Send, S, E: Send>(
        &self,
        sheet: &mut [T],
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &mut Tile<T>) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let mut tiles = self.split(sheet);
        let share = tiles.len().div_ceil(SHARES_PER_THREAD * parallel::thread_count());
        parallel::try_each_part_mut(&mut tiles, share, |_, tiles| {
            let mut scratch = scratch();
            tiles.iter_mut().try_for_each(|tile| work(&mut scratch, tile))
        })
    }

    /// Divides a sheet of `1 << bits` cells into its tiles.
    pub fn split<'s, T>(&self, sheet: &'s mut [T]) -> Vec<Tile<'s, T>> {
        let runs = self.runs();
        let apart = ((1 << (self.bits - self.run)) - 1) & !runs;
        let first = |tile: usize| deposit_bits(tile, apart) << self.run;
        let empty = |tile: usize| Tile { first: first(tile), runs: Vec::with_capacity(1 << runs.count_ones()) };
        let mut tiles: Vec<Tile<T>> = (0..1 << apart.count_ones()).map(empty).collect();
        for (number, run) in sheet.chunks_mut(1 << self.run).enumerate() {
            tiles[extract_bits(number, apart)].runs.push(run);
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
            assert_eq!(extract_bits(deposit_bits(number, mask), mask), number & ((1 << mask.count_ones()) - 1));
        }
    }
}
