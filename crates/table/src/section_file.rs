//! A finished section in its own file, for machines that make a table together.
//!
//! Like a journal, the file begins with two records: the first states the run's identity, the second describes the
//! section. The blocks follow, back to back. docs/format.md has the layout.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::compression::{pack, unpack};
use super::format::BlockPlace;
use super::journal::{Bodies, HEAD as RECORD_HEAD, Identity, SectionRecord, record};
use super::section_blocks::SectionBlocks;
use super::source::ReadAt;
use super::store::{LEVEL, NewSection};
use super::{Result, TableError, parallel};

/// A section file in memory.
pub struct SectionFile {
    path: PathBuf,
    entry: SectionRecord,
    bytes: Vec<u8>,
}

impl SectionFile {
    /// Encodes a new section as a file. Compresses its blocks in parallel.
    pub fn encode(section: &NewSection, identity: &Identity) -> Vec<u8> {
        let packed = |number: usize| {
            let plain = (section.plain)(number);
            (plain.len() as u32, pack(&plain, LEVEL))
        };
        let packed: Vec<(u32, Vec<u8>)> = parallel::map(section.blocks, packed);
        let first = record(&serde_json::to_vec(identity).expect("an identity serializes to JSON"));
        let NewSection { key, rows, ref tally, .. } = *section;
        let mut entry = SectionRecord { key, rows, tally: tally.clone(), blocks: Vec::with_capacity(packed.len()) };
        entry.blocks = packed.iter().map(|(plain, bytes)| packed_at(0, *plain, bytes)).collect();
        // The length of the record does not depend on the offsets in it, so they can be set afterwards.
        let mut offset = (first.len() + record(&entry.to_body()).len()) as u64;
        for block in &mut entry.blocks {
            block.offset = offset;
            offset += u64::from(block.length);
        }
        let mut bytes = Vec::with_capacity(offset as usize);
        bytes.extend([first, record(&entry.to_body())].concat());
        packed.iter().for_each(|(_, block)| bytes.extend_from_slice(block));
        bytes
    }

    /// Decodes a file, which must be complete and belong to the run with this identity. Does not check its blocks.
    /// Error messages name the file `path`.
    pub fn decode(bytes: Vec<u8>, path: &Path, identity: &Identity) -> Result<SectionFile> {
        let entry = entry_of(&bytes, bytes.len() as u64, path, identity)?;
        Ok(SectionFile { path: path.into(), entry, bytes })
    }

    /// Reads only the record of a section, not its blocks.
    pub fn read_entry(file: &dyn ReadAt, path: &Path, identity: &Identity) -> Result<SectionRecord> {
        /// Number of bytes that are read first. Nearly all records fit in them.
        const FIRST: u64 = 64 << 10;
        let length = file.length();
        let mut bytes = file.read_at(0..FIRST.min(length)).map_err(TableError::read(path))?;
        let records = records_end(&bytes).filter(|&end| end <= length && end > bytes.len() as u64);
        if let Some(end) = records {
            bytes = file.read_at(0..end).map_err(TableError::read(path))?;
        }
        entry_of(&bytes, length, path, identity)
    }

    /// Returns the length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns the section's record.
    pub fn entry(&self) -> &SectionRecord {
        &self.entry
    }

    /// Verifies the checksums of all compressed blocks, and returns the bytes of these blocks, back to back.
    pub fn into_packed(mut self) -> Result<Vec<u8>> {
        let blocks = &self.entry.blocks;
        let is_damaged = |number: usize| {
            let block = &blocks[number];
            let bytes = &self.bytes[block.offset as usize..][..block.length as usize];
            xxh3_64(bytes) != block.hash
        };
        if parallel::first(blocks.len(), 1, is_damaged).is_some() {
            return Err(self.damaged("a block does not match its checksum"));
        }
        let begins = self.entry.blocks.first().map_or(self.bytes.len(), |block| block.offset as usize);
        Ok(self.bytes.split_off(begins))
    }
}

/// Returns the offset in bytes at which the two records at the start of a file end. Returns `None` if `bytes` ends
/// before the length field of the second record is complete.
fn records_end(bytes: &[u8]) -> Option<u64> {
    let length = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    let second = RECORD_HEAD + length(0)?;
    Some((second + RECORD_HEAD + length(second)?) as u64)
}

/// Returns the record of the section in a file of `length` bytes. `bytes` is the start of the file, and must include
/// the records of the run's identity and of the section.
fn entry_of(bytes: &[u8], length: u64, path: &Path, identity: &Identity) -> Result<SectionRecord> {
    let mut bodies = Bodies(bytes);
    let damaged = || TableError::damaged(path, "is not a complete section");
    let first = bodies.next().and_then(|first| serde_json::from_slice::<Identity>(first).ok());
    if first.ok_or_else(damaged)? != *identity {
        let what = "belongs to another game, or to another version of the program or the rules";
        return Err(TableError::foreign(path, what));
    }
    let entry = bodies.next().and_then(SectionRecord::of_body).ok_or_else(damaged)?;
    let behind = (bytes.len() - bodies.0.len()) as u64;
    let begins = entry.blocks.first().map_or(behind, |block| block.offset);
    let ends = entry.blocks.last().map_or(Some(behind), BlockPlace::end);
    if begins == behind && ends == Some(length) { Ok(entry) } else { Err(damaged()) }
}

fn packed_at(offset: u64, plain: u32, bytes: &[u8]) -> BlockPlace {
    BlockPlace { offset, length: bytes.len() as u32, plain, hash: xxh3_64(bytes) }
}

impl SectionBlocks for SectionFile {
    fn count(&self) -> usize {
        self.entry.blocks.len()
    }

    fn block(&self, number: usize) -> Result<Vec<u8>> {
        let block = self.entry.blocks[number];
        let bytes = &self.bytes[block.offset as usize..][..block.length as usize];
        unpack(bytes, block).map_err(|what| self.damaged(&what))
    }

    fn damaged(&self, what: &str) -> TableError {
        TableError::damaged(&self.path, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Tally;

    fn identity(purpose: &str) -> Identity {
        Identity { format_version: 2, rule_code: "bin2x2".into(), rules_revision: 1, purpose: purpose.into() }
    }

    fn example(blocks: usize) -> Vec<u8> {
        let mut tally = Tally::default();
        tally.add(3, 7, 100);
        let plain = |number: usize| vec![number as u8; 1000 + number];
        SectionFile::encode(&NewSection { key: 64, rows: 4096, tally, blocks, plain: &plain }, &identity("values"))
    }

    #[test]
    fn a_section_is_read_as_it_was_written() {
        for blocks in [0, 1, 5, 5000] {
            let bytes = example(blocks);
            let file = SectionFile::decode(bytes.clone(), Path::new("x"), &identity("values")).unwrap();
            let entry = file.entry();
            let alone = SectionFile::read_entry(&bytes, Path::new("x"), &identity("values")).unwrap();
            assert_eq!(alone, *entry);
            assert_eq!((entry.key, entry.rows, entry.tally.positions(), file.count()), (64, 4096, 100, blocks));
            assert!((0..blocks).all(|number| file.block(number).unwrap() == vec![number as u8; 1000 + number]));
            let length: u32 = entry.blocks.iter().map(|block| block.length).sum();
            assert_eq!(file.into_packed().unwrap().len() as u32, length);
            assert!(SectionFile::decode(bytes, Path::new("x"), &identity("reach")).is_err());
        }
    }

    #[test]
    fn a_changed_byte_or_length_is_found() {
        let bytes = example(3);
        let is_whole = |bytes: Vec<u8>| {
            let file = SectionFile::decode(bytes, Path::new("x"), &identity("values"));
            file.is_ok_and(|file| (0..3).all(|number| file.block(number).is_ok()))
        };
        assert!(is_whole(bytes.clone()));
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x40;
            assert!(!is_whole(changed), "byte {at}");
            assert!(!is_whole(bytes[..at].to_vec()), "{at} bytes");
        }
        assert!(!is_whole([bytes, vec![0]].concat()));
    }
}
