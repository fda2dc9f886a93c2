//! Keys and values of a table, block by block or in ranges of keys.

use std::ops::Range;

use crate::blocks::{Lanes, decode_block, decode_keys, for_each_lane};
use crate::{IndexKind, Result, Section, Table, TableError};

/// Blocks that a thread reads at a time.
const BLOCKS: usize = 32;

/// Positions of a table: keys, ascending, with a table byte each.
#[derive(Default)]
pub struct Entries {
    pub keys: Vec<u64>,
    pub bytes: Vec<u8>,
}

impl Entries {
    /// Appends those of `more`, which come later, whose keys are in `range`.
    pub fn append_within(&mut self, range: &Range<u64>, more: &Entries) {
        let place = |limit: u64| more.keys.partition_point(|&key| key < limit);
        let inside = place(range.start)..place(range.end);
        self.keys.extend_from_slice(&more.keys[inside.clone()]);
        self.bytes.extend_from_slice(&more.bytes[inside]);
    }
}

/// Reads all positions of a table whose keys are in a range.
pub type EntryReader<'a> = Box<dyn Fn(Range<u64>) -> Result<Entries> + Send + Sync + 'a>;

/// Calls `visit` with the positions of each block, ascending. For tables that list all their positions.
pub fn each_block<E: From<TableError>>(
    table: &Table,
    mut visit: impl FnMut(&Entries) -> Result<(), E>,
) -> Result<(), E> {
    for number in 0..table.header.sections.get() {
        let section = table.section(number);
        for block in 0..blocks(table, section) {
            visit(&block_entries(table, section, block)?)?;
        }
    }
    Ok(())
}

/// The positions whose keys are in `range`. For tables that list all their positions.
pub fn listed_within(table: &Table, range: Range<u64>) -> Result<Entries> {
    let mut entries = Entries::default();
    let sections = table.section_of(range.start).unwrap_or(0)..table.header.sections.get();
    for section in sections.map(|number| table.section(number)).take_while(|section| section.key < range.end) {
        for block in blocks_within(table, section, &range) {
            entries.append_within(&range, &block_entries(table, section, block)?);
        }
    }
    Ok(entries)
}

/// The first key of every block, ascending. Of blocks of sorted keys it has a position, of others it may have none.
pub fn block_starts(table: &Table) -> Vec<u64> {
    let sections = (0..table.header.sections.get()).map(|number| table.section(number));
    let starts = |section: Section| {
        (0..blocks(table, section)).map(move |block| section.key + block * block_keys(table.header.index_kind))
    };
    sections.flat_map(starts).collect()
}

/// All keys in ranges of some blocks, ascending, for threads to share.
pub fn ranges(table: &Table) -> Vec<Range<u64>> {
    let starts: Vec<u64> = block_starts(table).into_iter().step_by(BLOCKS).collect();
    let ends = starts.iter().skip(1).copied().chain([u64::MAX]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Number of blocks of a section.
fn blocks(table: &Table, section: Section) -> u64 {
    section.rows.div_ceil(table.header.index_kind.rows_per_block() as u64)
}

/// Keys that a block has room for, where it has room for all of a range.
fn block_keys(kind: IndexKind) -> u64 {
    kind.rows_per_block() as u64 * u64::from(Lanes::BITS)
}

/// The blocks of a section in which there may be keys of `range`, which does not end before the section begins.
fn blocks_within(table: &Table, section: Section, range: &Range<u64>) -> Range<u64> {
    let (all, kind) = (blocks(table, section), table.header.index_kind);
    if kind == IndexKind::SortedKeys {
        return 0..all;
    }
    let first = range.start.saturating_sub(section.key) / block_keys(kind);
    let end = (range.end - section.key).div_ceil(block_keys(kind));
    first..end.min(all)
}

/// The positions of a block of a section.
fn block_entries(table: &Table, section: Section, block: u64) -> Result<Entries> {
    let plain = table.block(section.first_block + block)?;
    let bad = || table.damaged("a block has the wrong size");
    let kind = table.header.index_kind;
    if kind == IndexKind::SortedKeys {
        let (keys, bytes) = decode_keys(&plain, section.rows as usize).ok_or_else(bad)?;
        let sorted = keys.is_sorted().then(|| Entries { keys, bytes: bytes.to_vec() });
        return sorted.ok_or_else(|| table.damaged("its keys are not sorted"));
    }
    let first = block * kind.rows_per_block() as u64;
    let rows = (section.rows - first).min(kind.rows_per_block() as u64) as usize;
    let mut entries = Entries::default();
    let visit = |row: usize, set: Lanes, mine: &[u8]| {
        for_each_lane(set, |lane| entries.keys.push(section.key + ((first + row as u64) << 6 | lane as u64)));
        entries.bytes.extend_from_slice(mine);
    };
    decode_block(&plain, rows, visit).ok_or_else(bad)?;
    Ok(entries)
}
