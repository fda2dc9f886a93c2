//! The file to which a run appends finished sections, such as tiers, and the run's journal.
//!
//! The blocks of a section are appended to `<name>.work`, then a record about the section to `<name>.journal`. A later
//! run keeps the sections before the first damaged one, cuts off the rest, and continues from there. When all
//! sections are finished, the work file gets the index and the header of a table, and is renamed to the table's name.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::compression::unpack;
use super::disk::{self, DiskFile};
use super::format::{BlockEntry, BlockPlace, HEADER, IndexKind, MAGIC, Meta, Tally};
use super::journal::{Identity, Journal, REMEDY, SectionRecord, end_of, own_journal};
use super::replace::{Replaceable, first_bytes};
use super::section_blocks::SectionBlocks;
use super::writer::{Contents, Writer};
use super::{Result, TableError, parallel};

/// Zstandard level of blocks; docs/perf gives the reasons.
pub(super) const LEVEL: i32 = 3;

/// A finished section that is to be written to a [`Store`] or to a section file.
pub struct NewSection<'a> {
    /// The key that identifies the section. In a table, it is the key of the section's first block.
    pub key: u64,
    /// Number of rows, or of keys if the section is a list of keys.
    pub rows: u64,
    /// The number of the section's positions by ply and table byte; empty if the run does not count positions by
    /// section.
    pub tally: Tally,
    /// Number of blocks.
    pub blocks: usize,
    /// A function that takes the index of a block and returns the block's plain bytes.
    pub plain: &'a (dyn Fn(usize) -> Vec<u8> + Sync),
}

/// A finished section of a [`Store`], the file of a run.
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

/// The file to which a run appends compressed sections, and the journal of the run.
pub struct Store {
    work: PathBuf,
    journal_path: PathBuf,
    writer: Writer,
    journal: Journal,
    /// The finished sections, in the order of appending.
    pub entries: Vec<SectionRecord>,
}

impl Store {
    /// Opens `<base>.work` and resumes an earlier run with the same identity (rule code, purpose and versions). If
    /// `fresh` is set, deletes the work of earlier runs and starts from the beginning. The folder must exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the work has another identity and `fresh` is not set, or if the existing files were not
    /// written by a run.
    pub fn open(base: &Path, identity: &Identity, fresh: bool) -> Result<Store> {
        let (work, journal_path) = (with_suffix(base, "work"), with_suffix(base, "journal"));
        check_work(base)?;
        if fresh {
            remove_work(base)?;
        }
        let (mut journal, mut entries) = Journal::open(&journal_path, identity)?;
        let file = DiskFile::open(&work).map_err(TableError::io(&work))?;
        let whole = parallel::first(entries.len(), 1, |number| !is_whole(&file, &entries[number]));
        entries.truncate(whole.unwrap_or(entries.len()));
        let end = end_of(&entries);
        file.set_len(end).map_err(TableError::io(&work))?;
        journal.keep(identity, &entries)?;
        Ok(Store { work, journal_path, writer: Writer::resume(file, end, LEVEL), journal, entries })
    }

    /// Sets the Zstandard level of blocks appended from now on.
    pub fn set_level(&mut self, level: i32) {
        self.writer.set_level(level);
    }

    /// Compresses and appends a section.
    pub fn append(&mut self, section: NewSection<'_>) -> Result<()> {
        self.append_all(&[section])
    }

    /// Compresses and appends sections, with all their blocks in parallel.
    pub fn append_all<'s>(&mut self, sections: &'s [NewSection<'s>]) -> Result<()> {
        let numbered = |section: &'s NewSection<'s>| (0..section.blocks).map(move |block| (section, block));
        let blocks: Vec<(&NewSection, usize)> = sections.iter().flat_map(numbered).collect();
        let packed = self.writer.append(&blocks, |(section, block)| (section.plain)(*block), &self.work)?;
        let mut packed = packed.into_iter();
        let entry = |section: &NewSection| {
            let NewSection { key, rows, ref tally, blocks, .. } = *section;
            SectionRecord { key, rows, tally: tally.clone(), blocks: packed.by_ref().take(blocks).collect() }
        };
        let entries: Vec<SectionRecord> = sections.iter().map(entry).collect();
        self.journal.append(&entries)?;
        self.entries.extend(entries);
        Ok(())
    }

    /// Returns the finished section with this index, in the order of appending.
    pub fn section(&self, number: usize) -> StoreSection<'_> {
        StoreSection { store: self, number }
    }

    /// Reads, checks and inflates a block of a section.
    pub fn read(&self, section: usize, block: usize) -> Result<Vec<u8>> {
        let block = self.entries[section].blocks[block];
        let mut packed = vec![0; block.length as usize];
        self.writer.file().read_exact_at(&mut packed, block.offset).map_err(TableError::io(&self.work))?;
        unpack(&packed, block).map_err(|what| self.damaged(&what))
    }

    /// Turns the store into a table at `path` and deletes the journal. The table lists sections in the order of their
    /// keys.
    pub fn finish(self, path: &Path, kind: IndexKind, codec: u8, identity: &Identity, meta: &Meta) -> Result<()> {
        let mut order: Vec<&SectionRecord> = self.entries.iter().collect();
        order.sort_by_key(|entry| entry.key);
        let blocks: Vec<BlockEntry> = order.into_iter().flat_map(|entry| blocks_of(entry, kind)).collect();
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

    /// Returns the error for damage in the work file. The message tells the user to start again with `--force`.
    pub fn damaged(&self, what: &str) -> TableError {
        TableError::damaged(&self.work, format!("{what}; start again with --force"))
    }
}

/// Iterates over the index entries of a section's blocks.
pub(super) fn blocks_of(entry: &SectionRecord, kind: IndexKind) -> impl Iterator<Item = BlockEntry> + '_ {
    let per_block = kind.rows_per_block() as u64;
    let block = move |(first, &packed): (u64, &BlockPlace)| BlockEntry {
        key: entry.key + kind.keys_of_rows(first),
        rows: (entry.rows - first).min(per_block) as u32,
        starts_section: first == 0,
        packed,
    };
    (0..).step_by(per_block as usize).zip(&entry.blocks).map(block)
}

/// File name extensions of a store.
const SUFFIXES: [&str; 2] = ["work", "journal"];

/// Returns true if an unfinished run of `base` has left files.
pub fn has_work(base: &Path) -> bool {
    SUFFIXES.iter().any(|suffix| with_suffix(base, suffix).exists())
}

/// Returns the paths of a store's work file and journal, each with the rule for replacing an existing file there.
fn own_files(base: &Path) -> [(PathBuf, Replaceable); 2] {
    let work = Replaceable::own("the work file of a run", is_work).or(REMEDY);
    [(with_suffix(base, SUFFIXES[0]), work), (with_suffix(base, SUFFIXES[1]), own_journal())]
}

/// Returns true if a file begins like a work file: with the header of a table, or with zeros in its place.
fn is_work(path: &Path) -> bool {
    first_bytes(path, HEADER).is_some_and(|first| first.starts_with(&MAGIC) || first.iter().all(|&byte| byte == 0))
}

/// Returns an error if `<base>.work` or `<base>.journal` exists, but is not a file that a run has written.
pub fn check_work(base: &Path) -> Result<()> {
    own_files(base).iter().try_for_each(|(path, own)| own.check(path))
}

/// Deletes the files of an unfinished run of `base`, if there are any. Files that no run has written stay.
pub fn remove_work(base: &Path) -> Result<()> {
    let own = own_files(base).into_iter().filter(|(path, own)| own.check(path).is_ok());
    own.into_iter().try_for_each(|(path, _)| remove(&path))
}

/// Deletes `<base>.work` and `<base>.journal`, whatever their contents. Returns an error if one of them exists, but is
/// not a regular file.
pub fn remove_any_work(base: &Path) -> Result<()> {
    SUFFIXES.iter().try_for_each(|suffix| remove(&with_suffix(base, suffix)))
}

fn with_suffix(base: &Path, suffix: &str) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

/// Deletes a file if it exists.
fn remove(path: &Path) -> Result<()> {
    disk::remove(path).map_err(TableError::io(path))
}

/// Returns true if all blocks of a section match their hashes.
fn is_whole(file: &DiskFile, entry: &SectionRecord) -> bool {
    entry.blocks.iter().all(|block| {
        let mut packed = vec![0; block.length as usize];
        file.read_exact_at(&mut packed, block.offset).is_ok() && xxh3_64(&packed) == block.hash
    })
}
