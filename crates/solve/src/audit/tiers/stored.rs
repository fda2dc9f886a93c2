//! The positions of a part ([`crate::tiers::Part`]) as its section stores them.

use super::sections::{AuditedSections, PartPlace};
use crate::Result;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block};
use yomikiri_table::{SectionBlocks, parallel};

/// The lanes of a part that have positions in the table, by row, and the inflated blocks of the part's section.
pub struct StoredLanes {
    pub lanes: Vec<Lanes>,
    blocks: Vec<Vec<u8>>,
}

impl StoredLanes {
    pub fn read(sections: &dyn AuditedSections, place: PartPlace) -> Result<StoredLanes> {
        let PartPlace { tier, part } = place;
        let mut lanes: Vec<Lanes> = vec![0; sections.cut(tier).parts[part].rows()];
        let Some(section) = sections.section(tier, part)? else {
            return Ok(StoredLanes { lanes, blocks: Vec::new() });
        };
        let blocks = parallel::try_map_parts_mut(&mut lanes, ROWS_PER_BLOCK, |block, lanes| {
            decode(&*section, block, lanes.len(), |row, set, _| lanes[row] = set)
        })?;
        Ok(StoredLanes { lanes, blocks })
    }

    /// Calls `visit` for each row with positions in a block. `visit` gets the index of the row in the block, the lanes
    /// that have positions, and the table bytes of these lanes.
    pub fn each_row(&self, block: usize, mut visit: impl FnMut(usize, Lanes, &[u8])) {
        let (Some(bytes), first) = (self.blocks.get(block), block * ROWS_PER_BLOCK) else { return };
        let rows = ROWS_PER_BLOCK.min(self.lanes.len() - first);
        let is_whole = decode_block(bytes, rows, |row, set, mine| {
            if set != 0 {
                visit(row, set, mine);
            }
        });
        debug_assert!(is_whole.is_some(), "every block was checked when it was read");
    }
}

/// Inflates a block of `rows` rows. Calls `visit` for each row, with the index of the row, the lanes that have
/// positions, and the table bytes of these lanes. Returns the inflated block.
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
