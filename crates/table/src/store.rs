//! The file a run appends finished sections to, and its journal.
//!
//! Blocks go to `<name>.work`; once they are written, one line about the section goes to `<name>.journal`: JSON,
//! a tab and the hash of the JSON. A later run takes the leading sections whose blocks have their hashes; what comes
//! behind them, which a kill or a loss of power has left unfinished, is cut off. A finished store gets lists, meta and
//! header and is renamed to its final name.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::compression::{pack, unpack};
use super::disk::{self, DiskFile};
use super::format::{Block, FINISHED_MARK, FORMAT_VERSION, HEADER, Header, IndexKind, MAGIC, Meta, Section, Tally};
use super::{Result, TableError};
use yomikiri_rules::Game;

/// Zstandard level of the blocks; docs/perf tells why.
const LEVEL: i32 = 3;

/// A section to append.
pub struct NewSection<'a> {
    pub key: u64,
    pub rows: u64,
    pub tally: Tally,
    /// Number of blocks, and a function that makes the plain bytes of each.
    pub blocks: usize,
    pub plain: &'a (dyn Fn(usize) -> Vec<u8> + Sync),
}

impl NewSection<'_> {
    /// Its entry, without blocks yet.
    fn entry(&self) -> Entry {
        let blocks = Vec::with_capacity(self.blocks);
        Entry { key: self.key, rows: self.rows, tally: self.tally.clone(), blocks }
    }
}

/// A section as the journal has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    pub key: u64,
    pub rows: u64,
    pub tally: Tally,
    pub blocks: Vec<Block>,
}

/// First line of a journal: what the run was about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub format_version: u16,
    pub rule_code: String,
    pub rules_revision: u32,
    pub purpose: String,
}

impl Identity {
    pub fn of<G: Game>(game: &G, purpose: &str) -> Identity {
        Identity {
            format_version: FORMAT_VERSION,
            rule_code: game.code(),
            rules_revision: G::RULES_REVISION,
            purpose: purpose.into(),
        }
    }
}

/// An append-only file of compressed sections.
pub struct Store {
    work: PathBuf,
    journal_path: PathBuf,
    file: DiskFile,
    journal: DiskFile,
    /// Bytes of the journal.
    journal_length: u64,
    /// Bytes of the work file.
    length: u64,
    level: i32,
    pub entries: Vec<Entry>,
}

impl Store {
    /// Opens `<base>.work` in a folder that exists, taking up what an earlier run of the same identity finished. Work
    /// of another identity is refused unless `fresh`, which starts anew.
    pub fn open(base: &Path, identity: &Identity, fresh: bool) -> Result<Store> {
        let (work, journal_path) = (with_suffix(base, "work"), with_suffix(base, "journal"));
        if fresh {
            remove_work(base)?;
        }
        let journal = DiskFile::open(&journal_path).map_err(TableError::io(&journal_path))?;
        let lines = read_journal(&journal, &journal_path, identity)?;
        let file = DiskFile::open(&work).map_err(TableError::io(&work))?;
        let whole = lines.par_iter().position_first(|(entry, _)| !is_whole(&file, entry)).unwrap_or(lines.len());
        let entries: Vec<Entry> = lines[..whole].iter().map(|(entry, _)| entry.clone()).collect();
        let blocks = entries.iter().flat_map(|entry| &entry.blocks);
        let length = blocks.last().map_or(HEADER as u64, |block| block.offset + u64::from(block.length));
        file.set_len(length).map_err(TableError::io(&work))?;
        let journal_length = entries.len().checked_sub(1).map_or(0, |last| lines[last].1);
        let level = LEVEL;
        let mut store = Store { work, journal_path, file, journal, journal_length, length, level, entries };
        store.journal.set_len(journal_length).map_err(TableError::io(&store.journal_path))?;
        if journal_length == 0 {
            store.write_lines(std::slice::from_ref(identity))?;
        }
        Ok(store)
    }

    fn write_lines(&mut self, values: &[impl Serialize]) -> Result<()> {
        let line = |value| {
            let json = serde_json::to_string(value).expect("journal lines are plain data");
            format!("{json}\t{:016x}\n", xxh3_64(json.as_bytes()))
        };
        let lines: String = values.iter().map(line).collect();
        let written = self.journal.write_all_at(lines.as_bytes(), self.journal_length);
        written.map_err(TableError::io(&self.journal_path))?;
        self.journal_length += lines.len() as u64;
        Ok(())
    }

    /// Sets the Zstandard level of what is appended from now on.
    pub fn set_level(&mut self, level: i32) {
        self.level = level;
    }

    /// Compresses and appends a section.
    pub fn append(&mut self, section: NewSection<'_>) -> Result<()> {
        self.append_all(&[section])
    }

    /// Compresses and appends sections, all threads at work on the blocks of all.
    pub fn append_all(&mut self, sections: &[NewSection<'_>]) -> Result<()> {
        let io = TableError::io;
        let mut entries: Vec<Entry> = sections.iter().map(NewSection::entry).collect();
        let mut offset = self.length;
        // A bounded number of blocks at a time, so that a large tier is never whole in memory a second time.
        let blocks = |number: usize| (0..sections[number].blocks).map(move |block| (number, block));
        let numbers: Vec<(usize, usize)> = (0..sections.len()).flat_map(blocks).collect();
        for batch in numbers.chunks(1024) {
            let pack = |&(number, block): &(usize, usize)| {
                let plain = (sections[number].plain)(block);
                (plain.len() as u32, pack(&plain, self.level))
            };
            let packed: Vec<(u32, Vec<u8>)> = batch.par_iter().map(pack).collect();
            let mut bytes = Vec::with_capacity(packed.iter().map(|(_, bytes)| bytes.len()).sum());
            let start = offset;
            for ((plain, packed), &(number, _)) in packed.iter().zip(batch) {
                let block = Block { offset, length: packed.len() as u32, plain: *plain, hash: xxh3_64(packed) };
                entries[number].blocks.push(block);
                offset += packed.len() as u64;
                bytes.extend_from_slice(packed);
            }
            self.file.write_all_at(&bytes, start).map_err(io(&self.work))?;
        }
        self.length = offset;
        self.write_lines(&entries)?;
        self.entries.extend(entries);
        Ok(())
    }

    /// Inflates one block of a section.
    pub fn read(&self, section: usize, block: usize) -> Result<Vec<u8>> {
        let block = self.entries[section].blocks[block];
        let mut packed = vec![0; block.length as usize];
        self.file.read_exact_at(&mut packed, block.offset).map_err(TableError::io(&self.work))?;
        unpack(&packed, block).map_err(|what| self.damaged(&what))
    }

    /// Writes lists, meta and header and gives the file its final name. Sections are listed by key.
    pub fn finish(self, path: &Path, kind: IndexKind, codec: u8, identity: &Identity, meta: &Meta) -> Result<()> {
        let io = TableError::io;
        let mut order: Vec<&Entry> = self.entries.iter().filter(|entry| !entry.blocks.is_empty()).collect();
        order.sort_by_key(|entry| entry.key);
        let mut lists = Vec::new();
        let mut blocks = 0u64;
        for entry in &order {
            lists.extend_from_slice(&Section { key: entry.key, first_block: blocks, rows: entry.rows }.to_bytes());
            blocks += entry.blocks.len() as u64;
        }
        for block in order.iter().flat_map(|entry| &entry.blocks) {
            lists.extend_from_slice(&block.to_bytes());
        }
        let meta = serde_json::to_vec(meta).expect("meta is plain data");
        let header = Header {
            magic: MAGIC,
            format_version: FORMAT_VERSION.into(),
            index_kind: kind,
            value_codec: codec,
            rules_revision: identity.rules_revision.into(),
            rows_per_block: (kind.rows_per_block() as u32).into(),
            finished: FINISHED_MARK,
            positions: self.entries.iter().map(|entry| entry.tally.positions()).sum::<u64>().into(),
            sections: (order.len() as u64).into(),
            blocks: blocks.into(),
            lists_offset: self.length.into(),
            lists_hash: xxh3_64(&lists).into(),
            meta_length: (meta.len() as u64).into(),
            meta_hash: xxh3_64(&meta).into(),
            rule_code: Header::code_bytes(&identity.rule_code),
            header_hash: 0.into(),
        };
        let file = &self.file;
        file.write_all_at(&lists, self.length).map_err(io(&self.work))?;
        file.write_all_at(&meta, self.length + lists.len() as u64).map_err(io(&self.work))?;
        file.set_len(self.length + (lists.len() + meta.len()) as u64).map_err(io(&self.work))?;
        file.sync().map_err(io(&self.work))?;
        file.write_all_at(&header.to_bytes(), 0).map_err(io(&self.work))?;
        file.sync().map_err(io(&self.work))?;
        disk::rename(&self.work, path).map_err(io(path))?;
        remove(&self.journal_path)
    }

    pub fn damaged(&self, what: &str) -> TableError {
        TableError::damaged(&self.work, format!("{what}; start again with --force"))
    }
}

/// Deletes what an unfinished run of `base` has left, if anything.
pub fn remove_work(base: &Path) -> Result<()> {
    ["work", "journal"].iter().try_for_each(|suffix| remove(&with_suffix(base, suffix)))
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

/// The whole lines of a journal after the first, which must be `identity`: each with where it ends.
fn read_journal(journal: &DiskFile, path: &Path, identity: &Identity) -> Result<Vec<(Entry, u64)>> {
    let mut text = vec![0; journal.length().map_err(TableError::io(path))? as usize];
    journal.read_exact_at(&mut text, 0).map_err(TableError::io(path))?;
    // A line without its end was cut off while it was written.
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut end = 0;
    let mut lines = text[..whole].split_inclusive(|&byte| byte == b'\n').map_while(|line| {
        end += line.len() as u64;
        checked_json(&line[..line.len() - 1]).map(|json| (json, end))
    });
    let Some((first, _)) = lines.next() else { return Ok(Vec::new()) };
    if serde_json::from_str::<Identity>(first).ok().as_ref() != Some(identity) {
        let what = "unfinished work of another version of the program or the rules; start again with --force";
        return Err(TableError::foreign(path, what));
    }
    Ok(lines.map_while(|(line, end)| Some((serde_json::from_str(line).ok()?, end))).collect())
}

/// The JSON of a line whose hash is right.
fn checked_json(line: &[u8]) -> Option<&str> {
    let (json, hash) = std::str::from_utf8(line).ok()?.rsplit_once('\t')?;
    (format!("{:016x}", xxh3_64(json.as_bytes())) == hash).then_some(json)
}

/// Whether the blocks of a section are in the file as they were written.
fn is_whole(file: &DiskFile, entry: &Entry) -> bool {
    entry.blocks.iter().all(|block| {
        let mut packed = vec![0; block.length as usize];
        file.read_exact_at(&mut packed, block.offset).is_ok() && xxh3_64(&packed) == block.hash
    })
}
