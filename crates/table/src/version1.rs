//! Upgrades tables of format version 1. Blocks of rows are copied byte for byte. Blocks of sorted keys are decoded and
//! encoded again.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, KnownLayout, TryFromBytes, Unaligned};

use super::blocks::{KEYS_PER_BLOCK, encode_keys};
use super::compression::unpack;
use super::format::{BlockEntry, BlockPlace, CODE_LENGTH, FINISHED_MARK, IndexKind, MAGIC, Meta};
use super::source::ReadAt;
use super::{Contents, PartFile, Replaceable, Result, TableError, Writer, pieces};

/// Zstandard level for blocks of sorted keys, the same as in tables that a run writes.
const LEVEL: i32 = 3;

#[derive(TryFromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct OldHeader {
    magic: [u8; 8],
    format_version: U16,
    index_kind: IndexKind,
    value_codec: u8,
    rules_revision: U32,
    rows_per_block: U32,
    finished: [u8; 4],
    positions: U64,
    sections: U64,
    blocks: U64,
    lists_offset: U64,
    lists_hash: U64,
    meta_length: U64,
    meta_hash: U64,
    rule_code: [u8; CODE_LENGTH],
    header_hash: U64,
}

const HEADER: usize = size_of::<OldHeader>();

#[derive(FromBytes, Immutable, KnownLayout, Unaligned, Clone, Copy)]
#[repr(C)]
struct OldSectionEntry {
    key: U64,
    first_block: U64,
    rows: U64,
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned, Clone, Copy)]
#[repr(C)]
struct OldBlockEntry {
    offset: U64,
    length: U32,
    plain: U32,
    hash: U64,
}

/// A table of format version 1, with the index entries of its blocks.
struct OldTable<'a> {
    path: &'a Path,
    source: Box<dyn ReadAt>,
    kind: IndexKind,
    blocks: Vec<BlockEntry>,
}

/// Returns true if a file begins like a table of version 1, finished or not.
pub fn is_version1(path: &Path) -> Result<bool> {
    let source = pieces::open(path)?;
    let start = source.read_at(0..source.length().min(10)).map_err(TableError::read(path))?;
    Ok(start.starts_with(&MAGIC) && start[8..] == [1, 0])
}

/// Upgrades a table of version 1 in place. A table in pieces becomes one file.
///
/// # Errors
///
/// Returns an error if a checksum does not match or the table cannot be read or replaced. A damaged file stays as it
/// is.
pub fn upgrade(path: &Path) -> Result<()> {
    let source = pieces::open(path)?;
    let read = |start: u64, end: u64| source.read_at(start..end).map_err(TableError::read(path));
    let damaged = |what: &str| TableError::damaged(path, what);
    let length = source.length();
    let header = read(0, length.min(HEADER as u64))?.into_owned();
    let header = OldHeader::try_ref_from_bytes(&header).map_err(|_| damaged("its header is not valid"))?;
    let bytes = read(0, HEADER as u64 - 8)?;
    let is_whole = header.magic == MAGIC && header.format_version == 1 && header.finished == FINISHED_MARK;
    if !is_whole || xxh3_64(&bytes) != header.header_hash.get() {
        return Err(damaged("is not a finished table of version 1"));
    }
    let lists = header.lists_offset.get();
    let entry = |count: U64| count.get().checked_mul(24);
    let ends = entry(header.sections).and_then(|sections| {
        let blocks = lists.checked_add(sections)?;
        let meta = blocks.checked_add(entry(header.blocks)?)?;
        (meta.checked_add(header.meta_length.get())? == length && lists >= HEADER as u64).then_some([blocks, meta])
    });
    let [blocks_at, meta_at] = ends.ok_or_else(|| damaged("is not as long as its header says"))?;
    let (bytes, meta) = (read(lists, meta_at)?, read(meta_at, length)?);
    if xxh3_64(&bytes) != header.lists_hash.get() || xxh3_64(&meta) != header.meta_hash.get() {
        return Err(damaged("its lists or meta data do not match their checksum"));
    }
    let (sections, blocks) = bytes.split_at((blocks_at - lists) as usize);
    let sections = <[OldSectionEntry]>::ref_from_bytes(sections).expect("whole entries");
    let blocks = <[OldBlockEntry]>::ref_from_bytes(blocks).expect("whole entries");
    let kind = header.index_kind;
    let per_block = if kind == IndexKind::SortedKeys { KEYS_PER_BLOCK } else { kind.rows_per_block() };
    let blocks = blocks_of(sections, blocks, per_block as u64, kind, lists);
    let blocks = blocks.filter(|_| header.rows_per_block == per_block as u32);
    let blocks = blocks.ok_or_else(|| damaged("its lists are not valid"))?;
    let meta: Meta = serde_json::from_slice(&meta).map_err(|_| damaged("cannot read the meta data"))?;
    let code = header.rule_code.split(|&byte| byte == 0).next().unwrap_or_default();
    let code = std::str::from_utf8(code).map_err(|_| damaged("its rule code is not valid"))?;
    let contents = Contents {
        kind,
        value_codec: header.value_codec,
        rule_code: code,
        rules_revision: header.rules_revision.get(),
        positions: header.positions.get(),
    };
    let table = OldTable { path, source: pieces::open(path)?, kind, blocks };
    let (part, file) = PartFile::create(path, Replaceable::table())?;
    let mut writer = Writer::new(file, LEVEL);
    let blocks = table.copy(&mut writer)?;
    writer.finish(&contents, &blocks, &meta, path)?;
    part.finish(writer.file())?;
    pieces::remove(path)
}

/// Returns the index entries of all blocks of a table of version 1, in the order of their keys. All blocks of a section
/// but the last have `per_block` rows. Returns `None` if the sections and the blocks do not match, or if a block ends
/// after offset `end`.
fn blocks_of(
    sections: &[OldSectionEntry],
    entries: &[OldBlockEntry],
    per_block: u64,
    kind: IndexKind,
    end: u64,
) -> Option<Vec<BlockEntry>> {
    let mut blocks = Vec::new();
    let mut next_key = 0;
    for section in sections {
        let (key, rows) = (section.key.get(), section.rows.get());
        let fits = section.first_block == blocks.len() as u64 && (1..=1 << 30).contains(&rows) && key >= next_key;
        fits.then_some(())?;
        for first in (0..rows).step_by(per_block as usize) {
            let entry = entries.get(blocks.len())?;
            let packed = BlockPlace {
                offset: entry.offset.get(),
                length: entry.length.get(),
                plain: entry.plain.get(),
                hash: entry.hash.get(),
            };
            (packed.offset >= HEADER as u64 && packed.end()? <= end).then_some(())?;
            let rows = (rows - first).min(per_block) as u32;
            let key = key.checked_add(kind.keys_of_rows(first))?;
            blocks.push(BlockEntry { key, rows, starts_section: first == 0, packed });
        }
        next_key = key.checked_add(kind.keys_of_rows(rows))?;
    }
    (blocks.len() == entries.len()).then_some(blocks)
}

impl OldTable<'_> {
    /// Appends all blocks to `writer`, in their order in the old file. Returns their new index entries, in the order of
    /// their keys.
    fn copy(&self, writer: &mut Writer) -> Result<Vec<BlockEntry>> {
        let mut order: Vec<usize> = (0..self.blocks.len()).collect();
        order.sort_by_key(|&number| self.blocks[number].packed.offset);
        let mut blocks = self.blocks.clone();
        for number in order {
            let block = &self.blocks[number];
            let old = block.packed;
            let range = old.offset..old.offset + u64::from(old.length);
            let bytes = self.source.read_at(range).map_err(TableError::read(self.path))?;
            let plain = unpack(&bytes, old).map_err(|what| TableError::damaged(self.path, what))?;
            blocks[number].packed = match self.kind {
                IndexKind::SortedKeys => {
                    let (keys, values) = self.sorted_keys(&plain, block)?;
                    writer.append(&[()], |()| encode_keys(&keys, values), self.path)?[0]
                }
                _ => writer.append_packed(&bytes, old.plain, self.path)?,
            };
        }
        Ok(blocks)
    }

    /// Decodes the keys and values of a block, which has 8 bytes for each key, then a byte for each value.
    fn sorted_keys<'b>(&self, plain: &'b [u8], block: &BlockEntry) -> Result<(Vec<u64>, &'b [u8])> {
        let rows = block.rows as usize;
        let (keys, values) = <[U64]>::ref_from_prefix_with_elems(plain, rows)
            .map_err(|_| TableError::damaged(self.path, "a block has the wrong size"))?;
        let keys: Vec<u64> = keys.iter().map(|key| key.get()).collect();
        match keys[0] == block.key && keys.is_sorted_by(|a, b| a < b) && values.len() == rows {
            true => Ok((keys, values)),
            false => Err(TableError::damaged(self.path, "its keys are not sorted")),
        }
    }
}
