//! Assembles a table from finished sections. Any byte range of the table can be made separately, so several machines
//! can share the work.

use std::ops::Range;

use serde::Serialize;

use super::Result;
use super::format::{BlockEntry, HEADER};
use super::journal::SectionRecord;
use super::store::blocks_of;
use super::writer::{Contents, Frame};

/// The layout of a table that is made from finished sections in a given order. A [`super::Store`], the file to which a
/// run appends sections, makes the same table from them, byte for byte.
pub struct Assembly {
    frame: Frame,
    /// The byte range of each section's blocks.
    sections: Vec<Range<u64>>,
}

impl Assembly {
    /// Lays out the sections in the order of `entries`. `contents.positions` is the total number of positions in all
    /// sections. `meta` is the meta data.
    pub fn new(entries: &[SectionRecord], contents: &Contents, meta: &impl Serialize) -> Assembly {
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
        let blocks: Vec<BlockEntry> = moved.iter().flat_map(|entry| blocks_of(entry, contents.kind)).collect();
        Assembly { frame: Frame::new(contents, &blocks, meta, end, None), sections }
    }

    /// Returns the length of the table in bytes.
    pub fn length(&self) -> u64 {
        self.blocks_end() + self.frame.rest.len() as u64
    }

    fn blocks_end(&self) -> u64 {
        self.sections.last().map_or(HEADER as u64, |last| last.end)
    }

    /// Returns the bytes of the table in `range`. `packed` takes the index of a section and returns the compressed
    /// blocks of this section, back to back.
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
