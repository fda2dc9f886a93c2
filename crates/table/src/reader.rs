//! A finished table.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::blocks::KEYS_PER_BLOCK;
use super::compression::unpack;
use super::format::{BLOCK_ENTRY, Block, HEADER, Header, IndexKind, Meta, SECTION_ENTRY, Section};
use super::source::{self, ReadAt};
use super::{Result, TableError};
use crate::progress::Progress;

/// A table ready for look-ups. Opening reads and checks header and lists (a thousandth of the file), which stay in
/// memory; a block is read and checked when it is used.
pub struct Table {
    path: PathBuf,
    source: Box<dyn ReadAt>,
    pub header: Header,
    /// The section list, then the block list.
    lists: Vec<u8>,
}

impl Table {
    /// Opens a file and checks header, rule code, length and the lists' hash.
    pub fn open(path: &Path, code: &str, rules_revision: u32, value_codec: u8) -> Result<Table> {
        Table::from_source(source::open(path)?, path, code, rules_revision, value_codec)
    }

    /// As [`Table::open`], from any source; `path` is what errors call it.
    pub fn from_source(
        source: Box<dyn ReadAt>,
        path: &Path,
        code: &str,
        rules_revision: u32,
        value_codec: u8,
    ) -> Result<Table> {
        let read = |range| source.read_at(range).map_err(TableError::io(path));
        let foreign = |what: String| TableError::foreign(path, what);
        let header = Header::from_bytes(&read(0..source.length().min(HEADER as u64))?).map_err(foreign)?;
        if header.rule_code() != code {
            return Err(foreign(format!("is the table of {}, not of {code}", header.rule_code())));
        }
        if header.rules_revision != rules_revision {
            let revision = header.rules_revision;
            return Err(foreign(format!(
                "made by revision {revision} of the rules, this program has {rules_revision}"
            )));
        }
        if header.value_codec != value_codec {
            return Err(foreign("holds values of another kind".into()));
        }
        let per_block = header.index_kind.rows_per_block();
        if header.rows_per_block != per_block as u32 {
            return Err(foreign(format!("has {} rows in a block, not {per_block}", header.rows_per_block)));
        }
        let expected = expected_length(&header);
        if expected != Some(source.length()) {
            let expected = expected.map_or("another length".into(), |length| format!("{length} bytes"));
            let what = format!("is {} bytes long, its header says {expected}", source.length());
            return Err(TableError::damaged(path, what));
        }
        let lists = read(header.lists_offset.get()..source.length() - header.meta_length.get())?.into_owned();
        let table = Table { path: path.to_path_buf(), source, header, lists };
        table.check_lists()?;
        Ok(table)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn length(&self) -> u64 {
        self.source.length()
    }

    fn read(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>> {
        self.source.read_at(range).map_err(TableError::io(&self.path))
    }

    pub fn section(&self, number: u64) -> Section {
        Section::from_bytes(&self.lists[number as usize * SECTION_ENTRY..][..SECTION_ENTRY])
    }

    /// The section in whose range of keys `key` falls: the last whose own key is not larger.
    pub fn section_of(&self, key: u64) -> Option<u64> {
        let (mut low, mut high) = (0, self.header.sections.get());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.section(middle).key <= key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.checked_sub(1)
    }

    fn block_entry(&self, number: u64) -> Block {
        let start = self.header.sections.get() as usize * SECTION_ENTRY + number as usize * BLOCK_ENTRY;
        Block::from_bytes(&self.lists[start..][..BLOCK_ENTRY])
    }

    /// Checks and inflates a block.
    pub fn block(&self, number: u64) -> Result<Vec<u8>> {
        if number >= self.header.blocks.get() {
            return Err(self.damaged("a section names a block that is not there"));
        }
        let block = self.block_entry(number);
        let end =
            block.offset.checked_add(u64::from(block.length)).filter(|&end| end <= self.header.lists_offset.get());
        let (Some(end), true) = (end, block.offset >= HEADER as u64) else {
            return Err(self.damaged("a block lies outside the file"));
        };
        unpack(&self.read(block.offset..end)?, block).map_err(|what| self.damaged(what))
    }

    fn check_lists(&self) -> Result<()> {
        if xxh3_64(&self.lists) != self.header.lists_hash.get() {
            return Err(self.damaged("section and block lists do not match their checksum"));
        }
        self.sections_fit().ok_or_else(|| self.damaged("its section list makes no sense"))
    }

    /// Whether sections follow each other without overlap and name every block once.
    fn sections_fit(&self) -> Option<()> {
        let (mut next_key, mut next_block, mut rows) = (0u64, 0u64, 0u64);
        for number in 0..self.header.sections.get() {
            let section = self.section(number);
            let kind = self.header.index_kind;
            let (span, blocks, most) = match kind {
                IndexKind::SortedKeys => (1, 1, KEYS_PER_BLOCK as u64),
                _ => {
                    let blocks = section.rows.div_ceil(kind.rows_per_block() as u64);
                    (section.rows.checked_mul(64)?, blocks, 1 << 30)
                }
            };
            let in_order = section.key >= next_key && section.first_block == next_block;
            (in_order && (1..=most).contains(&section.rows)).then_some(())?;
            next_key = section.key.checked_add(span)?;
            next_block = next_block.checked_add(blocks)?;
            rows = rows.checked_add(section.rows)?;
        }
        (next_block == self.header.blocks.get()).then_some(())
    }

    /// Checks and inflates every block.
    pub fn check_blocks(&self, progress: &dyn Progress) -> Result<()> {
        progress.begin("checksums", self.header.blocks.get());
        (0..self.header.blocks.get()).into_par_iter().try_for_each(|number| {
            progress.advance(1);
            self.block(number).map(|_| ())
        })?;
        progress.end("all blocks match");
        Ok(())
    }

    /// Reads the JSON at the end.
    pub fn meta(&self) -> Result<Meta> {
        let bytes = self.read(self.length() - self.header.meta_length.get()..self.length())?;
        if xxh3_64(&bytes) != self.header.meta_hash.get() {
            return Err(self.damaged("meta data does not match its checksum"));
        }
        serde_json::from_slice(&bytes).map_err(|_| self.damaged("meta data is not readable"))
    }

    pub fn damaged(&self, what: impl Into<String>) -> TableError {
        TableError::damaged(&self.path, what)
    }
}

/// Length of the file that a header stands in; `None` if no file is so long.
fn expected_length(header: &Header) -> Option<u64> {
    let sections = header.sections.get().checked_mul(SECTION_ENTRY as u64)?;
    let blocks = header.blocks.get().checked_mul(BLOCK_ENTRY as u64)?;
    (header.lists_offset.get() >= HEADER as u64).then_some(())?;
    header.lists_offset.get().checked_add(sections)?.checked_add(blocks)?.checked_add(header.meta_length.get())
}
