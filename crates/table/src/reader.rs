//! Reads finished tables.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::FromBytes;

use super::blocks::LANES;
use super::coded_block;
use super::compression::{check, inflate, not_plain, plain};
use super::context_model::{GROUP_ROWS, MODEL_BYTES, Model};
use super::extents::Extents;
use super::format::{
    BlockEntry, BlockForm, HEADER, Header, IndexKind, MODEL_PLACE, Meta, ModelPlace, PageEntry, Section,
};
use super::packed_blocks::{PackedBlock, PackedBlocks};
use super::pages::{BLOCKS_PER_PAGE, PAGE_ENTRY, decode_page, directory_range, length_by_header};
use super::recent::Recent;
use super::source::ReadAt;
use super::{Result, TableError, pieces};

/// Maximum number of sorted keys per byte of a file. Real files have one or two bytes per key.
const MAX_KEYS_PER_BYTE: u64 = 32;

/// A finished table, ready for look-ups.
///
/// Opening a table reads and checks the header and the directory (32 bytes for each 256 blocks). A page of the index is
/// read and checked when it is first needed, and stays in memory. A block is read and checked at every use, but single
/// look-ups keep recent blocks in memory ([`Table::recent_block`], [`Table::recent_rows`]).
pub struct Table {
    path: PathBuf,
    source: Box<dyn ReadAt>,
    /// The header, as checked when the table was opened.
    pub header: Header,
    directory: Vec<PageEntry>,
    pages: Vec<OnceLock<Vec<BlockEntry>>>,
    form: BlockForm,
    /// The probability model of coded blocks. It is read together with the first page of the index that is needed.
    model: OnceLock<(ModelPlace, Model)>,
    /// The byte ranges of the model and of the blocks of all index pages read so far, to find blocks that overlap.
    taken: Mutex<Extents>,
    recent: Recent<Rows>,
    /// The cache of packed blocks. The first single look-up that reads a block creates it.
    packed: OnceLock<PackedBlocks>,
}

/// Some consecutive rows of a block, inflated.
pub struct Rows {
    /// Index of the first of these rows in the block.
    pub first: usize,
    /// Number of rows.
    pub count: usize,
    /// The plain bytes of these rows, in the format of a block.
    pub plain: Vec<u8>,
}

impl Table {
    /// Opens a table, in one file or in pieces, and checks its header, length and directory. A table with another rule
    /// code, revision of the rules or value codec than the given ones is an error.
    pub fn open(path: &Path, code: &str, rules_revision: u32, value_codec: u8) -> Result<Table> {
        Table::from_source(pieces::open(path)?, path, code, rules_revision, value_codec)
    }

    /// Like [`Table::open`], but reads from any source. Error messages name it `path`.
    pub fn from_source(
        source: Box<dyn ReadAt>,
        path: &Path,
        code: &str,
        rules_revision: u32,
        value_codec: u8,
    ) -> Result<Table> {
        Table::open_any_game(source, path)?.of_game(code, rules_revision, value_codec)
    }

    /// Returns the table itself, or an error if it has another rule code, revision of the rules or value codec.
    pub fn of_game(self, code: &str, rules_revision: u32, value_codec: u8) -> Result<Table> {
        let (header, foreign) = (&self.header, |what: String| TableError::foreign(&self.path, what));
        if header.rule_code() != code {
            return Err(foreign(format!("is the table of {}, not of {code}", header.rule_code().escape_debug())));
        }
        if header.rules_revision != rules_revision {
            let revision = header.rules_revision;
            return Err(foreign(format!(
                "was made with revision {revision} of the rules, but this program has revision {rules_revision}"
            )));
        }
        if header.value_codec != value_codec {
            let found = header.value_codec;
            return Err(foreign(format!("has values of codec {found}, not of codec {value_codec}")));
        }
        Ok(self)
    }

    /// Like [`Table::from_source`], but accepts a table of any game.
    pub fn open_any_game(source: Box<dyn ReadAt>, path: &Path) -> Result<Table> {
        let read = |range| source.read_at(range).map_err(TableError::read(path));
        let length = source.length();
        let first = read(0..length.min(HEADER as u64))?;
        let header = Header::from_bytes(&first).map_err(|what| match Header::is_of_this_version(&first) {
            true => TableError::damaged(path, what),
            false => TableError::foreign(path, what),
        })?;
        drop(first);
        if (header.part.get(), header.parts.get()) != (0, 1) {
            let [part, parts] = [header.part, header.parts];
            return Err(TableError::foreign(
                path,
                format!("is part {part} of {parts}, but this program reads whole tables only"),
            ));
        }
        let Some(directory) = directory_range(&header).filter(|range| range.end <= length) else {
            return Err(TableError::damaged(path, format!("is {length} bytes long, too short for its header")));
        };
        let expected = length_by_header(&header);
        if expected != Some(length) {
            let expected = expected.map_or("another length".into(), |length| format!("{length} bytes"));
            return Err(TableError::damaged(path, format!("is {length} bytes long, but its header says {expected}")));
        }
        if header.index_kind == IndexKind::SortedKeys && !is_plausible(&header, length) {
            let what =
                format!("is {length} bytes long, which does not fit the {} positions in its header", header.positions);
            return Err(TableError::damaged(path, what));
        }
        let bytes = read(directory)?;
        if xxh3_64(&bytes) != header.directory_hash.get() {
            return Err(TableError::damaged(path, "its directory does not match its checksum"));
        }
        let directory = <[PageEntry]>::ref_from_bytes(&bytes).expect("whole entries").to_vec();
        let pages = directory.iter().map(|_| OnceLock::new()).collect();
        drop(bytes);
        let number = directory.first().map_or(BlockForm::Zstd as u8, |page| page.form);
        let form = BlockForm::of(number, header.index_kind).ok_or_else(|| unknown_form(path))?;
        let (path_buf, model, taken) = (path.to_path_buf(), OnceLock::new(), Mutex::default());
        let (recent, packed) = (Recent::new(), OnceLock::new());
        let table = Table { path: path_buf, source, header, directory, pages, form, model, taken, recent, packed };
        table.check_directory()?;
        Ok(table)
    }

    /// Checks that the pages lie back to back up to the directory and that their keys ascend.
    fn check_directory(&self) -> Result<()> {
        let mut end = self.header.pages_offset.get();
        let mut last = None;
        for page in &self.directory {
            if (page.form, page.values, page.zero.get()) != (self.form as u8, 1, 0) {
                return Err(unknown_form(&self.path));
            }
            let in_order = page.offset == end && last.is_none_or(|last| last < page.key.get());
            last = in_order.then_some(page.key.get());
            let after = in_order.then(|| end.checked_add(page.length.get().into())).flatten();
            end = after.ok_or_else(|| self.damaged("its directory of pages is not valid"))?;
        }
        let is_whole = end == self.header.directory_offset.get() && self.header.pages_offset >= HEADER as u64;
        if is_whole { Ok(()) } else { Err(self.damaged("its directory of pages is not valid")) }
    }

    /// Returns the form of the table's blocks.
    pub fn form(&self) -> BlockForm {
        self.form
    }

    /// Returns the path of the table, as in error messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the length of the table in bytes, over all its pieces.
    pub fn length(&self) -> u64 {
        self.source.length()
    }

    /// Returns true if reads are slow, so that callers should announce them ([`Table::prefetch`]).
    pub fn is_remote(&self) -> bool {
        self.source.is_remote()
    }

    /// Announces look-ups of `keys`, which must ascend. A remote source fetches the pages of the index that these
    /// look-ups need, all together.
    pub fn prefetch_pages(&self, keys: &[u64]) -> Result<()> {
        if !self.is_remote() {
            return Ok(());
        }
        let mut pages: Vec<usize> =
            keys.iter().filter_map(|&key| self.page_of(key)).filter(|&page| self.pages[page].get().is_none()).collect();
        pages.dedup();
        let range = |page: usize| {
            let entry = self.directory[page];
            entry.offset.get()..entry.offset.get() + u64::from(entry.length.get())
        };
        let ranges: Vec<_> = pages.into_iter().map(range).collect();
        self.source.prefetch(&ranges).map_err(TableError::io(&self.path))
    }

    /// Announces reads of blocks. A remote source fetches them together.
    pub fn prefetch(&self, blocks: impl IntoIterator<Item = BlockEntry>) -> Result<()> {
        if !self.is_remote() {
            return Ok(());
        }
        let ranges: Vec<_> = blocks.into_iter().map(|block| block.packed.range()).collect();
        self.source.prefetch(&ranges).map_err(TableError::io(&self.path))
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> u64 {
        self.header.blocks.get()
    }

    fn read(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>> {
        self.source.read_at(range).map_err(TableError::read(&self.path))
    }

    /// Returns the entries of a page of the index. The first call reads and checks the page.
    fn page(&self, number: usize) -> Result<&[BlockEntry]> {
        if let Some(blocks) = self.pages[number].get() {
            return Ok(blocks);
        }
        let blocks = self.read_page(number)?;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have read the same page meanwhile.
        if self.pages[number].get().is_none() && !taken.take(blocks.iter().map(|block| block.packed.range())) {
            return Err(self.damaged(format!("page {number} of its index has blocks that overlap")));
        }
        Ok(self.pages[number].get_or_init(|| blocks))
    }

    fn read_page(&self, number: usize) -> Result<Vec<BlockEntry>> {
        let entry = self.directory[number];
        let packed = self.read(entry.offset.get()..entry.offset.get() + u64::from(entry.length.get()))?;
        if xxh3_64(&packed) != entry.hash.get() {
            return Err(self.damaged(format!("page {number} of its index does not match its checksum")));
        }
        let count = (self.blocks() as usize - number * BLOCKS_PER_PAGE).min(BLOCKS_PER_PAGE);
        let nonsense = || self.damaged(format!("page {number} of its index is not valid"));
        let behind = if self.form == BlockForm::Coded { MODEL_PLACE } else { 0 };
        let plain = inflate(&packed, count * PAGE_ENTRY + behind).ok_or_else(nonsense)?;
        let (columns, place) = plain.split_at_checked(plain.len().wrapping_sub(behind)).ok_or_else(nonsense)?;
        let next = self.directory.get(number + 1).map(|next| next.key.get());
        let blocks = decode_page(columns, count)
            .filter(|blocks| blocks[0].key == entry.key.get() && self.blocks_fit(blocks, next))
            .ok_or_else(nonsense)?;
        if let Ok(place) = ModelPlace::read_from_bytes(place) {
            self.read_model(place)?;
        }
        Ok(blocks)
    }

    /// Reads the probability model of coded blocks at `place`. Later calls only check that `place` is the same, because
    /// all pages of the index must name the same model.
    fn read_model(&self, place: ModelPlace) -> Result<()> {
        if self.model.get().is_none() {
            let (start, length) = (place.offset.get(), u64::from(place.length.get()));
            let end = start.checked_add(length).filter(|&end| start >= HEADER as u64 && end <= self.pages_offset());
            let packed = self.read(start..end.ok_or_else(|| self.damaged("its model lies outside the file"))?)?;
            if xxh3_64(&packed) != place.hash.get() {
                return Err(self.damaged("its model does not match its checksum"));
            }
            let model = inflate(&packed, MODEL_BYTES).and_then(|plain| Model::of_bytes(&plain));
            let model = model.ok_or_else(|| self.damaged("its model is not valid"))?;
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            if self.model.get().is_none() && !taken.take(std::iter::once(start..start + length)) {
                return Err(self.damaged("its model overlaps a block"));
            }
            let _ = self.model.set((place, model));
        }
        match self.model.get() {
            Some((known, _)) if *known == place => Ok(()),
            _ => Err(self.damaged("its pages name different models")),
        }
    }

    /// Returns the model of coded blocks. Returns an error if no page of the index has been read, because the model is
    /// read together with a page.
    fn model(&self) -> Result<&Model> {
        self.model.get().map(|(_, model)| model).ok_or_else(|| self.damaged("has no model"))
    }

    fn pages_offset(&self) -> u64 {
        self.header.pages_offset.get()
    }

    /// Returns true if the blocks of a page lie within the file, are not too large, and are in ascending order of keys.
    /// The last key of each block of rows must be smaller than the first key of the next block. `next` is the first key
    /// of the next page, or `None` for the last page.
    fn blocks_fit(&self, blocks: &[BlockEntry], next: Option<u64>) -> bool {
        let kind = self.header.index_kind;
        let fits = |block: &BlockEntry| {
            let (packed, rows) = (block.packed, u64::from(block.rows));
            let inside = packed.end().is_some_and(|end| end <= self.pages_offset());
            inside
                && packed.offset >= HEADER as u64
                && (1..=kind.rows_per_block() as u64).contains(&rows)
                && u64::from(packed.plain) <= kind.longest_block(rows)
        };
        let end = |block: &BlockEntry| block.key.checked_add(kind.keys_of_rows(block.rows.into()) - 1);
        let is_before = |block: &BlockEntry, key: u64| end(block).is_some_and(|end| end < key);
        let last = &blocks[blocks.len() - 1];
        blocks.iter().all(fits)
            && blocks.windows(2).all(|pair| is_before(&pair[0], pair[1].key))
            && next.map_or(end(last).is_some(), |next| is_before(last, next))
    }

    /// Returns the index entry of block `number`. Blocks are numbered from 0 in key order.
    pub fn entry(&self, number: u64) -> Result<BlockEntry> {
        if number >= self.blocks() {
            return Err(self.damaged(format!("has no block {number}")));
        }
        let (page, at) = (number as usize / BLOCKS_PER_PAGE, number as usize % BLOCKS_PER_PAGE);
        Ok(self.page(page)?[at])
    }

    /// Returns the number and the index entry of the last block whose first key is at most `key`, or `None` if there is
    /// no such block. The block need not contain `key`.
    pub fn block_of(&self, key: u64) -> Result<Option<(u64, BlockEntry)>> {
        let Some(page) = self.page_of(key) else { return Ok(None) };
        let blocks = self.page(page)?;
        // The first block begins with the key of the page, so its key is at most `key`.
        let at = blocks.partition_point(|block| block.key <= key) - 1;
        Ok(Some(((page * BLOCKS_PER_PAGE + at) as u64, blocks[at])))
    }

    /// Returns the number of the last page whose first key is at most `key`, or `None` if there is no such page.
    fn page_of(&self, key: u64) -> Option<usize> {
        self.directory.partition_point(|page| page.key <= key).checked_sub(1)
    }

    /// Returns all sections in the order of their keys. Reads the whole index.
    pub fn sections(&self) -> Result<Vec<Section>> {
        let kind = self.header.index_kind;
        let mut sections: Vec<Section> = Vec::new();
        let mut is_full = false;
        for number in 0..self.blocks() {
            let block = self.entry(number)?;
            let rows = u64::from(block.rows);
            match sections.last_mut() {
                Some(section) if !block.starts_section => {
                    let in_row = is_full && block.key == section.key + kind.keys_of_rows(section.rows);
                    section.rows += rows;
                    (in_row && kind != IndexKind::SortedKeys).then_some(()).ok_or_else(|| {
                        self.damaged(format!("block {number} does not begin where the block before it ends"))
                    })?;
                }
                _ if block.starts_section => sections.push(Section { key: block.key, first_block: number, rows }),
                _ => return Err(self.damaged("its first block does not begin a section")),
            }
            is_full = rows == kind.rows_per_block() as u64;
        }
        match sections.len() as u64 == self.header.sections.get() {
            true => Ok(sections),
            false => {
                let stated = self.header.sections;
                Err(self.damaged(format!("has {} sections, but its header states {stated}", sections.len())))
            }
        }
    }

    /// Reads, checks and inflates a block.
    pub fn block(&self, number: u64) -> Result<Vec<u8>> {
        self.inflated(&self.entry(number)?)
    }

    /// Reads, checks and inflates the block with this index entry.
    pub fn inflated(&self, block: &BlockEntry) -> Result<Vec<u8>> {
        self.plain(block, &self.packed(block)?)
    }

    /// Like [`Table::inflated`], but for single look-ups: it caches recent blocks in packed form.
    pub fn recent_block(&self, block: &BlockEntry) -> Result<Vec<u8>> {
        self.plain(block, &self.recently_packed(block)?)
    }

    fn plain(&self, block: &BlockEntry, packed: &[u8]) -> Result<Vec<u8>> {
        let plain = match self.form {
            BlockForm::Zstd => plain(packed, block.packed),
            BlockForm::Coded => {
                coded_block::decode(packed, block.rows as usize, block.packed.plain as usize, self.model()?)
            }
        };
        plain.ok_or_else(|| self.damaged(not_plain(block.packed)))
    }

    /// Reads and checks a block of rows, and inflates the group of rows that contains `row`. A zstd block has no
    /// groups, so all of it is inflated.
    ///
    /// # Errors
    ///
    /// Returns an error if the block is damaged or has no such row.
    pub fn rows(&self, block: &BlockEntry, row: usize) -> Result<Rows> {
        self.plain_rows(block, row, &self.packed(block)?)
    }

    /// Like [`Table::rows`], but for single look-ups: it caches recent rows in inflated form.
    pub fn recent_rows(&self, block: &BlockEntry, row: usize) -> Result<Arc<Rows>> {
        let first = if self.form == BlockForm::Zstd { 0 } else { row - row % GROUP_ROWS };
        let inflate = || self.plain_rows(block, row, &self.recently_packed(block)?);
        self.recent.get(block.key + (first * LANES) as u64, block, inflate)
    }

    fn plain_rows(&self, block: &BlockEntry, row: usize, packed: &[u8]) -> Result<Rows> {
        let rows = block.rows as usize;
        if row >= rows {
            return Err(self.damaged("a block has the wrong size"));
        }
        if self.form == BlockForm::Zstd {
            return Ok(Rows { first: 0, count: rows, plain: self.plain(block, packed)? });
        }
        let group = coded_block::decode_group(packed, rows, row, self.model()?);
        let (first, count, plain) = group.ok_or_else(|| self.damaged(not_plain(block.packed)))?;
        Ok(Rows { first, count, plain })
    }

    /// Reads and checks a block, and returns its packed bytes.
    pub(super) fn packed(&self, block: &BlockEntry) -> Result<Cow<'_, [u8]>> {
        let bytes = self.read(block.packed.range())?;
        check(&bytes, block.packed).map_err(|what| self.damaged(what))?;
        Ok(bytes)
    }

    /// Like [`Table::packed`], but for single look-ups: it takes recent blocks from a cache.
    pub(super) fn recently_packed(&self, block: &BlockEntry) -> Result<PackedBlock<'_>> {
        if self.source.is_in_memory() {
            return Ok(PackedBlock::Read(self.packed(block)?));
        }
        let blocks = self.packed.get_or_init(PackedBlocks::new);
        let read = || self.packed(block).map(Cow::into_owned);
        blocks.get(block.packed, read).map(PackedBlock::Kept)
    }

    /// Empties the cache of packed blocks.
    pub(super) fn forget_packed(&self) {
        self.packed.get().into_iter().for_each(PackedBlocks::clear);
    }

    /// Reads the meta data.
    pub fn meta(&self) -> Result<Meta> {
        self.meta_as()
    }

    /// Reads the meta data as a `T`. This is for files in the table format that are not tables, such as certificates.
    pub fn meta_as<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.meta_bytes()?).map_err(|_| self.damaged("cannot read the meta data"))
    }

    /// Reads and checks the meta data, and returns its bytes.
    pub(super) fn meta_bytes(&self) -> Result<Cow<'_, [u8]>> {
        let bytes = self.read(self.length() - self.header.meta_length.get()..self.length())?;
        match xxh3_64(&bytes) == self.header.meta_hash.get() {
            true => Ok(bytes),
            false => Err(self.damaged("meta data does not match its checksum")),
        }
    }

    /// Returns the error for damage in this table. `what` describes the damage as in [`TableError::Damaged`].
    pub fn damaged(&self, what: impl Into<String>) -> TableError {
        TableError::damaged(&self.path, what)
    }
}

fn unknown_form(path: &Path) -> TableError {
    TableError::foreign(path, "has blocks in a form that this program cannot read")
}

/// Returns true if a file of sorted keys with this length can have as many positions and blocks as its header states.
/// Without this check, a wrong header could make a program that reads the whole file take unlimited memory.
fn is_plausible(header: &Header, length: u64) -> bool {
    header.blocks <= header.positions.get() && header.positions.get() / MAX_KEYS_PER_BYTE <= length
}
