//! A table put together of finished sections, so that any range of its bytes can be made by itself.

use std::ops::Range;

use serde::Serialize;

use super::Result;
use super::format::{Block, HEADER};
use super::journal::Entry;
use super::store::blocks_of;
use super::writer::{Contents, Frame};

/// Where everything in a table lies whose sections stand in a given order: the bytes are those that a store of the same
/// sections, appended in that order, becomes when it is finished.
pub struct Assembly {
    frame: Frame,
    /// Where the blocks of each section lie.
    sections: Vec<Range<u64>>,
}

impl Assembly {
    /// Of sections in the order in which they stand in the file. `contents.positions` is what they have together.
    pub fn new(entries: &[Entry], contents: &Contents, meta: &impl Serialize) -> Assembly {
        let (mut end, mut moved) = (HEADER as u64, Vec::with_capacity(entries.len()));
        let mut sections = Vec::with_capacity(entries.len());
        for entry in entries {
            let (begin, mut entry) = (end, entry.clone());
            for block in &mut entry.blocks {
                block.offset = end;
                end += u64::from(block.length);
            }
            sections.push(begin..end);
            moved.push(entry);
        }
        moved.sort_by_key(|entry| entry.key);
        let blocks: Vec<Block> = moved.iter().flat_map(|entry| blocks_of(entry, contents.kind)).collect();
        Assembly { frame: Frame::new(contents, &blocks, meta, end, None), sections }
    }

    /// Bytes of the table.
    pub fn length(&self) -> u64 {
        self.blocks_end() + self.frame.rest.len() as u64
    }

    fn blocks_end(&self) -> u64 {
        self.sections.last().map_or(HEADER as u64, |last| last.end)
    }

    /// The bytes of a range of the table; `packed` gives the blocks of a section, back to back, by its number.
    pub fn bytes(&self, range: Range<u64>, packed: impl Fn(usize) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
        let mut add = |begin: u64, part: &[u8]| {
            let inside = |place: u64| place.clamp(begin, begin + part.len() as u64) - begin;
            bytes.extend_from_slice(&part[inside(range.start) as usize..inside(range.end) as usize]);
        };
        add(0, &self.frame.header);
        for (number, place) in self.sections.iter().enumerate() {
            if place.start < range.end && range.start < place.end {
                add(place.start, &packed(number)?);
            }
        }
        add(self.blocks_end(), &self.frame.rest);
        Ok(bytes)
    }
}
