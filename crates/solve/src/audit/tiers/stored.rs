//! A part's positions as its section has them.

use rayon::prelude::*;

use super::sections::AuditedSections;
use crate::Result;
use yomikiri_table::SectionBlocks;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block};

/// Which positions a part has, and its blocks once inflated.
pub struct Stored {
    pub lanes: Vec<Lanes>,
    blocks: Vec<Vec<u8>>,
}

impl Stored {
    pub fn read(sections: &dyn AuditedSections, (number, part): (usize, usize)) -> Result<Stored> {
        let mut lanes: Vec<Lanes> = vec![0; sections.cut(number).parts[part].rows()];
        let Some(section) = sections.section(number, part)? else { return Ok(Stored { lanes, blocks: Vec::new() }) };
        let blocks = lanes.par_chunks_mut(ROWS_PER_BLOCK).enumerate();
        let blocks = blocks.map(|(block, lanes)| decode(&*section, block, lanes.len(), |row, set, _| lanes[row] = set));
        let blocks = blocks.collect::<Result<_>>()?;
        Ok(Stored { lanes, blocks })
    }

    /// Calls `visit` with the rows of a block that have positions: their number in the block, their lanes, and the
    /// bytes of these.
    pub fn each_row(&self, block: usize, mut visit: impl FnMut(usize, Lanes, &[u8])) {
        let (Some(bytes), first) = (self.blocks.get(block), block * ROWS_PER_BLOCK) else { return };
        let rows = ROWS_PER_BLOCK.min(self.lanes.len() - first);
        let is_whole = decode_block(bytes, rows, |row, set, mine| {
            if set != 0 {
                visit(row, set, mine);
            }
        });
        debug_assert!(is_whole.is_some(), "blocks are looked through when they are read");
    }
}

/// Inflates a block of so many rows and calls `visit` with each of them, its lanes, and the bytes of these.
pub fn decode(
    section: &dyn SectionBlocks,
    block: usize,
    rows: usize,
    visit: impl FnMut(usize, Lanes, &[u8]),
) -> Result<Vec<u8>> {
    let bytes = section.block(block)?;
    let is_whole = decode_block(&bytes, rows, visit);
    is_whole.ok_or_else(|| section.damaged("a block of values has the wrong size"))?;
    Ok(bytes)
}
