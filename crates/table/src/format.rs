//! Layout of a table file. docs/format.md shows it as tables that a test holds against these constants.
//!
//! ```text
//! header (136 bytes) | blocks | pages: zstd frames of block entries | directory of the pages | meta (JSON)
//! ```
//! All numbers are little endian. Hashes are XXH3-64. The header hash covers the header, which holds the hashes of
//! directory and meta; the directory holds those of the pages, and a page those of its blocks: one number stands for
//! the whole file.

use std::mem::offset_of;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, TryFromBytes, Unaligned, transmute};

use super::blocks::{LANES, LISTED_ROWS_PER_BLOCK, MAX_KEYS_PER_BLOCK, MAX_NUMBER, ROWS_PER_BLOCK};

pub const MAGIC: [u8; 8] = *b"YOMIKIRI";
pub const FORMAT_VERSION: u16 = 2;

/// Length of the header in bytes.
pub const HEADER: usize = size_of::<Header>();
/// Stands in the header once everything else is on disk.
pub const FINISHED_MARK: [u8; 4] = *b"DONE";
/// Longest rule code in bytes; shorter ones are filled up with zeros.
pub const CODE_LENGTH: usize = 40;
/// Bytes of an entry of the directory.
pub const DIRECTORY_ENTRY: usize = size_of::<PageEntry>();
/// Bytes that a page of coded blocks ends with.
pub const MODEL_PLACE: usize = size_of::<ModelPlace>();

/// How blocks are packed: all of a file in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BlockForm {
    /// One zstd frame each.
    Zstd = 1,
    /// By a model of what keys are likely to be: the smaller form of tables of all keys.
    Coded = 2,
}

impl BlockForm {
    /// The form that a number stands for in a table of a kind; `None` if this program reads no such.
    pub fn of(number: u8, kind: IndexKind) -> Option<BlockForm> {
        let lists_rest = matches!(kind, IndexKind::RestWins | IndexKind::RestDraws);
        match number {
            1 => Some(BlockForm::Zstd),
            2 if lists_rest => Some(BlockForm::Coded),
            _ => None,
        }
    }
}

/// How keys lead to blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TryFromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(u8)]
pub enum IndexKind {
    /// Sections are tiers; a key minus the section's is row and lane, and blocks hold a fixed number of rows.
    Tiers = 1,
    /// Sections are single blocks of sorted keys with their values; the section's key is its first.
    SortedKeys = 2,
    /// One section with all keys of a cyclic game from 0 on, in rows of 64. Positions that are not listed are won,
    /// one ply after the shortest loss among their children.
    RestWins = 3,
    /// The same; positions that are not listed are draws.
    RestDraws = 4,
}

impl IndexKind {
    /// Rows, or sorted keys, in a block: so many in all of a section but the last, or at most so many keys.
    pub fn rows_per_block(self) -> usize {
        match self {
            IndexKind::Tiers => ROWS_PER_BLOCK,
            IndexKind::SortedKeys => MAX_KEYS_PER_BLOCK,
            IndexKind::RestWins | IndexKind::RestDraws => LISTED_ROWS_PER_BLOCK,
        }
    }

    /// How many keys from its first on surely belong to a block of so many rows and to no other: of sorted keys one.
    pub fn keys_of_rows(self, rows: u64) -> u64 {
        if self == IndexKind::SortedKeys { rows.min(1) } else { rows * LANES as u64 }
    }

    /// Most bytes that a block of so many rows, or sorted keys, inflates to.
    pub fn longest_block(self, rows: u64) -> u64 {
        rows * if self == IndexKind::SortedKeys { MAX_NUMBER + 1 } else { 8 + LANES } as u64
    }
}

/// The header, byte for byte as it stands in the file. docs/format.md lists the same fields.
#[derive(Clone, Debug, PartialEq, Eq, TryFromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Header {
    pub magic: [u8; 8],
    pub format_version: U16,
    pub index_kind: IndexKind,
    pub value_codec: u8,
    pub rules_revision: U32,
    /// Number of this file among those of the table, and how many there are.
    pub part: U16,
    pub parts: U16,
    pub finished: [u8; 4],
    pub positions: U64,
    pub sections: U64,
    pub blocks: U64,
    pub pages_offset: U64,
    pub directory_offset: U64,
    pub directory_hash: U64,
    pub meta_length: U64,
    pub meta_hash: U64,
    /// See [`Header::rule_code`].
    pub rule_code: [u8; CODE_LENGTH],
    /// Of all bytes before.
    pub header_hash: U64,
}

impl Header {
    /// A rule code as the header has it.
    pub fn code_bytes(code: &str) -> [u8; CODE_LENGTH] {
        let mut bytes = [0; CODE_LENGTH];
        bytes[..code.len()].copy_from_slice(code.as_bytes());
        bytes
    }

    pub fn rule_code(&self) -> String {
        let length = self.rule_code.iter().position(|&byte| byte == 0).unwrap_or(CODE_LENGTH);
        String::from_utf8_lossy(&self.rule_code[..length]).into_owned()
    }

    /// The bytes of the header, with the hash that belongs to them.
    pub fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes: [u8; HEADER] = transmute!(self.clone());
        let (rest, hash) = bytes.split_at_mut(offset_of!(Header, header_hash));
        hash.copy_from_slice(&xxh3_64(rest).to_le_bytes());
        bytes
    }

    /// Reads a header; the error says what is wrong with the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, String> {
        let Some(bytes) = bytes.first_chunk::<HEADER>() else {
            return Err(format!("shorter than a table's header ({} of {HEADER} bytes)", bytes.len()));
        };
        if !bytes.starts_with(&MAGIC) {
            return Err("not a Yomikiri table".into());
        }
        let version = &bytes[offset_of!(Header, format_version)..][..2];
        if version != FORMAT_VERSION.to_le_bytes() {
            let version = u16::from_le_bytes([version[0], version[1]]);
            let upgrade = if version == 1 { "; yomikiri tables upgrade makes one of it" } else { "" };
            return Err(format!("format version {version}, this program reads version {FORMAT_VERSION}{upgrade}"));
        }
        if !bytes[offset_of!(Header, finished)..].starts_with(&FINISHED_MARK) {
            return Err("not finished".into());
        }
        let (rest, hash) = bytes.split_at(offset_of!(Header, header_hash));
        if hash != xxh3_64(rest).to_le_bytes() {
            return Err("damaged header (its checksum does not match)".into());
        }
        let unknown = |_| format!("unknown index kind {}", bytes[offset_of!(Header, index_kind)]);
        Header::try_read_from_bytes(bytes).map_err(unknown)
    }
}

/// An entry of the directory, byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct PageEntry {
    /// Key of the page's first block.
    pub key: U64,
    pub offset: U64,
    pub length: U32,
    /// A [`BlockForm`].
    pub form: u8,
    /// Values of each position: 1.
    pub values: u8,
    pub zero: U16,
    /// Of the page as it is packed.
    pub hash: U64,
}

/// Where the model of coded blocks lies, byte for byte: behind the columns of each of their pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct ModelPlace {
    pub offset: U64,
    pub length: U32,
    /// Of the model as it is packed.
    pub hash: U64,
}

/// A tier, one block of sorted keys, or all keys of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    pub key: u64,
    pub first_block: u64,
    pub rows: u64,
}

/// Where a block lies, and what it is like packed and not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed {
    pub offset: u64,
    pub length: u32,
    /// Length once inflated.
    pub plain: u32,
    /// Hash of the compressed bytes.
    pub hash: u64,
}

impl Packed {
    /// Where it lies in a file that is known to reach so far.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + u64::from(self.length)
    }

    /// Where it ends; `None` where no file is so long.
    pub fn end(&self) -> Option<u64> {
        self.offset.checked_add(self.length.into())
    }
}

/// A block of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Of row 0, lane 0, or its first key.
    pub key: u64,
    /// Number of its rows or keys.
    pub rows: u32,
    /// Whether a section begins with it.
    pub begins: bool,
    pub packed: Packed,
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

    /// Ply, table byte and number of positions, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u8, u64)> + '_ {
        self.plies.iter().flat_map(|(&ply, bytes)| bytes.iter().map(move |(&byte, &count)| (ply, byte, count)))
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
