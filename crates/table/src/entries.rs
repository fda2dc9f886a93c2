//! Reads the keys and values of a table, block by block or by ranges of keys.

use std::ops::Range;

use crate::blocks::{Lanes, decode_block, decode_keys};
use crate::format::BlockEntry;
use crate::{IndexKind, Result, Table, TableError};
use yomikiri_rules::bits::set_bits;

/// Number of blocks in each range of keys that [`ranges`] returns. The last range may have fewer.
const BLOCKS: usize = 32;

/// Positions of a table: ascending keys and, for each key, the table byte that encodes its value.
#[derive(Default)]
pub struct Entries {
    /// The keys, ascending.
    pub keys: Vec<u64>,
    /// The table byte of each key, in the same order.
    pub bytes: Vec<u8>,
}

impl Entries {
    /// Appends the entries of `more` whose keys are in `range`. These keys must be larger than all keys of `self`.
    pub fn append_within(&mut self, range: &Range<u64>, more: &Entries) {
        let place = |limit: u64| more.keys.partition_point(|&key| key < limit);
        let inside = place(range.start)..place(range.end);
        self.keys.extend_from_slice(&more.keys[inside.clone()]);
        self.bytes.extend_from_slice(&more.bytes[inside]);
    }
}

/// A function that takes a range of keys and reads all positions of a table with keys in this range.
pub type EntryReader<'a> = Box<dyn Fn(Range<u64>) -> Result<Entries> + Send + Sync + 'a>;

/// Calls `visit` once for each block, in ascending order of keys, with the positions that the block lists.
pub fn each_block<E: From<TableError>>(
    table: &Table,
    mut visit: impl FnMut(&Entries) -> Result<(), E>,
) -> Result<(), E> {
    (0..table.blocks()).try_for_each(|number| visit(&block_entries(table, &table.entry(number)?)?))
}

/// Returns the positions that the table lists with keys in `range`, in ascending order of keys.
pub fn listed_within(table: &Table, range: Range<u64>) -> Result<Entries> {
    let mut entries = Entries::default();
    for number in table.block_of(range.start)?.map_or(0, |(number, _)| number)..table.blocks() {
        let block = table.entry(number)?;
        if block.key >= range.end {
            break;
        }
        entries.append_within(&range, &block_entries(table, &block)?);
    }
    Ok(entries)
}

/// Returns the first key of every block, in ascending order. In a block of rows, there may be no position with the
/// first key.
pub fn block_starts(table: &Table) -> Result<Vec<u64>> {
    (0..table.blocks()).map(|number| Ok(table.entry(number)?.key)).collect()
}

/// Divides the keys of a table into ascending ranges of `BLOCKS` blocks each, for threads to share.
pub fn ranges(table: &Table) -> Result<Vec<Range<u64>>> {
    let starts: Vec<u64> = block_starts(table)?.into_iter().step_by(BLOCKS).collect();
    let ends = starts.iter().skip(1).copied().chain([u64::MAX]);
    Ok(starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect())
}

/// Returns the positions of a block.
fn block_entries(table: &Table, block: &BlockEntry) -> Result<Entries> {
    let plain = table.inflated(block)?;
    let bad = || table.damaged("a block has the wrong size");
    if table.header.index_kind == IndexKind::SortedKeys {
        let (keys, bytes) = decode_keys(&plain, block.rows as usize, block.key).ok_or_else(bad)?;
        return Ok(Entries { keys, bytes: bytes.to_vec() });
    }
    let mut entries = Entries::default();
    let visit = |row: usize, set: Lanes, mine: &[u8]| {
        entries.keys.extend(set_bits(set).map(|lane| block.key + ((row as u64) << 6 | u64::from(lane))));
        entries.bytes.extend_from_slice(mine);
    };
    decode_block(&plain, block.rows as usize, visit).ok_or_else(bad)?;
    Ok(entries)
}
