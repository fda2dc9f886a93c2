//! The file a run appends finished sections to, and its journal.
//!
//! Blocks go to `<name>.work`; once they are written, a record about the section goes to `<name>.journal`. A later run
//! takes the leading sections whose blocks have their hashes; what comes behind them, which a kill or a loss of power
//! has left unfinished, is cut off. A finished store becomes a table and gets its final name.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::compression::unpack;
use super::disk::{self, DiskFile};
use super::format::{Block, HEADER, IndexKind, MAGIC, Meta, Packed, Tally};
use super::journal::{Entry, Identity, Journal, REMEDY, end_of, own_journal};
use super::replace::{Replace, first_bytes};
use super::section_blocks::SectionBlocks;
use super::writer::{Contents, Writer};
use super::{Result, TableError};

/// Zstandard level of the blocks; docs/perf tells why.
pub(super) const LEVEL: i32 = 3;

/// A section to append.
pub struct NewSection<'a> {
    pub key: u64,
    pub rows: u64,
    pub tally: Tally,
    /// Number of blocks, and a function that makes the plain bytes of each.
    pub blocks: usize,
    pub plain: &'a (dyn Fn(usize) -> Vec<u8> + Sync),
}

/// A section of a store.
pub struct StoreSection<'a> {
    store: &'a Store,
    number: usize,
}

impl SectionBlocks for StoreSection<'_> {
    fn count(&self) -> usize {
        self.store.entries[self.number].blocks.len()
    }

    fn block(&self, number: usize) -> Result<Vec<u8>> {
        self.store.read(self.number, number)
    }

    fn damaged(&self, what: &str) -> TableError {
        self.store.damaged(what)
    }
}

/// An append-only file of compressed sections.
pub struct Store {
    work: PathBuf,
    journal_path: PathBuf,
    writer: Writer,
    journal: Journal,
    pub entries: Vec<Entry>,
}

impl Store {
    /// Opens `<base>.work` in a folder that exists, taking up what an earlier run of the same identity finished. Work
    /// of another identity is refused unless `fresh`, which starts anew. Files of these names that no run has written
    /// are refused in any case.
    pub fn open(base: &Path, identity: &Identity, fresh: bool) -> Result<Store> {
        let (work, journal_path) = (with_suffix(base, "work"), with_suffix(base, "journal"));
        check_work(base)?;
        if fresh {
            remove_work(base)?;
        }
        let (mut journal, mut entries) = Journal::open(&journal_path, identity)?;
        let file = DiskFile::open(&work).map_err(TableError::io(&work))?;
        let whole = entries.par_iter().position_first(|entry| !is_whole(&file, entry));
        entries.truncate(whole.unwrap_or(entries.len()));
        let end = end_of(&entries);
        file.set_len(end).map_err(TableError::io(&work))?;
        journal.keep(identity, &entries)?;
        Ok(Store { work, journal_path, writer: Writer::resume(file, end, LEVEL), journal, entries })
    }

    /// Sets the Zstandard level of what is appended from now on.
    pub fn set_level(&mut self, level: i32) {
        self.writer.set_level(level);
    }

    /// Compresses and appends a section.
    pub fn append(&mut self, section: NewSection<'_>) -> Result<()> {
        self.append_all(&[section])
    }

    /// Compresses and appends sections, all threads at work on the blocks of all.
    pub fn append_all<'s>(&mut self, sections: &'s [NewSection<'s>]) -> Result<()> {
        let numbered = |section: &'s NewSection<'s>| (0..section.blocks).map(move |block| (section, block));
        let blocks: Vec<(&NewSection, usize)> = sections.iter().flat_map(numbered).collect();
        let packed = self.writer.append(&blocks, |(section, block)| (section.plain)(*block), &self.work)?;
        let mut packed = packed.into_iter();
        let entry = |section: &NewSection| {
            let NewSection { key, rows, ref tally, blocks, .. } = *section;
            Entry { key, rows, tally: tally.clone(), blocks: packed.by_ref().take(blocks).collect() }
        };
        let entries: Vec<Entry> = sections.iter().map(entry).collect();
        self.journal.append(&entries)?;
        self.entries.extend(entries);
        Ok(())
    }

    /// A finished section.
    pub fn section(&self, number: usize) -> StoreSection<'_> {
        StoreSection { store: self, number }
    }

    /// Inflates one block of a section.
    pub fn read(&self, section: usize, block: usize) -> Result<Vec<u8>> {
        let block = self.entries[section].blocks[block];
        let mut packed = vec![0; block.length as usize];
        self.writer.file().read_exact_at(&mut packed, block.offset).map_err(TableError::io(&self.work))?;
        unpack(&packed, block).map_err(|what| self.damaged(&what))
    }

    /// Makes it a table with its final name. Sections are listed by key.
    pub fn finish(self, path: &Path, kind: IndexKind, codec: u8, identity: &Identity, meta: &Meta) -> Result<()> {
        let mut order: Vec<&Entry> = self.entries.iter().collect();
        order.sort_by_key(|entry| entry.key);
        let blocks: Vec<Block> = order.into_iter().flat_map(|entry| blocks_of(entry, kind)).collect();
        let contents = Contents {
            kind,
            value_codec: codec,
            rule_code: &identity.rule_code,
            rules_revision: identity.rules_revision,
            positions: self.entries.iter().map(|entry| entry.tally.positions()).sum::<u64>(),
        };
        self.writer.finish(&contents, &blocks, meta, &self.work)?;
        disk::rename(&self.work, path).map_err(TableError::io(path))?;
        remove(&self.journal_path)
    }

    pub fn damaged(&self, what: &str) -> TableError {
        TableError::damaged(&self.work, format!("{what}; start again with --force"))
    }
}

/// The blocks of a section as the index has them.
pub(super) fn blocks_of(entry: &Entry, kind: IndexKind) -> impl Iterator<Item = Block> + '_ {
    let per_block = kind.rows_per_block() as u64;
    let block = move |(first, &packed): (u64, &Packed)| Block {
        key: entry.key + kind.keys_of_rows(first),
        rows: (entry.rows - first).min(per_block) as u32,
        begins: first == 0,
        packed,
    };
    (0..).step_by(per_block as usize).zip(&entry.blocks).map(block)
}

/// The files of a store.
const SUFFIXES: [&str; 2] = ["work", "journal"];

/// Whether an unfinished run of `base` has left anything.
pub fn has_work(base: &Path) -> bool {
    SUFFIXES.iter().any(|suffix| with_suffix(base, suffix).exists())
}

/// The files of a store with what is replaced of each name.
fn own_files(base: &Path) -> [(PathBuf, Replace); 2] {
    let work = Replace::own("the work file of a run", is_work).or(REMEDY);
    [(with_suffix(base, SUFFIXES[0]), work), (with_suffix(base, SUFFIXES[1]), own_journal())]
}

/// Returns true if a file begins as the work file of a run does: with the header of a table, or with zeros where that
/// is to stand.
fn is_work(path: &Path) -> bool {
    first_bytes(path, HEADER).is_some_and(|first| first.starts_with(&MAGIC) || first.iter().all(|&byte| byte == 0))
}

/// Returns an error if a file lies in the way of a run of `base` that no run has written.
pub fn check_work(base: &Path) -> Result<()> {
    own_files(base).iter().try_for_each(|(path, own)| own.check(path))
}

/// Deletes what an unfinished run of `base` has left, if anything. Files of its names that no run has written stay.
pub fn remove_work(base: &Path) -> Result<()> {
    let own = own_files(base).into_iter().filter(|(path, own)| own.check(path).is_ok());
    own.into_iter().try_for_each(|(path, _)| remove(&path))
}

/// Deletes all files that are named as those of a run of `base`, whatever is in them. Anything but regular files is an
/// error.
pub fn remove_any_work(base: &Path) -> Result<()> {
    SUFFIXES.iter().try_for_each(|suffix| remove(&with_suffix(base, suffix)))
}

fn with_suffix(base: &Path, suffix: &str) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

/// Deletes a file if it is there.
fn remove(path: &Path) -> Result<()> {
    disk::remove(path).map_err(TableError::io(path))
}

/// Whether the blocks of a section are in the file as they were written.
fn is_whole(file: &DiskFile, entry: &Entry) -> bool {
    entry.blocks.iter().all(|block| {
        let mut packed = vec![0; block.length as usize];
        file.read_exact_at(&mut packed, block.offset).is_ok() && xxh3_64(&packed) == block.hash
    })
}
