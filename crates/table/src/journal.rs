//! The journal of a run: a record of the run's identity, then one record for each finished section.
//!
//! A record consists of the length of its body (u32), the hash of the body (u64) and the body. docs/format.md specifies
//! the bodies.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::disk::DiskFile;
use super::format::{BlockPlace, FORMAT_VERSION, HEADER, Tally};
use super::replace::{Replaceable, first_bytes};
use super::{Result, TableError};
use yomikiri_rules::Game;

/// An upper bound on the total number of positions in a journal. A record with which the total would exceed this bound
/// counts as damaged. The sum of two numbers up to this bound fits in a `u64`.
const MAX_POSITIONS: u64 = 1 << 60;

/// Length in bytes of the head of a record: the length and the hash of the body that follows.
pub(super) const HEAD: usize = 4 + 8;

/// The identity of a run: the first record of its journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the table format.
    pub format_version: u16,
    /// The rule code of the variant.
    pub rule_code: String,
    /// The revision of the rules ([`Game::rules_revision`]).
    pub rules_revision: u32,
    /// The contents of the run's work file (its unfinished table) in a few words, such as "values". A run resumes only
    /// work of the same purpose.
    pub purpose: String,
}

impl Identity {
    /// Returns the identity of a run over `game` by this version of the program.
    pub fn of<G: Game>(game: &G, purpose: &str) -> Identity {
        Identity {
            format_version: FORMAT_VERSION,
            rule_code: game.code(),
            rules_revision: game.rules_revision(),
            purpose: purpose.into(),
        }
    }
}

/// The record of a finished section, in the journal of a run or in a section file (a file with one section). It states
/// where the blocks are: in the run's work file (its unfinished table), or in the section file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionRecord {
    /// The key that identifies the section. In a table, it is the key of the section's first block.
    pub key: u64,
    /// Number of rows, or of keys if the section is a list of keys.
    pub rows: u64,
    /// The number of the section's positions by ply and table byte; empty if the run does not count positions by
    /// section.
    pub tally: Tally,
    /// The places of the section's blocks, which lie back to back.
    pub blocks: Vec<BlockPlace>,
}

/// The first part of the body of a section's record.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    key: U64,
    rows: U64,
    offset: U64,
    blocks: U32,
    counts: U32,
}

/// The entry of one block in the second part of a record's body.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct BlockRecord {
    length: U32,
    plain: U32,
    hash: U64,
}

/// The number of positions with one ply and table byte: an entry in the third part of a record's body.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct CountRecord {
    ply: U32,
    byte: U32,
    positions: U64,
}

impl SectionRecord {
    /// Encodes the section as the body of a record.
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

    /// Decodes the body of a record. Returns `None` if it is malformed.
    pub(super) fn of_body(body: &[u8]) -> Option<SectionRecord> {
        let (head, rest) = Head::ref_from_prefix(body).ok()?;
        let (blocks, rest) = <[BlockRecord]>::ref_from_prefix_with_elems(rest, head.blocks.get() as usize).ok()?;
        let counts = <[CountRecord]>::ref_from_bytes_with_elems(rest, head.counts.get() as usize).ok()?;
        let mut offset = head.offset.get();
        let mut packed = Vec::with_capacity(blocks.len());
        for block in blocks {
            let (length, plain, hash) = (block.length.get(), block.plain.get(), block.hash.get());
            packed.push(BlockPlace { offset, length, plain, hash });
            offset = packed[packed.len() - 1].end()?;
        }
        counts.iter().try_fold(0, |sum, count| added(sum, count.positions.get()))?;
        let mut tally = Tally::default();
        for count in counts {
            tally.add(count.ply.get(), u8::try_from(count.byte.get()).ok()?, count.positions.get());
        }
        Some(SectionRecord { key: head.key.get(), rows: head.rows.get(), tally, blocks: packed })
    }
}

impl CountRecord {
    fn of((ply, byte, positions): (u32, u8, u64)) -> CountRecord {
        CountRecord { ply: ply.into(), byte: u32::from(byte).into(), positions: positions.into() }
    }
}

/// The journal of a run, with the newest record last.
pub(super) struct Journal {
    path: PathBuf,
    file: DiskFile,
    /// Length of the valid records in bytes.
    length: u64,
}

impl Journal {
    /// Opens a journal, and creates it if it is missing. Returns its sections, up to the first damaged record. Call
    /// [`Journal::keep`] before [`Journal::append`].
    ///
    /// # Errors
    ///
    /// Returns an error if the journal has another identity, or if the file is not a journal.
    pub fn open(path: &Path, identity: &Identity) -> Result<(Journal, Vec<SectionRecord>)> {
        own_journal().check(path)?;
        let file = DiskFile::open(path).map_err(TableError::io(path))?;
        let mut bytes = vec![0; file.length().map_err(TableError::io(path))? as usize];
        file.read_exact_at(&mut bytes, 0).map_err(TableError::io(path))?;
        let mut bodies = Bodies(&bytes);
        let entries = match bodies.next() {
            None => Vec::new(),
            Some(first) if serde_json::from_slice::<Identity>(first).ok().as_ref() == Some(identity) => {
                let mut positions = 0u64;
                let mut whole = |entry: SectionRecord| {
                    positions = added(positions, entry.tally.positions())?;
                    Some(entry)
                };
                bodies.map_while(|body| whole(SectionRecord::of_body(body)?)).collect()
            }
            Some(_) => {
                let what =
                    "is unfinished work of another version of the program or the rules; start again with --force";
                return Err(TableError::foreign(path, what));
            }
        };
        Ok((Journal { path: path.to_path_buf(), file, length: 0 }, entries))
    }

    /// Cuts off everything after the records of `identity` and `entries`. The journal must begin with these records. If
    /// `entries` is empty, the journal may have any contents; a new record of `identity` replaces them.
    pub fn keep(&mut self, identity: &Identity, entries: &[SectionRecord]) -> Result<()> {
        let io = TableError::io;
        let first = record(&serde_json::to_vec(identity).expect("an identity serializes to JSON"));
        let kept: usize = entries.iter().map(|entry| HEAD + entry.to_body().len()).sum();
        self.length = (first.len() + kept) as u64;
        if entries.is_empty() {
            self.file.set_len(0).map_err(io(&self.path))?;
            return self.file.write_all_at(&first, 0).map_err(io(&self.path));
        }
        self.file.set_len(self.length).map_err(io(&self.path))
    }

    pub fn append(&mut self, entries: &[SectionRecord]) -> Result<()> {
        let records: Vec<u8> = entries.iter().flat_map(|entry| record(&entry.to_body())).collect();
        self.file.write_all_at(&records, self.length).map_err(TableError::io(&self.path))?;
        self.length += records.len() as u64;
        Ok(())
    }
}

/// Returns the rule that allows replacing the journals of runs, but no other files. A journal is recognised by its
/// first record. Bytes of this record may be zero or missing, as after a kill or a power loss.
pub(super) fn own_journal() -> Replaceable {
    let is_journal = |path: &Path| first_bytes(path, HEAD + BODY_BEGINS.len()).is_some_and(|bytes| may_begin(&bytes));
    Replaceable::own("the journal of a run", is_journal).or(REMEDY)
}

/// The remedy in the error message for a path that a run needs, but that belongs to a file of another kind.
pub(super) const REMEDY: &str = "move it away or start again with --force";

/// The start of the first record's body: an [`Identity`] as JSON.
const BODY_BEGINS: &[u8] = b"{\"format_version\":";

/// An upper bound on the length of the first record's body in bytes.
const LONGEST_IDENTITY: u32 = 1 << 16;

/// Returns true if a journal can begin with these bytes. In the body of its first record, zero and missing bytes match
/// any byte.
fn may_begin(bytes: &[u8]) -> bool {
    let mut length = [0; 4];
    length.iter_mut().zip(bytes).for_each(|(to, &byte)| *to = byte);
    let body = bytes.iter().skip(HEAD).zip(BODY_BEGINS);
    u32::from_le_bytes(length) < LONGEST_IDENTITY && body.into_iter().all(|(&byte, &own)| byte == own || byte == 0)
}

/// Returns the sum of two numbers of positions, or `None` if it exceeds [`MAX_POSITIONS`].
fn added(positions: u64, more: u64) -> Option<u64> {
    positions.checked_add(more).filter(|&sum| sum <= MAX_POSITIONS)
}

/// Encodes a record with this body.
pub(super) fn record(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("a section has fewer than 2^28 blocks");
    [&length.to_le_bytes()[..], &xxh3_64(body).to_le_bytes(), body].concat()
}

/// Iterates over the bodies of the records in the bytes of a journal, up to the first damaged or unfinished record.
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

/// Returns the offset in bytes at which the last block of these sections ends in their work file. If there are no
/// blocks, returns the length of a table's header.
pub(super) fn end_of(entries: &[SectionRecord]) -> u64 {
    entries.iter().rev().find_map(|entry| entry.blocks.last()?.end()).unwrap_or(HEADER as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<SectionRecord> {
        let packed = |offset, length| BlockPlace { offset, length, plain: 7, hash: u64::from(length) << 40 };
        let mut tally = Tally::default();
        tally.add(3, 255, 1 << 40);
        tally.add(4, 0, 1);
        vec![
            SectionRecord {
                key: 1 << 50,
                rows: 9,
                tally,
                blocks: vec![packed(136, 10), packed(146, 0), packed(146, 1)],
            },
            SectionRecord { key: 0, rows: 0, tally: Tally::default(), blocks: Vec::new() },
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
