//! Checks a whole table without the rules of its game.

use super::format::BlockEntry;
use super::{IndexKind, Result, Table, parallel};
use crate::progress::Progress;

impl Table {
    /// Checks the pages of the index, the sections, all blocks, and the checksum of the meta data. Reads each block
    /// twice, once as a whole and once through the caches of single look-ups, and compares the results.
    pub fn check(&self, progress: &dyn Progress) -> Result<()> {
        self.sections()?;
        progress.begin("checksums", self.blocks());
        parallel::try_each(self.blocks() as usize, |number| {
            progress.advance(1);
            self.check_block(&self.entry(number as u64)?)
        })?;
        progress.end("all blocks match");
        // The work that follows, such as an audit, reads the whole table and has no use for cached blocks.
        self.forget_packed();
        self.meta_bytes().map(drop)
    }

    fn check_block(&self, block: &BlockEntry) -> Result<()> {
        let plain = self.inflated(block)?;
        let is_same = match self.header.index_kind {
            IndexKind::Tiers | IndexKind::SortedKeys => *self.packed(block)? == *self.recently_packed(block)?,
            IndexKind::UnlistedWins | IndexKind::UnlistedDraws => self.looked_up_rows(block)? == plain,
        };
        let differs = || {
            let what = format!(
                "look-ups in the block at byte {} find other values than a reading of the whole block",
                block.packed.offset
            );
            self.damaged(what)
        };
        is_same.then_some(()).ok_or_else(differs)
    }

    /// Inflates a block of rows as look-ups do, one group of rows at a time. Returns the inflated bytes of the block.
    fn looked_up_rows(&self, block: &BlockEntry) -> Result<Vec<u8>> {
        let (mut words, mut bytes, mut row) = (Vec::with_capacity(block.packed.plain as usize), Vec::new(), 0);
        while row < block.rows as usize {
            let rows = self.recent_rows(block, row)?;
            let is_next = rows.first == row && rows.count > 0 && rows.plain.len() >= 8 * rows.count;
            is_next.then_some(()).ok_or_else(|| self.damaged("a block has the wrong size"))?;
            let (sets, listed) = rows.plain.split_at(8 * rows.count);
            words.extend_from_slice(sets);
            bytes.extend_from_slice(listed);
            row += rows.count;
        }
        words.append(&mut bytes);
        Ok(words)
    }
}
