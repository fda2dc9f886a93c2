//! Merges the sections of parts into sections of tiers.

use std::sync::{Arc, Mutex, PoisonError};

use super::run::{ClusterRun, Step};
use crate::Result;
use crate::cache::Cache;
use crate::tiers::{Tiered, solve};
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block};
use yomikiri_table::{NewSection, Progress, SectionBlocks, SectionFile, TableError, Tally};

/// A row of a block: the set of lanes that have a position, and the table bytes of these positions.
type StoredRow = (Lanes, Vec<u8>);

impl<G: Tiered> ClusterRun<'_, G> {
    pub(super) fn pack(&self, units: &[usize], progress: &dyn Progress) -> Result<()> {
        for &unit in units {
            if !self.has(Step::Pack, unit)? {
                self.pack_tier(unit, self.room(Step::Pack, units))?;
            }
            // Nothing reads the parts any more: the steps that do so come before this step.
            let (tier, _) = self.part_of(unit);
            (self.firsts[tier]..self.firsts[tier + 1]).try_for_each(|part| self.delete(Step::Solve, part))?;
            progress.advance(1);
        }
        Ok(())
    }

    fn pack_tier(&self, unit: usize, room: u64) -> Result<()> {
        let (tier, _) = self.part_of(unit);
        let (node, parts) = (&self.graph[tier], &self.cuts[tier].parts);
        let units = self.firsts[tier]..self.firsts[tier + 1];
        let sections: Vec<SectionFile> = units.map(|unit| self.section(Step::Solve, unit)).collect::<Result<_>>()?;
        let mut tally = Tally::default();
        sections.iter().for_each(|section| tally.merge(&section.entry().tally));
        if tally.positions() == 0 {
            return self.put(Step::Pack, unit, &solve::empty_section(node.base, node.rows));
        }
        let blocks = node.rows.div_ceil(ROWS_PER_BLOCK);
        let most = parts.iter().map(|part| part.rows().div_ceil(ROWS_PER_BLOCK)).max().unwrap_or(0);
        let decoded = Mutex::new(Cache::new(room.max(64 << 20)));
        let blocks_of_parts = PartBlocks { sections: &sections, most, decoded };
        let failed = Mutex::new(None);
        let plain = |block: usize| {
            let rows = block * ROWS_PER_BLOCK..node.rows.min((block + 1) * ROWS_PER_BLOCK);
            let (mut lanes, mut bytes) = (Vec::with_capacity(8 * rows.len()), Vec::new());
            let mut last: Option<(usize, usize, Arc<Vec<StoredRow>>)> = None;
            for row in rows {
                let number = self.cuts[tier].part_of(row as u32);
                let index = parts[number].index(row as u32).expect("`part_of` returns the part that has the row");
                let place = (number, index / ROWS_PER_BLOCK);
                if last.as_ref().is_none_or(|&(part, block, _)| (part, block) != place) {
                    match blocks_of_parts.block(place.0, place.1, parts[number].rows()) {
                        Ok(stored) => last = Some((place.0, place.1, stored)),
                        Err(error) => {
                            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                            return Vec::new();
                        }
                    }
                }
                let stored = last.as_ref().and_then(|(_, _, stored)| stored.get(index % ROWS_PER_BLOCK));
                let (set, values) = stored.map_or((0, &[][..]), |(set, values)| (*set, values));
                lanes.extend_from_slice(&set.to_le_bytes());
                bytes.extend_from_slice(values);
            }
            lanes.append(&mut bytes);
            lanes
        };
        let section = NewSection { key: node.base, rows: node.rows as u64, tally, blocks, plain: &plain };
        let file = SectionFile::encode(&section, &self.identity(Step::Pack.folder()));
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error.into()),
            None => self.put_bytes(&self.name(Step::Pack, unit), file),
        }
    }
}

/// The blocks of the parts of a tier, with a cache of decoded blocks.
struct PartBlocks<'s> {
    sections: &'s [SectionFile],
    /// The number of blocks of the largest part.
    most: usize,
    /// The decoded blocks. The index of a block is `part * most + block`.
    decoded: Mutex<Cache<Vec<StoredRow>>>,
}

impl PartBlocks<'_> {
    /// Returns the rows of block `block` of a part that has `rows` rows; empty if the part has no positions.
    fn block(&self, part: usize, block: usize, rows: usize) -> Result<Arc<Vec<StoredRow>>, TableError> {
        let section = &self.sections[part];
        if section.count() == 0 {
            return Ok(Arc::default());
        }
        let number = part * self.most + block;
        let decoded = || self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stored) = decoded().get(number) {
            return Ok(stored);
        }
        let bytes = section.block(block)?;
        let rows = ROWS_PER_BLOCK.min(rows - block * ROWS_PER_BLOCK);
        let mut stored: Vec<StoredRow> = Vec::with_capacity(rows);
        let whole = decode_block(&bytes, rows, |_, set, mine| {
            let mut mine = mine.iter().copied();
            let mut values = Vec::new();
            values.extend(mine.by_ref().take(set.count_ones() as usize));
            stored.push((set, values));
        });
        whole.ok_or_else(|| section.damaged("a block of values has the wrong size"))?;
        let stored = Arc::new(stored);
        decoded().put(number, stored.clone());
        Ok(stored)
    }
}
