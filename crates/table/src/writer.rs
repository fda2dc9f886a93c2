//! Writes blocks to a file, then the pages, directory, meta data and header that make it a table.

use std::path::Path;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use super::blocks::{MAX_KEYS_PER_BLOCK, encode_keys};
use super::compression::pack;
use super::context_model::Model;
use super::disk::DiskFile;
use super::format::{
    BlockEntry, BlockForm, BlockPlace, FINISHED_MARK, FORMAT_VERSION, HEADER, Header, IndexKind, MAGIC, ModelPlace,
    PageEntry,
};
use super::pages::{BLOCKS_PER_PAGE, encode_page};
use super::{Result, TableError, parallel};

/// Zstandard level of the pages of the index: a high one, because there are few pages.
const PAGE_LEVEL: i32 = 9;

/// Zstandard level of the probability model of coded blocks: a high one, because a table has only one model.
const MODEL_LEVEL: i32 = 19;

/// Zstandard level of blocks in tables that leave out an outcome, such as wins; docs/perf gives the reasons.
pub const LISTED_LEVEL: i32 = 9;

/// Maximum number of packed blocks in memory. They are written to the file before more blocks are packed. So a large
/// tier is never in memory twice, plain and packed.
const BATCH: usize = 1024;

/// The fields of a table's header that cannot be computed from the blocks and the meta data.
pub struct Contents<'a> {
    /// The mapping from keys to blocks.
    pub kind: IndexKind,
    /// The encoding of values as table bytes ([`Header::value_codec`]).
    pub value_codec: u8,
    /// The rule code; at most [`CODE_LENGTH`](super::format::CODE_LENGTH) bytes.
    pub rule_code: &'a str,
    /// The revision of the rules ([`Header::rules_revision`]).
    pub rules_revision: u32,
    /// Number of positions, including unlisted ones ([`Header::positions`]).
    pub positions: u64,
}

/// A file to which blocks are appended.
pub struct Writer {
    file: DiskFile,
    /// Offset in bytes at which the next block is written.
    end: u64,
    level: i32,
    /// The place in the file of the blocks' probability model; `None` if the blocks are Zstandard frames.
    model: Option<ModelPlace>,
}

impl Writer {
    /// Continues an existing file whose blocks end at `end`.
    pub(super) fn resume(file: DiskFile, end: u64, level: i32) -> Writer {
        Writer { file, end, level, model: None }
    }

    /// Begins a file. Blocks are packed at this Zstandard level.
    pub fn new(file: DiskFile, level: i32) -> Writer {
        Writer::resume(file, HEADER as u64, level)
    }

    /// Returns the file under construction.
    pub fn file(&self) -> &DiskFile {
        &self.file
    }

    /// Sets the Zstandard level of blocks appended from now on.
    pub fn set_level(&mut self, level: i32) {
        self.level = level;
    }

    /// Appends ascending keys with one byte for each key, in as few blocks as possible. Each block is a section.
    /// Returns the index entries of the blocks.
    pub fn append_keys(&mut self, keys: &[u64], bytes: &[u8], path: &Path) -> Result<Vec<BlockEntry>> {
        let lists = keys.chunks(MAX_KEYS_PER_BLOCK).zip(bytes.chunks(MAX_KEYS_PER_BLOCK));
        let lists: Vec<(&[u64], &[u8])> = lists.collect();
        let packed = self.append(&lists, |(keys, bytes)| encode_keys(keys, bytes), path)?;
        let block = |(&(keys, _), packed): (&(&[u64], _), _)| BlockEntry {
            key: keys[0],
            rows: keys.len() as u32,
            starts_section: true,
            packed,
        };
        Ok(lists.iter().zip(packed).map(block).collect())
    }

    /// Compresses blocks on all threads, appends them and returns their places. `plain` returns the plain bytes of a
    /// block. If a call fails, the next call overwrites the blocks that the failed call has written. Error messages
    /// name the file `path`.
    pub fn append<T: Sync>(
        &mut self,
        blocks: &[T],
        plain: impl Fn(&T) -> Vec<u8> + Sync,
        path: &Path,
    ) -> Result<Vec<BlockPlace>> {
        let level = self.level;
        let pack = |block: &T| {
            let plain = plain(block);
            Ok((plain.len() as u32, pack(&plain, level)))
        };
        self.append_made(blocks, pack, path)
    }

    /// Like [`Writer::append`], but `packed` returns the inflated length and the packed bytes of a block.
    pub(super) fn append_made<T: Sync>(
        &mut self,
        blocks: &[T],
        packed: impl Fn(&T) -> Result<(u32, Vec<u8>)> + Sync,
        path: &Path,
    ) -> Result<Vec<BlockPlace>> {
        let (mut end, mut all) = (self.end, Vec::with_capacity(blocks.len()));
        for batch in blocks.chunks(BATCH) {
            let packed = parallel::try_map(batch.len(), |number| packed(&batch[number]))?;
            let mut bytes = Vec::with_capacity(packed.iter().map(|(_, bytes)| bytes.len()).sum());
            let start = end;
            for (plain, packed) in packed {
                all.push(BlockPlace { offset: end, length: packed.len() as u32, plain, hash: xxh3_64(&packed) });
                end += packed.len() as u64;
                bytes.extend_from_slice(&packed);
            }
            self.file.write_all_at(&bytes, start).map_err(TableError::io(path))?;
        }
        self.end = end;
        Ok(all)
    }

    /// Appends a block that is compressed already, and returns its place. `plain` is its inflated length in bytes.
    pub(super) fn append_packed(&mut self, bytes: &[u8], plain: u32, path: &Path) -> Result<BlockPlace> {
        self.file.write_all_at(bytes, self.end).map_err(TableError::io(path))?;
        let packed = BlockPlace { offset: self.end, length: bytes.len() as u32, plain, hash: xxh3_64(bytes) };
        self.end += bytes.len() as u64;
        Ok(packed)
    }

    /// Appends the probability model of coded blocks. All blocks of the file must be coded with it.
    pub(super) fn append_model(&mut self, model: &Model, path: &Path) -> Result<()> {
        let bytes = pack(&model.to_bytes(), MODEL_LEVEL);
        let BlockPlace { offset, length, hash, .. } = self.append_packed(&bytes, 0, path)?;
        self.model = Some(ModelPlace { offset: offset.into(), length: length.into(), hash: hash.into() });
        Ok(())
    }

    /// Completes and syncs the table. `blocks` has the index entries of all blocks, in ascending order of keys. The
    /// header is written last.
    pub fn finish(&self, contents: &Contents, blocks: &[BlockEntry], meta: &impl Serialize, path: &Path) -> Result<()> {
        let io = TableError::io;
        let Frame { header, rest } = Frame::new(contents, blocks, meta, self.end, self.model);
        self.file.write_all_at(&rest, self.end).map_err(io(path))?;
        self.file.set_len(self.end + rest.len() as u64).map_err(io(path))?;
        self.file.sync().map_err(io(path))?;
        self.file.write_all_at(&header, 0).map_err(io(path))?;
        self.file.sync().map_err(io(path))
    }
}

/// The parts of a table before and after its blocks.
pub(super) struct Frame {
    /// The first [`HEADER`] bytes.
    pub header: Vec<u8>,
    /// The bytes after the blocks: pages, directory, meta data.
    pub rest: Vec<u8>,
}

impl Frame {
    /// Makes the frame of a table. `blocks` has the index entries of all blocks, in ascending order of keys. The blocks
    /// end at offset `blocks_end` of the file. `model` is the place of their model if the blocks are coded.
    pub fn new(
        contents: &Contents,
        blocks: &[BlockEntry],
        meta: &impl Serialize,
        blocks_end: u64,
        model: Option<ModelPlace>,
    ) -> Frame {
        let form = if model.is_some() { BlockForm::Coded } else { BlockForm::Zstd };
        let page = |blocks: &[BlockEntry]| {
            let mut page = encode_page(blocks);
            page.extend_from_slice(model.as_ref().map_or(&[], |model| model.as_bytes()));
            pack(&page, PAGE_LEVEL)
        };
        let parts: Vec<&[BlockEntry]> = blocks.chunks(BLOCKS_PER_PAGE).collect();
        let pages: Vec<Vec<u8>> = parallel::map(parts.len(), |number| page(parts[number]));
        let mut end = blocks_end;
        let entry = |(blocks, page): (&[BlockEntry], &Vec<u8>)| {
            let offset = end;
            end += page.len() as u64;
            PageEntry {
                key: blocks[0].key.into(),
                offset: offset.into(),
                length: (page.len() as u32).into(),
                form: form as u8,
                values: 1,
                zero: 0.into(),
                hash: xxh3_64(page).into(),
            }
        };
        let directory: Vec<PageEntry> = parts.into_iter().zip(&pages).map(entry).collect();
        let meta = serde_json::to_vec(meta).expect("meta is plain data");
        let header = Header {
            magic: MAGIC,
            format_version: FORMAT_VERSION.into(),
            index_kind: contents.kind,
            value_codec: contents.value_codec,
            rules_revision: contents.rules_revision.into(),
            part: 0.into(),
            parts: 1.into(),
            finished: FINISHED_MARK,
            positions: contents.positions.into(),
            sections: (blocks.iter().filter(|block| block.starts_section).count() as u64).into(),
            blocks: (blocks.len() as u64).into(),
            pages_offset: blocks_end.into(),
            directory_offset: end.into(),
            directory_hash: xxh3_64(directory.as_bytes()).into(),
            meta_length: (meta.len() as u64).into(),
            meta_hash: xxh3_64(&meta).into(),
            rule_code: Header::code_bytes(contents.rule_code),
            header_hash: 0.into(),
        };
        let rest = [&pages.concat(), directory.as_bytes(), &meta].concat();
        Frame { header: header.to_bytes().to_vec(), rest }
    }
}
