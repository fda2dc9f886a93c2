//! Layout of a table file. docs/format.md shows it as tables that a test holds against these constants.
//!
//! ```text
//! header (128 bytes) | blocks, each a zstd frame | section list | block list | meta (JSON)
//! ```
//! All numbers are little endian. Hashes are XXH3-64. The header hash covers the header, which holds the hashes of
//! lists and meta; the block list holds the hash of every block: one number stands for the whole file.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::blocks::{KEYS_PER_BLOCK, LISTED_ROWS_PER_BLOCK, ROWS_PER_BLOCK};

pub const MAGIC: [u8; 8] = *b"YOMIKIRI";
pub const FORMAT_VERSION: u16 = 1;

/// Offsets of the header's fields, in bytes.
pub mod at {
    pub const MAGIC: usize = 0;
    pub const FORMAT_VERSION: usize = MAGIC + 8;
    pub const INDEX_KIND: usize = FORMAT_VERSION + 2;
    pub const VALUE_CODEC: usize = INDEX_KIND + 1;
    pub const RULES_REVISION: usize = VALUE_CODEC + 1;
    pub const ROWS_PER_BLOCK: usize = RULES_REVISION + 4;
    pub const FINISHED: usize = ROWS_PER_BLOCK + 4;
    pub const POSITIONS: usize = FINISHED + 4;
    pub const SECTIONS: usize = POSITIONS + 8;
    pub const BLOCKS: usize = SECTIONS + 8;
    pub const LISTS_OFFSET: usize = BLOCKS + 8;
    pub const LISTS_HASH: usize = LISTS_OFFSET + 8;
    pub const META_LENGTH: usize = LISTS_HASH + 8;
    pub const META_HASH: usize = META_LENGTH + 8;
    pub const RULE_CODE: usize = META_HASH + 8;
    pub const HEADER_HASH: usize = RULE_CODE + 40;
    pub const END: usize = HEADER_HASH + 8;
}

/// Length of the header.
pub const HEADER: usize = at::END;
/// Stands in the header once everything else is on disk.
pub const FINISHED_MARK: [u8; 4] = *b"DONE";
/// Longest rule code in bytes; shorter ones are filled up with zeros.
pub const CODE_LENGTH: usize = at::HEADER_HASH - at::RULE_CODE;
/// Bytes of an entry of the section list: key u64, first block u64, rows u64.
pub const SECTION_ENTRY: usize = 24;
/// Bytes of an entry of the block list: offset u64, length u32, plain length u32, hash u64.
pub const BLOCK_ENTRY: usize = 24;

/// How keys lead to blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum IndexKind {
    /// Sections are tiers; a key minus the section's is row and lane, and blocks hold a fixed number of rows.
    Tiers = 1,
    /// Sections are single blocks of sorted keys with their values; the section's key is its first.
    SortedKeys = 2,
    /// One section with all keys of a cyclic game from 0 on, in rows of 64. Positions that are not listed are won, one ply
    /// after the shortest loss among their children.
    RestWins = 3,
    /// The same; positions that are not listed are draws.
    RestDraws = 4,
}

impl IndexKind {
    /// Rows, or sorted keys, in a block.
    pub fn rows_per_block(self) -> usize {
        match self {
            IndexKind::Tiers => ROWS_PER_BLOCK,
            IndexKind::SortedKeys => KEYS_PER_BLOCK,
            IndexKind::RestWins | IndexKind::RestDraws => LISTED_ROWS_PER_BLOCK,
        }
    }
}

/// Contents of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub index_kind: IndexKind,
    pub value_codec: u8,
    pub rules_revision: u32,
    pub rows_per_block: u32,
    pub positions: u64,
    pub sections: u64,
    pub blocks: u64,
    pub lists_offset: u64,
    pub lists_hash: u64,
    pub meta_length: u64,
    pub meta_hash: u64,
    pub rule_code: String,
}

impl Header {
    pub fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(at::MAGIC, &MAGIC);
        put(at::FORMAT_VERSION, &FORMAT_VERSION.to_le_bytes());
        put(at::INDEX_KIND, &[self.index_kind as u8]);
        put(at::VALUE_CODEC, &[self.value_codec]);
        put(at::RULES_REVISION, &self.rules_revision.to_le_bytes());
        put(at::ROWS_PER_BLOCK, &self.rows_per_block.to_le_bytes());
        put(at::FINISHED, &FINISHED_MARK);
        put(at::POSITIONS, &self.positions.to_le_bytes());
        put(at::SECTIONS, &self.sections.to_le_bytes());
        put(at::BLOCKS, &self.blocks.to_le_bytes());
        put(at::LISTS_OFFSET, &self.lists_offset.to_le_bytes());
        put(at::LISTS_HASH, &self.lists_hash.to_le_bytes());
        put(at::META_LENGTH, &self.meta_length.to_le_bytes());
        put(at::META_HASH, &self.meta_hash.to_le_bytes());
        put(at::RULE_CODE, self.rule_code.as_bytes());
        let hash = xxh3_64(&bytes[..at::HEADER_HASH]);
        bytes[at::HEADER_HASH..].copy_from_slice(&hash.to_le_bytes());
        bytes
    }

    /// Reads a header; the error says what is wrong with the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, String> {
        if bytes.len() < HEADER {
            return Err(format!("shorter than a table's header ({} of {HEADER} bytes)", bytes.len()));
        }
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        let half = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
        if bytes[at::MAGIC..at::FORMAT_VERSION] != MAGIC {
            return Err("not a Yomikiri table".into());
        }
        let version = u16::from_le_bytes([bytes[at::FORMAT_VERSION], bytes[at::FORMAT_VERSION + 1]]);
        if version != FORMAT_VERSION {
            return Err(format!("format version {version}, this program reads version {FORMAT_VERSION}"));
        }
        if bytes[at::FINISHED..at::POSITIONS] != FINISHED_MARK {
            return Err("not finished".into());
        }
        if word(at::HEADER_HASH) != xxh3_64(&bytes[..at::HEADER_HASH]) {
            return Err("damaged header (its checksum does not match)".into());
        }
        let index_kind = match bytes[at::INDEX_KIND] {
            1 => IndexKind::Tiers,
            2 => IndexKind::SortedKeys,
            3 => IndexKind::RestWins,
            4 => IndexKind::RestDraws,
            other => return Err(format!("unknown index kind {other}")),
        };
        let code = &bytes[at::RULE_CODE..at::HEADER_HASH];
        let length = code.iter().position(|&byte| byte == 0).unwrap_or(code.len());
        Ok(Header {
            index_kind,
            value_codec: bytes[at::VALUE_CODEC],
            rules_revision: half(at::RULES_REVISION),
            rows_per_block: half(at::ROWS_PER_BLOCK),
            positions: word(at::POSITIONS),
            sections: word(at::SECTIONS),
            blocks: word(at::BLOCKS),
            lists_offset: word(at::LISTS_OFFSET),
            lists_hash: word(at::LISTS_HASH),
            meta_length: word(at::META_LENGTH),
            meta_hash: word(at::META_HASH),
            rule_code: String::from_utf8_lossy(&code[..length]).into_owned(),
        })
    }
}

/// A tier, or a block of sorted keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    pub key: u64,
    pub first_block: u64,
    pub rows: u64,
}

impl Section {
    pub fn to_bytes(self) -> [u8; SECTION_ENTRY] {
        let mut bytes = [0; SECTION_ENTRY];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.first_block.to_le_bytes());
        bytes[16..].copy_from_slice(&self.rows.to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Section {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        Section { key: word(0), first_block: word(8), rows: word(16) }
    }
}

/// One compressed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    pub offset: u64,
    pub length: u32,
    /// Length once inflated.
    pub plain: u32,
    /// Hash of the compressed bytes.
    pub hash: u64,
}

impl Block {
    pub fn to_bytes(self) -> [u8; BLOCK_ENTRY] {
        let mut bytes = [0; BLOCK_ENTRY];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.plain.to_le_bytes());
        bytes[16..].copy_from_slice(&self.hash.to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Block {
        let half = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        Block { offset: word(0), length: half(8), plain: half(12), hash: word(16) }
    }
}

/// How many positions of a ply have each table byte.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Number of positions by ply, then by table byte.
    pub plies: std::collections::BTreeMap<u32, std::collections::BTreeMap<u8, u64>>,
}

impl Tally {
    pub fn add(&mut self, ply: u32, byte: u8, count: u64) {
        if count > 0 {
            *self.plies.entry(ply).or_default().entry(byte).or_default() += count;
        }
    }

    pub fn merge(&mut self, other: &Tally) {
        for (&ply, bytes) in &other.plies {
            for (&byte, &count) in bytes {
                self.add(ply, byte, count);
            }
        }
    }

    pub fn positions(&self) -> u64 {
        self.plies.values().flat_map(|bytes| bytes.values()).sum()
    }
}

/// The JSON at the end of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// Text of the position the table starts from.
    pub root: String,
    pub root_key: u64,
    pub tally: Tally,
    /// Positions in which the game is over, by table byte, where the run counted them. They are not in the table.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub ended: std::collections::BTreeMap<u8, u64>,
}
