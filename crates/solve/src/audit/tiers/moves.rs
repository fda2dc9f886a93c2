//! Where moves of many rows lead, as the audit of parts keeps it.

use crate::space::BitMap;
use crate::tiers::Part;
use yomikiri_table::blocks::Lanes;

/// Where moves of many rows lead, by the index of the row.
pub struct Moves(pub Vec<MovesOfBlock>);

/// Those of as many rows as a block has: rows of another tier, one after the other, and where those of each row end.
#[derive(Default)]
pub struct MovesOfBlock {
    pub rows: Vec<u32>,
    pub ends: Vec<u16>,
}

impl MovesOfBlock {
    /// Those of a row.
    pub fn of(&self, at: usize) -> &[u32] {
        let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[usize::from(begin)..usize::from(self.ends[at])]
    }
}

/// Rows of a part by number, but for the bits at which shared moves do not look; slice by slice.
pub struct SharedRows<'p> {
    part: &'p Part,
    /// The bits at which they do not look in which rows of a slice differ.
    varying: u32,
    /// Bits of an index inside a slice, and of a number.
    slice: u32,
    kept: u32,
    squeeze: BitMap,
    spread: BitMap,
}

impl<'p> SharedRows<'p> {
    pub fn new(part: &'p Part, bits: u32, free: u32) -> SharedRows<'p> {
        let kept: Vec<u32> = (0..bits).filter(|bit| (free | part.pins()) >> bit & 1 == 0).collect();
        let squeeze = BitMap::new(bits, |bit| kept.iter().position(|&kept| kept == bit).map(|at| at as u32));
        let spread = BitMap::new(kept.len() as u32, |bit| Some(kept[bit as usize]));
        let slice = (part.rows() / part.fixed().len()).ilog2();
        SharedRows { part, varying: free & !part.pins(), slice, kept: kept.len() as u32, squeeze, spread }
    }

    pub fn count(&self) -> usize {
        self.part.fixed().len() << self.kept
    }

    /// The number of the row at an index.
    #[inline]
    pub fn number(&self, index: usize) -> usize {
        index >> self.slice << self.kept | self.squeeze.apply(self.part.row(index)) as usize
    }

    /// The first row of a number.
    pub fn first(&self, number: usize) -> u32 {
        self.spread.apply((number & ((1 << self.kept) - 1)) as u32) | self.part.fixed()[number >> self.kept]
    }

    /// The lanes of all rows of a number together.
    pub fn any(&self, number: usize, lanes: &[Lanes]) -> Lanes {
        let first = self.first(number);
        // All subsets of the varying bits.
        let (mut any, mut rest) = (0, 0u32);
        loop {
            any |= self.part.index(first | rest).map_or(0, |at| lanes[at]);
            rest = rest.wrapping_sub(self.varying) & self.varying;
            if rest == 0 {
                return any;
            }
        }
    }
}
