//! Keys and values of a table of either kind, block by block.

use crate::table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, decode_keys, for_each_lane};
use crate::table::{IndexKind, Section, Table, TableError};

/// Calls `visit` with the keys and the value bytes of each block, ascending.
pub fn each_block<E: From<TableError>>(
    table: &Table,
    mut visit: impl FnMut(&[u64], &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let tiers = table.header.index_kind == IndexKind::Tiers;
    for number in 0..table.header.sections {
        let section = table.section(number);
        let blocks = if tiers { section.rows.div_ceil(ROWS_PER_BLOCK as u64) } else { 1 };
        for block in 0..blocks {
            let (keys, values) = entries(table, section, block)?;
            visit(&keys, &values)?;
        }
    }
    Ok(())
}

/// Keys and value bytes of a block of a section.
fn entries(table: &Table, section: Section, block: u64) -> Result<(Vec<u64>, Vec<u8>), TableError> {
    let bytes = table.block(section.first_block + block)?;
    let bad = || table.damaged("a block has the wrong size");
    if table.header.index_kind == IndexKind::SortedKeys {
        let (keys, values) = decode_keys(&bytes, section.rows as usize).ok_or_else(bad)?;
        return Ok((keys, values.to_vec()));
    }
    let first = block * ROWS_PER_BLOCK as u64;
    let rows = (section.rows - first).min(ROWS_PER_BLOCK as u64) as usize;
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    let visit = |row: usize, set: Lanes, mine: &[u8]| {
        for_each_lane(set, |lane| keys.push(section.key + ((first + row as u64) << 6 | lane as u64)));
        values.extend_from_slice(mine);
    };
    decode_block(&bytes, rows, visit).ok_or_else(bad)?;
    Ok((keys, values))
}
