//! The layout of a table file. docs/format.md describes the same layout, and a test compares it with these constants.
//!
//! ```text
//! header (136 bytes) | blocks | pages: zstd frames of block entries | directory of the pages | meta (JSON)
//! ```
//! All numbers are little endian. Hashes are XXH3-64. The header's hash covers the rest of the header, which contains
//! the hashes of the directory and of the meta data. The directory contains the hashes of the pages, and each page
//! contains the hashes of its blocks. So the header's hash identifies the contents of the whole file.

use std::collections::BTreeMap;
use std::mem::offset_of;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, TryFromBytes, Unaligned, transmute};

use yomikiri_rules::Notation;

use super::blocks::{LANES, LISTED_ROWS_PER_BLOCK, MAX_KEYS_PER_BLOCK, MAX_NUMBER, ROWS_PER_BLOCK};

/// The first bytes of every table.
pub const MAGIC: [u8; 8] = *b"YOMIKIRI";
/// The version of the table format that this program reads and writes.
pub const FORMAT_VERSION: u16 = 2;

/// Length of the header in bytes.
pub const HEADER: usize = size_of::<Header>();
/// The mark in the header of a finished file. It is written after everything else is on disk.
pub const FINISHED_MARK: [u8; 4] = *b"DONE";
/// Length of the rule code field in bytes. Shorter codes are padded with zeros.
pub const CODE_LENGTH: usize = 40;
/// Length in bytes of an entry of the directory, which lists the pages of the index.
pub const DIRECTORY_ENTRY: usize = size_of::<PageEntry>();
/// Length in bytes of a [`ModelPlace`], the place of the probability model. Each page of coded blocks ends with one.
pub const MODEL_PLACE: usize = size_of::<ModelPlace>();

/// The way in which blocks are compressed. All blocks of a file have the same form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BlockForm {
    /// One zstd frame for each block.
    Zstd = 1,
    /// Range-coded with a context model. This form is smaller, but only tables that leave an outcome out
    /// ([`IndexKind::UnlistedWins`], [`IndexKind::UnlistedDraws`]) can have it.
    Coded = 2,
}

impl BlockForm {
    /// Returns the form with this number, or `None` if this program cannot read blocks of this form in tables of this
    /// kind.
    pub fn of(number: u8, kind: IndexKind) -> Option<BlockForm> {
        let lists_rest = matches!(kind, IndexKind::UnlistedWins | IndexKind::UnlistedDraws);
        match number {
            1 => Some(BlockForm::Zstd),
            2 if lists_rest => Some(BlockForm::Coded),
            _ => None,
        }
    }
}

/// The mapping from keys to blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TryFromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(u8)]
pub enum IndexKind {
    /// Each section is a tier, a range of consecutive keys. A key's offset from the start of its section is 64 times
    /// its row plus its lane. All blocks of a section except the last have the same number of rows.
    Tiers = 1,
    /// Each section is one block of sorted keys with their values. The key of a section is its first key.
    SortedKeys = 2,
    /// A single section covers all keys of a game with repetition, from 0 on, in rows of 64 keys. A position that is
    /// not listed is a win. Its distance to the end is one ply more than the shortest loss among its children.
    UnlistedWins = 3,
    /// Like [`IndexKind::UnlistedWins`], but a position that is not listed is a draw.
    UnlistedDraws = 4,
}

impl IndexKind {
    /// Returns the number of rows in each block of a section except the last. For sorted keys, returns the maximum
    /// number of keys in a block.
    pub fn rows_per_block(self) -> usize {
        match self {
            IndexKind::Tiers => ROWS_PER_BLOCK,
            IndexKind::SortedKeys => MAX_KEYS_PER_BLOCK,
            IndexKind::UnlistedWins | IndexKind::UnlistedDraws => LISTED_ROWS_PER_BLOCK,
        }
    }

    /// Returns the number of consecutive keys that a block of `rows` rows covers, counted from the block's first key.
    /// For a block of `rows` sorted keys, the result is at most 1, because the index has only the first key of the
    /// block.
    pub fn keys_of_rows(self, rows: u64) -> u64 {
        if self == IndexKind::SortedKeys { rows.min(1) } else { rows * LANES as u64 }
    }

    /// Returns the maximum number of bytes in an inflated block of `rows` rows or sorted keys.
    pub fn longest_block(self, rows: u64) -> u64 {
        rows * if self == IndexKind::SortedKeys { MAX_NUMBER + 1 } else { 8 + LANES } as u64
    }
}

/// The header, byte for byte as in the file. docs/format.md lists the same fields.
#[derive(Clone, Debug, PartialEq, Eq, TryFromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Header {
    /// Always [`MAGIC`].
    pub magic: [u8; 8],
    /// Version of the table format. This program reads only [`FORMAT_VERSION`].
    pub format_version: U16,
    /// The mapping from keys to blocks.
    pub index_kind: IndexKind,
    /// The encoding of values as table bytes, as a number that docs/format.md lists.
    pub value_codec: u8,
    /// The revision of the rules under which the table was made ([`yomikiri_rules::Game::rules_revision`]).
    pub rules_revision: U32,
    /// Index of this file among the files of the table. Always 0 in this version.
    pub part: U16,
    /// Number of files of the table. Always 1 in this version.
    pub parts: U16,
    /// [`FINISHED_MARK`] if the file is finished.
    pub finished: [u8; 4],
    /// Number of positions whose values follow from the table, including positions that it does not list.
    pub positions: U64,
    /// Number of sections.
    pub sections: U64,
    /// Number of blocks.
    pub blocks: U64,
    /// Offset in bytes at which the pages begin.
    pub pages_offset: U64,
    /// Offset in bytes at which the pages end and the directory begins.
    pub directory_offset: U64,
    /// Hash of the directory.
    pub directory_hash: U64,
    /// Length of the meta data in bytes.
    pub meta_length: U64,
    /// Hash of the meta data.
    pub meta_hash: U64,
    /// The rule code, padded with zeros ([`Header::rule_code`]).
    pub rule_code: [u8; CODE_LENGTH],
    /// Hash of all bytes before this field.
    pub header_hash: U64,
}

/// The message about a file that does not begin with [`MAGIC`].
pub const NOT_OURS: &str = "not a Yomikiri table, certificate or opening";

impl Header {
    /// Returns the bytes of the rule code field for `code`. Panics if `code` is longer than [`CODE_LENGTH`].
    pub fn code_bytes(code: &str) -> [u8; CODE_LENGTH] {
        let mut bytes = [0; CODE_LENGTH];
        bytes[..code.len()].copy_from_slice(code.as_bytes());
        bytes
    }

    /// Returns the rule code, without the zeros that pad it.
    pub fn rule_code(&self) -> String {
        let length = self.rule_code.iter().position(|&byte| byte == 0).unwrap_or(CODE_LENGTH);
        String::from_utf8_lossy(&self.rule_code[..length]).into_owned()
    }

    /// Returns the bytes of the header, with a newly computed hash.
    pub fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes: [u8; HEADER] = transmute!(self.clone());
        let (rest, hash) = bytes.split_at_mut(offset_of!(Header, header_hash));
        hash.copy_from_slice(&xxh3_64(rest).to_le_bytes());
        bytes
    }

    /// Returns true if `bytes`, the first ones of a file, begin as a file of this version of the format. If the header
    /// cannot be read, the file then is damaged.
    pub fn is_of_this_version(bytes: &[u8]) -> bool {
        let version = bytes.get(offset_of!(Header, format_version)..).and_then(|rest| rest.first_chunk());
        MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())])
            && version.is_none_or(|&version| u16::from_le_bytes(version) == FORMAT_VERSION)
    }

    /// Reads and checks the header at the start of `bytes`. The error says what is wrong with the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, String> {
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if !MAGIC.starts_with(start) {
            return Err(NOT_OURS.into());
        }
        let Some(bytes) = bytes.first_chunk::<HEADER>() else {
            return Err(format!("shorter than the header of a file ({} of {HEADER} bytes)", bytes.len()));
        };
        let version = &bytes[offset_of!(Header, format_version)..][..2];
        if version != FORMAT_VERSION.to_le_bytes() {
            let version = u16::from_le_bytes([version[0], version[1]]);
            let upgrade = if version == 1 { "; run \"yomikiri tables upgrade\"" } else { "" };
            return Err(format!(
                "has format version {version}, but this program reads version {FORMAT_VERSION}{upgrade}"
            ));
        }
        if !bytes[offset_of!(Header, finished)..].starts_with(&FINISHED_MARK) {
            return Err("is not finished".into());
        }
        let (rest, hash) = bytes.split_at(offset_of!(Header, header_hash));
        if hash != xxh3_64(rest).to_le_bytes() {
            return Err("header checksum does not match".into());
        }
        let unknown = |_| format!("unknown index kind {}", bytes[offset_of!(Header, index_kind)]);
        Header::try_read_from_bytes(bytes).map_err(unknown)
    }
}

/// An entry of the directory, which lists the pages of the index. The fields are byte for byte as in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct PageEntry {
    /// Key of the page's first block.
    pub key: U64,
    /// Offset of the compressed page in the file, in bytes.
    pub offset: U64,
    /// Length of the compressed page in bytes.
    pub length: U32,
    /// The [`BlockForm`] of the page's blocks, as a number.
    pub form: u8,
    /// Number of values per position. Always 1.
    pub values: u8,
    /// Unused; always 0.
    pub zero: U16,
    /// Hash of the compressed page.
    pub hash: U64,
}

/// The place of the probability model of coded blocks, byte for byte as in the file. Each page of coded blocks ends
/// with this entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct ModelPlace {
    /// Offset of the compressed model in the file, in bytes.
    pub offset: U64,
    /// Length of the compressed model in bytes.
    pub length: U32,
    /// Hash of the compressed model.
    pub hash: U64,
}

/// A section of a table: a tier, one block of sorted keys, or all keys of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Key of the section's first block.
    pub key: u64,
    /// Index in the table of the section's first block.
    pub first_block: u64,
    /// Number of rows or sorted keys in all blocks of the section.
    pub rows: u64,
}

/// The place of a block in the file, its lengths, and its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockPlace {
    /// Offset of the compressed block in the file, in bytes.
    pub offset: u64,
    /// Length of the compressed block in bytes.
    pub length: u32,
    /// Length of the inflated block in bytes.
    pub plain: u32,
    /// Hash of the compressed bytes.
    pub hash: u64,
}

impl BlockPlace {
    /// Returns the byte range of the block in the file. The end of the block must not overflow ([`BlockPlace::end`]).
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + u64::from(self.length)
    }

    /// Returns the offset in bytes at which the block ends in the file, or `None` if the offset overflows.
    pub fn end(&self) -> Option<u64> {
        self.offset.checked_add(self.length.into())
    }
}

/// An index entry: the keys of a block and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEntry {
    /// The key of row 0 and lane 0. In a block of sorted keys, the first key.
    pub key: u64,
    /// Number of rows or sorted keys in the block.
    pub rows: u32,
    /// True if the block is the first of its section.
    pub starts_section: bool,
    /// The place of the block in the file.
    pub packed: BlockPlace,
}

/// Counts of positions by ply and table byte, the byte that encodes a position's value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// For each ply, the number of positions with each table byte.
    pub plies: BTreeMap<u32, BTreeMap<u8, u64>>,
}

impl Tally {
    /// Adds `count` positions that have this ply and this table byte. A count of 0 adds no entry.
    pub fn add(&mut self, ply: u32, byte: u8, count: u64) {
        if count > 0 {
            *self.plies.entry(ply).or_default().entry(byte).or_default() += count;
        }
    }

    /// Adds all counts of `other`.
    pub fn merge(&mut self, other: &Tally) {
        for (&ply, bytes) in &other.plies {
            for (&byte, &count) in bytes {
                self.add(ply, byte, count);
            }
        }
    }

    /// Iterates over triples of ply, table byte and number of positions, in ascending order of ply, then of byte.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u8, u64)> + '_ {
        self.plies.iter().flat_map(|(&ply, bytes)| bytes.iter().map(move |(&byte, &count)| (ply, byte, count)))
    }

    /// Returns the total number of positions, over all plies and table bytes.
    pub fn positions(&self) -> u64 {
        self.plies.values().flat_map(|bytes| bytes.values()).sum()
    }
}

/// The meta data: JSON at the end of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// The root position of the table, as text.
    pub root: String,
    /// Key of the root position.
    pub root_key: u64,
    /// The number of nonterminal positions by ply and table byte, including positions that the table does not list.
    pub tally: Tally,
    /// The number of terminal positions for each table byte; empty if the run did not count them. The table does not
    /// contain terminal positions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ended: BTreeMap<u8, u64>,
}

impl Meta {
    /// Returns the meta data of a table with the root position `root`.
    pub fn of<G: Notation>(game: &G, root: &G::Position, tally: Tally, ended: BTreeMap<u8, u64>) -> Meta {
        Meta { root: game.position_text(root), root_key: game.rank(root), tally, ended }
    }
}
