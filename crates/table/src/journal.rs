//! The journal of a run: what it is about, and one record for each section that is whole.
//!
//! A record is the length of its body (u32), the hash of the body (u64) and the body. docs/format.md has the layout.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::disk::DiskFile;
use super::format::{FORMAT_VERSION, HEADER, Packed, Tally};
use super::replace::{Replace, first_bytes};
use super::{Result, TableError};
use yomikiri_rules::Game;

/// More positions than any run counts, and few enough that what it adds overflows nothing: a journal that says more is
/// forged.
const MAX_POSITIONS: u64 = 1 << 60;

/// Bytes before the body of a record.
pub(super) const HEAD: usize = 4 + 8;

/// What a run is about: the first record.
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

/// A section that is in the work file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: u64,
    pub rows: u64,
    pub tally: Tally,
    /// Its blocks, which lie back to back.
    pub blocks: Vec<Packed>,
}

/// The body of a record begins so.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    key: U64,
    rows: U64,
    offset: U64,
    blocks: U32,
    counts: U32,
}

/// Then comes one of these for each block.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct BlockRecord {
    length: U32,
    plain: U32,
    hash: U64,
}

/// And one for each value byte of each ply.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct CountRecord {
    ply: U32,
    byte: U32,
    positions: U64,
}

impl Entry {
    /// The body of its record.
    pub(super) fn to_body(&self) -> Vec<u8> {
        let counts: Vec<CountRecord> = self.tally.iter().map(CountRecord::of).collect();
        let head = Head {
            key: self.key.into(),
            rows: self.rows.into(),
            offset: self.blocks.first().map_or(0, |block| block.offset).into(),
            blocks: (self.blocks.len() as u32).into(),
            counts: (counts.len() as u32).into(),
        };
        let blocks = self.blocks.iter().map(|block| BlockRecord {
            length: block.length.into(),
            plain: block.plain.into(),
            hash: block.hash.into(),
        });
        let blocks: Vec<BlockRecord> = blocks.collect();
        [head.as_bytes(), blocks.as_bytes(), counts.as_bytes()].concat()
    }

    /// Reads a body; `None` if it is none.
    pub(super) fn of_body(body: &[u8]) -> Option<Entry> {
        let (head, rest) = Head::ref_from_prefix(body).ok()?;
        let (blocks, rest) = <[BlockRecord]>::ref_from_prefix_with_elems(rest, head.blocks.get() as usize).ok()?;
        let counts = <[CountRecord]>::ref_from_bytes_with_elems(rest, head.counts.get() as usize).ok()?;
        let mut offset = head.offset.get();
        let mut packed = Vec::with_capacity(blocks.len());
        for block in blocks {
            let (length, plain, hash) = (block.length.get(), block.plain.get(), block.hash.get());
            packed.push(Packed { offset, length, plain, hash });
            offset = packed[packed.len() - 1].end()?;
        }
        counts.iter().try_fold(0, |sum, count| added(sum, count.positions.get()))?;
        let mut tally = Tally::default();
        for count in counts {
            tally.add(count.ply.get(), u8::try_from(count.byte.get()).ok()?, count.positions.get());
        }
        Some(Entry { key: head.key.get(), rows: head.rows.get(), tally, blocks: packed })
    }
}

impl CountRecord {
    fn of((ply, byte, positions): (u32, u8, u64)) -> CountRecord {
        CountRecord { ply: ply.into(), byte: u32::from(byte).into(), positions: positions.into() }
    }
}

/// The records of a run, the newest last.
pub(super) struct Journal {
    path: PathBuf,
    file: DiskFile,
    /// Bytes that are taken.
    length: u64,
}

impl Journal {
    /// Opens a journal, with the sections that it tells of. Work of another identity is refused, and so is a file that
    /// is no journal.
    pub fn open(path: &Path, identity: &Identity) -> Result<(Journal, Vec<Entry>)> {
        own_journal().check(path)?;
        let file = DiskFile::open(path).map_err(TableError::io(path))?;
        let mut bytes = vec![0; file.length().map_err(TableError::io(path))? as usize];
        file.read_exact_at(&mut bytes, 0).map_err(TableError::io(path))?;
        let mut bodies = Bodies(&bytes);
        let entries = match bodies.next() {
            None => Vec::new(),
            Some(first) if serde_json::from_slice::<Identity>(first).ok().as_ref() == Some(identity) => {
                let mut positions = 0u64;
                let mut whole = |entry: Entry| {
                    positions = added(positions, entry.tally.positions())?;
                    Some(entry)
                };
                bodies.map_while(|body| whole(Entry::of_body(body)?)).collect()
            }
            Some(_) => {
                let what = "unfinished work of another version of the program or the rules; start again with --force";
                return Err(TableError::foreign(path, what));
            }
        };
        Ok((Journal { path: path.to_path_buf(), file, length: 0 }, entries))
    }

    /// Keeps the record of what the run is about and those of `entries`, which the journal begins with.
    pub fn keep(&mut self, identity: &Identity, entries: &[Entry]) -> Result<()> {
        let io = TableError::io;
        let first = record(&serde_json::to_vec(identity).expect("an identity is plain data"));
        let kept: usize = entries.iter().map(|entry| HEAD + entry.to_body().len()).sum();
        self.length = (first.len() + kept) as u64;
        if entries.is_empty() {
            self.file.set_len(0).map_err(io(&self.path))?;
            return self.file.write_all_at(&first, 0).map_err(io(&self.path));
        }
        self.file.set_len(self.length).map_err(io(&self.path))
    }

    pub fn append(&mut self, entries: &[Entry]) -> Result<()> {
        let records: Vec<u8> = entries.iter().flat_map(|entry| record(&entry.to_body())).collect();
        self.file.write_all_at(&records, self.length).map_err(TableError::io(&self.path))?;
        self.length += records.len() as u64;
        Ok(())
    }
}

/// Journals of runs, by their first record. Of one that a kill or a loss of power has left, parts of that record may be
/// zeros or missing.
pub(super) fn own_journal() -> Replace {
    let is_journal = |path: &Path| first_bytes(path, HEAD + BODY_BEGINS.len()).is_some_and(|bytes| may_begin(&bytes));
    Replace::own("the journal of a run", is_journal).or(REMEDY)
}

/// The remedy where files of a run stand in the way of another.
pub(super) const REMEDY: &str = "move it away or start again with --force";

/// The first bytes of the body of the first record: an [`Identity`] as JSON.
const BODY_BEGINS: &[u8] = b"{\"format_version\":";

/// Longer than the body of any first record.
const LONGEST_IDENTITY: u32 = 1 << 16;

/// Returns true if a journal may begin with these bytes.
fn may_begin(bytes: &[u8]) -> bool {
    let mut length = [0; 4];
    length.iter_mut().zip(bytes).for_each(|(to, &byte)| *to = byte);
    let body = bytes.iter().skip(HEAD).zip(BODY_BEGINS);
    u32::from_le_bytes(length) < LONGEST_IDENTITY && body.into_iter().all(|(&byte, &own)| byte == own || byte == 0)
}

/// The sum of two counts; `None` if no run comes to it.
fn added(positions: u64, more: u64) -> Option<u64> {
    positions.checked_add(more).filter(|&sum| sum <= MAX_POSITIONS)
}

/// A body as it stands in the file.
pub(super) fn record(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("a section has fewer than 2^28 blocks");
    [&length.to_le_bytes()[..], &xxh3_64(body).to_le_bytes(), body].concat()
}

/// The bodies of records up to the first that is not whole.
pub(super) struct Bodies<'a>(pub &'a [u8]);

impl<'a> Iterator for Bodies<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.0.split_first_chunk()?;
        let (hash, rest) = rest.split_first_chunk()?;
        let (body, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        (xxh3_64(body) == u64::from_le_bytes(*hash)).then_some(())?;
        self.0 = rest;
        Some(body)
    }
}

/// Where the blocks of a work file end that has these sections.
pub(super) fn end_of(entries: &[Entry]) -> u64 {
    entries.iter().rev().find_map(|entry| entry.blocks.last()?.end()).unwrap_or(HEADER as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<Entry> {
        let packed = |offset, length| Packed { offset, length, plain: 7, hash: u64::from(length) << 40 };
        let mut tally = Tally::default();
        tally.add(3, 255, 1 << 40);
        tally.add(4, 0, 1);
        vec![
            Entry { key: 1 << 50, rows: 9, tally, blocks: vec![packed(136, 10), packed(146, 0), packed(146, 1)] },
            Entry { key: 0, rows: 0, tally: Tally::default(), blocks: Vec::new() },
        ]
    }

    #[test]
    fn a_journal_is_taken_up_to_where_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let identity = Identity { format_version: 2, rule_code: "a".into(), rules_revision: 1, purpose: "test".into() };
        let (mut journal, found) = Journal::open(&path, &identity).unwrap();
        assert_eq!(found, []);
        journal.keep(&identity, &[]).unwrap();
        journal.append(&entries()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(Journal::open(&path, &identity).unwrap().1, entries());
        let second = bytes.len() - HEAD - size_of::<Head>();
        for (length, whole) in [(bytes.len() - 1, 1), (second, 1), (second - 1, 0), (HEAD + 1, 0), (0, 0)] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert_eq!(Journal::open(&path, &identity).unwrap().1, entries()[..whole], "{length} bytes");
        }
        let mut changed = bytes.clone();
        changed[second + HEAD] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        let (mut journal, found) = Journal::open(&path, &identity).unwrap();
        assert_eq!(found, entries()[..1]);
        journal.keep(&identity, &found).unwrap();
        journal.append(&entries()[1..]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        let other = Identity { rules_revision: 2, ..identity };
        assert!(Journal::open(&path, &other).err().unwrap().to_string().ends_with("start again with --force"));
    }
}
