//! Parts of tiers: the rows in which some bits, the *pins*, have certain values. A tier that is too large for a
//! machine's memory is made part by part. A tier that is not cut is one part without pins.

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::space::BitMap;

/// The maximum number of slices of a part: one for each symmetry of a board, including the identity.
const SLICES: usize = 4;

/// The common layout of all parts of a cut tier.
#[derive(Debug)]
struct Shape {
    /// The pins: the row bits at which the tier is cut. They are the same in all rows of a slice.
    pins: u32,
    /// The number of row bits that differ inside a slice.
    free: u32,
    /// Maps the index of a row inside its slice to the row bits that differ inside the slice.
    spread: BitMap,
    /// Maps the bits that differ among the rows of a slice (rows with the same pins) to the index of the row in the
    /// slice.
    squeeze: BitMap,
}

/// A part of a tier: slices that the tier's symmetries map to each other. A slice has all rows with the same values of
/// the pins, which are the row bits at which the tier is cut. The rows of the first slice have the first indices, then
/// come the rows of the next slice, and so on.
#[derive(Clone, Debug)]
pub struct Part {
    /// The number of bits that identify a row of the tier.
    bits: u32,
    /// The layout of the parts of the tier; `None` if the part has all rows of the tier.
    shape: Option<Arc<Shape>>,
    /// For each slice, the bits that all its rows have in common, in ascending order.
    slices: ArrayVec<u32, SLICES>,
}

impl Part {
    /// Creates the part that has all rows of a tier. `rows` must be a power of two.
    pub fn whole(rows: usize) -> Part {
        Part { bits: rows.ilog2(), shape: None, slices: std::iter::once(0).collect() }
    }

    /// Returns true if the part has all rows of the tier.
    pub fn is_whole(&self) -> bool {
        self.shape.is_none()
    }

    /// Returns the number of bits of an index inside a slice.
    fn free(&self) -> u32 {
        self.shape.as_ref().map_or(self.bits, |shape| shape.free)
    }

    /// Returns the number of slices, and the number of bits of an index inside a slice.
    pub fn slices_of(&self) -> (usize, u32) {
        (self.slices.len(), self.free())
    }

    /// Moves the bits of a row to their places in the index of the row inside its slice. Drops the bits that are the
    /// same in the whole slice.
    pub fn index_bits(&self, bits: u32) -> usize {
        self.shape.as_ref().map_or(bits, |shape| shape.squeeze.apply(bits)) as usize
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.slices.len() << self.free()
    }

    /// Returns the bits that are the same in all rows of a slice.
    pub fn pins(&self) -> u32 {
        self.shape.as_ref().map_or(0, |shape| shape.pins)
    }

    /// Returns, for each slice, the values of the bits that are the same in all its rows.
    pub fn fixed(&self) -> &[u32] {
        &self.slices
    }

    /// Returns the row at an index.
    #[inline]
    pub fn row(&self, index: usize) -> u32 {
        let Some(shape) = &self.shape else { return index as u32 };
        let inside = index & ((1 << shape.free) - 1);
        shape.spread.apply(inside as u32) | self.slices[index >> shape.free]
    }

    /// Returns the index of a row; `None` if the row is in another part.
    #[inline]
    pub fn index(&self, row: u32) -> Option<usize> {
        let Some(shape) = &self.shape else { return Some(row as usize) };
        let pinned = row & shape.pins;
        let slice = self.slices.iter().position(|&fixed| fixed == pinned)?;
        Some(slice << shape.free | shape.squeeze.apply(row) as usize)
    }

    /// Returns the slices, each with its rows in `sheet`, a sheet of this part.
    pub fn slices<'a, T>(&'a self, sheet: &'a mut [T]) -> impl Iterator<Item = (Slice<'a>, &'a mut [T])> {
        let slices = self.slices.iter().map(|&fixed| Slice { part: self, fixed });
        slices.zip(sheet.chunks_mut(1 << self.free()))
    }

    /// Returns a part with the same pins (row bits at which the tier is cut) and a single slice, in which all pins are
    /// 0.
    pub fn unpinned(&self) -> Part {
        Part { slices: std::iter::once(0).collect(), ..self.clone() }
    }
}

/// The rows of a part with the same values of all pins, which are the row bits at which the tier is cut.
#[derive(Clone, Copy)]
pub struct Slice<'a> {
    part: &'a Part,
    fixed: u32,
}

impl Slice<'_> {
    /// Returns the images of the slice's rows under a map, by index inside the slice.
    pub fn image(&self, map: &BitMap) -> SliceImage {
        let free = self.part.free();
        let Some(shape) = &self.part.shape else { return SliceImage { map: map.clone(), free, fixed: 0 } };
        let image = |bit| {
            let image = map.apply(shape.spread.apply(1u32 << bit));
            (image != 0).then(|| image.trailing_zeros())
        };
        SliceImage { map: BitMap::new(free, image), free, fixed: map.apply(self.fixed) }
    }
}

/// The images of a slice's rows under a map.
pub struct SliceImage {
    map: BitMap,
    free: u32,
    fixed: u32,
}

impl SliceImage {
    /// Returns the image of the row at an index.
    #[inline(always)]
    pub fn apply(&self, index: u32) -> u32 {
        self.map.apply(index) | self.fixed
    }

    /// Returns the image of some bits of an index, without the bits that all images have.
    pub fn of_bits(&self, bits: u32) -> u32 {
        self.map.apply(bits)
    }

    /// Returns the number of bits of an index.
    pub fn bits(&self) -> u32 {
        self.free
    }

    /// Returns the bits in which the images differ.
    pub fn varying(&self) -> u32 {
        self.map.apply(((1u64 << self.free) - 1) as u32)
    }

    /// Returns the bits that all images have.
    pub fn fixed(&self) -> u32 {
        self.fixed
    }
}

/// The division of a tier into parts.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The parts, in the order of their first slices.
    pub parts: Vec<Part>,
    /// A map that packs the pins, the row bits at which the tier is cut, into the lowest bits; and the index of the
    /// part for each packed value. `None` if the tier is not cut.
    numbers: Option<(BitMap, Vec<u32>)>,
}

impl Cut {
    /// Creates the division of a tier into a single part. `rows` is the number of rows of the tier.
    pub fn whole(rows: usize) -> Cut {
        Cut { parts: vec![Part::whole(rows)], numbers: None }
    }

    /// Cuts a tier of `rows` rows into parts by the values of the row bits `pins`. `images` are the symmetries of the
    /// tier, which must map pins to pins.
    pub fn new(rows: usize, pins: u32, images: &[BitMap]) -> Cut {
        let bits = rows.ilog2();
        if pins == 0 {
            return Cut::whole(rows);
        }
        let free: Vec<u32> = (0..bits).filter(|bit| pins >> bit & 1 == 0).collect();
        let kept: Vec<u32> = (0..bits).filter(|bit| pins >> bit & 1 == 1).collect();
        let place = |bits: &[u32], bit| bits.iter().position(|&kept| kept == bit).map(|at| at as u32);
        let spread = BitMap::new(free.len() as u32, |bit| Some(free[bit as usize]));
        let squeeze = BitMap::new(bits, |bit| place(&free, bit));
        let shape = Arc::new(Shape { pins, free: free.len() as u32, spread, squeeze });
        let pinned = BitMap::new(bits, |bit| place(&kept, bit));
        let fixed = BitMap::new(kept.len() as u32, |bit| Some(kept[bit as usize]));
        let (mut parts, mut numbers) = (Vec::new(), vec![0; 1 << kept.len()]);
        for fixed in (0..1 << kept.len()).map(|number| fixed.apply(number)) {
            let mut slices: ArrayVec<u32, SLICES> = std::iter::once(fixed).collect();
            for image in images.iter().map(|image| image.apply(fixed)) {
                assert!(image & !pins == 0, "symmetries map pinned bits to pinned bits");
                if !slices.contains(&image) {
                    slices.push(image);
                }
            }
            slices.sort_unstable();
            if slices[0] == fixed {
                slices.iter().for_each(|&slice| numbers[pinned.apply(slice) as usize] = parts.len() as u32);
                parts.push(Part { bits, shape: Some(shape.clone()), slices });
            }
        }
        Cut { parts, numbers: Some((pinned, numbers)) }
    }

    /// Returns true if the tier is not cut.
    pub fn is_whole(&self) -> bool {
        self.numbers.is_none()
    }

    /// Returns the index of the part that a row is in.
    #[inline]
    pub fn part_of(&self, row: u32) -> usize {
        self.numbers.as_ref().map_or(0, |(pinned, numbers)| numbers[pinned.apply(row) as usize] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_part_at_the_index_that_tells_it() {
        // The lowest three bits in reverse order, all others in their places.
        let image = BitMap::new(7, |bit| Some(if bit < 3 { 2 - bit } else { bit }));
        for pins in [0, 0b111, 0b101, 0b1000, 0b111_0111] {
            for images in [&[][..], std::slice::from_ref(&image)] {
                if pins == 0b111_0111 && !images.is_empty() {
                    continue;
                }
                let cut = Cut::new(128, pins, images);
                let parts = &cut.parts;
                let mut seen = [false; 128];
                for (number, part) in parts.iter().enumerate() {
                    for index in 0..part.rows() {
                        let row = part.row(index);
                        assert!(!std::mem::replace(&mut seen[row as usize], true));
                        assert_eq!((part.index(row), cut.part_of(row)), (Some(index), number));
                        assert!(images.iter().all(|image| part.index(image.apply(row)).is_some()));
                        assert_eq!(parts.iter().filter(|part| part.index(row).is_some()).count(), 1);
                    }
                    let mut sheet: Vec<usize> = (0..part.rows()).collect();
                    for (slice, sheet) in part.slices(&mut sheet) {
                        let placed = slice.image(&image);
                        for (index, &at) in sheet.iter().enumerate() {
                            assert_eq!(placed.apply(index as u32), image.apply(part.row(at)));
                        }
                    }
                }
                assert!(seen.iter().all(|&seen| seen));
            }
        }
    }
}
