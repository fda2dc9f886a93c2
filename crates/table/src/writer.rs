//! Blocks packed into a file, and what makes a table of it: pages, directory, meta and header.

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use super::blocks::{MAX_KEYS_PER_BLOCK, encode_keys};
use super::compression::pack;
use super::context_model::Model;
use super::disk::DiskFile;
use super::format::{
    Block, BlockForm, FINISHED_MARK, FORMAT_VERSION, HEADER, Header, IndexKind, MAGIC, ModelPlace, Packed, PageEntry,
};
use super::pages::{BLOCKS_PER_PAGE, encode_page};
use super::{Result, TableError};

/// Zstandard level of pages: they are few.
const PAGE_LEVEL: i32 = 9;

/// The same of a model: there is one.
const MODEL_LEVEL: i32 = 19;

/// The same of blocks of tables that leave an outcome out; docs/perf tells why.
pub const LISTED_LEVEL: i32 = 9;

/// Blocks that are packed before they are written, so that a large tier is never whole in memory a second time.
const BATCH: usize = 1024;

/// What the header says of a table but for where things lie.
pub struct Contents<'a> {
    pub kind: IndexKind,
    pub value_codec: u8,
    pub rule_code: &'a str,
    pub rules_revision: u32,
    pub positions: u64,
}

/// A file that blocks are appended to.
pub struct Writer {
    file: DiskFile,
    /// Where the next block goes.
    end: u64,
    level: i32,
    /// Where the model of coded blocks is, if it has such.
    model: Option<ModelPlace>,
}

impl Writer {
    /// Goes on behind what is there of a file: `end` is where its blocks end, if it has any.
    pub(super) fn resume(file: DiskFile, end: u64, level: i32) -> Writer {
        Writer { file, end, level, model: None }
    }

    /// Begins a file; blocks are packed at this Zstandard level.
    pub fn new(file: DiskFile, level: i32) -> Writer {
        Writer::resume(file, HEADER as u64, level)
    }

    /// The file.
    pub fn file(&self) -> &DiskFile {
        &self.file
    }

    /// Sets the Zstandard level of what is appended from now on.
    pub fn set_level(&mut self, level: i32) {
        self.level = level;
    }

    /// Appends a section of sorted keys with a byte each, and returns its blocks.
    pub fn append_keys(&mut self, keys: &[u64], bytes: &[u8], path: &Path) -> Result<Vec<Block>> {
        let lists = keys.chunks(MAX_KEYS_PER_BLOCK).zip(bytes.chunks(MAX_KEYS_PER_BLOCK));
        let lists: Vec<(&[u64], &[u8])> = lists.collect();
        let packed = self.append(&lists, |(keys, bytes)| encode_keys(keys, bytes), path)?;
        let block = |(&(keys, _), packed): (&(&[u64], _), _)| Block {
            key: keys[0],
            rows: keys.len() as u32,
            begins: true,
            packed,
        };
        Ok(lists.iter().zip(packed).map(block).collect())
    }

    /// Packs and appends blocks, all threads at work, and returns where they lie. `plain` makes the bytes of each of
    /// `blocks`. What fails leaves nothing behind that counts; `path` is what errors call the file.
    pub fn append<T: Sync>(
        &mut self,
        blocks: &[T],
        plain: impl Fn(&T) -> Vec<u8> + Sync,
        path: &Path,
    ) -> Result<Vec<Packed>> {
        let level = self.level;
        let pack = |block: &T| {
            let plain = plain(block);
            Ok((plain.len() as u32, pack(&plain, level)))
        };
        self.append_made(blocks, pack, path)
    }

    /// As [`Writer::append`]; `packed` makes of each of `blocks` its length once inflated and its bytes as they are
    /// packed.
    pub(super) fn append_made<T: Sync>(
        &mut self,
        blocks: &[T],
        packed: impl Fn(&T) -> Result<(u32, Vec<u8>)> + Sync,
        path: &Path,
    ) -> Result<Vec<Packed>> {
        let (mut end, mut all) = (self.end, Vec::with_capacity(blocks.len()));
        for batch in blocks.chunks(BATCH) {
            let packed: Vec<(u32, Vec<u8>)> = batch.par_iter().map(&packed).collect::<Result<_>>()?;
            let mut bytes = Vec::with_capacity(packed.iter().map(|(_, bytes)| bytes.len()).sum());
            let start = end;
            for (plain, packed) in packed {
                all.push(Packed { offset: end, length: packed.len() as u32, plain, hash: xxh3_64(&packed) });
                end += packed.len() as u64;
                bytes.extend_from_slice(&packed);
            }
            self.file.write_all_at(&bytes, start).map_err(TableError::io(path))?;
        }
        self.end = end;
        Ok(all)
    }

    /// Appends a block that is packed already; `plain` is its length once inflated.
    pub(super) fn append_packed(&mut self, bytes: &[u8], plain: u32, path: &Path) -> Result<Packed> {
        self.file.write_all_at(bytes, self.end).map_err(TableError::io(path))?;
        let packed = Packed { offset: self.end, length: bytes.len() as u32, plain, hash: xxh3_64(bytes) };
        self.end += bytes.len() as u64;
        Ok(packed)
    }

    /// Appends the model of coded blocks: those that the table has.
    pub(super) fn append_model(&mut self, model: &Model, path: &Path) -> Result<()> {
        let bytes = pack(&model.to_bytes(), MODEL_LEVEL);
        let Packed { offset, length, hash, .. } = self.append_packed(&bytes, 0, path)?;
        self.model = Some(ModelPlace { offset: offset.into(), length: length.into(), hash: hash.into() });
        Ok(())
    }

    /// Makes the file a table of these blocks, which ascend by key, and has it all on the disk; the header comes last.
    pub fn finish(&self, contents: &Contents, blocks: &[Block], meta: &impl Serialize, path: &Path) -> Result<()> {
        let io = TableError::io;
        let Frame { header, rest } = Frame::new(contents, blocks, meta, self.end, self.model);
        self.file.write_all_at(&rest, self.end).map_err(io(path))?;
        self.file.set_len(self.end + rest.len() as u64).map_err(io(path))?;
        self.file.sync().map_err(io(path))?;
        self.file.write_all_at(&header, 0).map_err(io(path))?;
        self.file.sync().map_err(io(path))
    }
}

/// What a table has around its blocks.
pub(super) struct Frame {
    /// The first [`HEADER`] bytes.
    pub header: Vec<u8>,
    /// What comes behind the blocks: pages, directory, meta.
    pub rest: Vec<u8>,
}

impl Frame {
    /// Of blocks that ascend by key and end in the file at `end`; of coded ones with their model.
    pub fn new(
        contents: &Contents,
        blocks: &[Block],
        meta: &impl Serialize,
        blocks_end: u64,
        model: Option<ModelPlace>,
    ) -> Frame {
        let form = if model.is_some() { BlockForm::Coded } else { BlockForm::Zstd };
        let page = |blocks: &[Block]| {
            let mut page = encode_page(blocks);
            page.extend_from_slice(model.as_ref().map_or(&[], |model| model.as_bytes()));
            pack(&page, PAGE_LEVEL)
        };
        let pages: Vec<Vec<u8>> = blocks.par_chunks(BLOCKS_PER_PAGE).map(page).collect();
        let mut end = blocks_end;
        let entry = |(blocks, page): (&[Block], &Vec<u8>)| {
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
        let directory: Vec<PageEntry> = blocks.chunks(BLOCKS_PER_PAGE).zip(&pages).map(entry).collect();
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
            sections: (blocks.iter().filter(|block| block.begins).count() as u64).into(),
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
