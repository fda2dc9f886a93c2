//! Checks of random positions of a table. The choice is the same each time.

use std::collections::HashSet;

use super::Auditor;
use crate::{Breach, Result};
use yomikiri_rules::bits::set_bits;
use yomikiri_rules::{CodedValue, Notation, Value};
use yomikiri_search::Search;
use yomikiri_table::blocks::{Lanes, decode_block, decode_keys};
use yomikiri_table::format::BlockEntry;
use yomikiri_table::probe::probe;
use yomikiri_table::{IndexKind, Progress, Silent, Table, TableError};

fn bad_block(table: &Table) -> TableError {
    table.damaged("a block has the wrong size")
}

/// Checks `count` different positions against their moves. The choice is random, but the same each time. Returns the
/// number checked, which is smaller if the table has fewer positions.
pub fn audit_sample<G: Notation<Value: CodedValue>>(
    game: &G,
    table: &Table,
    count: u64,
    progress: &dyn Progress,
) -> Result<u64> {
    progress.begin("Step 3: sample", count);
    let (auditor, mut moves) = (Auditor { game, table }, Vec::new());
    let found = for_sample(table, count, |key, byte| {
        let value_of = |position: &G::Position| probe(table, game.rank(position));
        auditor.check_moves(key, byte, &auditor.position(key)?, &mut moves, value_of)?;
        progress.advance(1);
        Ok(())
    })?;
    progress.end(&format!("{found} positions agree with their moves"));
    Ok(found)
}

/// Compares the values of `count` different random positions with those that a search finds without the table. Compares
/// all positions if `count` is more than half of them. Returns the number compared.
pub fn search_sample<G: Notation>(
    game: &G,
    search: &dyn Search<G>,
    table: &Table,
    count: u64,
    progress: &dyn Progress,
) -> Result<u64> {
    progress.begin("Step 3: search", count);
    let auditor = Auditor { game, table };
    let compare = |key, byte| {
        let value = search.solve(&auditor.position(key)?, &Silent).value;
        progress.advance(1);
        match value.to_byte() == byte {
            true => Ok(()),
            false => Err(auditor.error(key, Breach::NotAsSearched(format!("{value:?}")))),
        }
    };
    let found = match count > table.header.positions.get() / 2 {
        true => for_all(table, compare)?,
        false => for_sample(table, count, compare)?,
    };
    progress.end(&format!("{found} values agree with the search"));
    Ok(found)
}

/// Calls `visit` with the key and the byte of `count` different positions of a table. The choice is random, but the
/// same each time. Returns the number visited, which is smaller if the table has fewer positions.
fn for_sample(table: &Table, count: u64, mut visit: impl FnMut(u64, u8) -> Result<()>) -> Result<u64> {
    let (blocks, most_rows) = (table.blocks(), table.header.index_kind.rows_per_block() as u64);
    let mut draw = SampleRng::default();
    let mut visited = HashSet::new();
    // The draw of a row without positions fails. Another draw soon succeeds, but the number of draws is limited to be
    // safe.
    for _ in 0..count.saturating_mul(1000) {
        if visited.len() as u64 == count || blocks == 0 {
            break;
        }
        // Rejection sampling: a row number beyond the end of a short block is drawn again, so that all rows are equally
        // likely.
        let (block, row) = (table.entry(draw.below(blocks))?, draw.below(most_rows));
        if row < u64::from(block.rows)
            && let Some((key, byte)) = position_in_row(table, &block, row as usize, &mut draw)?
            && visited.insert(key)
        {
            visit(key, byte)?;
        }
    }
    Ok(visited.len() as u64)
}

/// Calls `visit` with the key and the byte of each position of a table. Returns the number of positions.
fn for_all(table: &Table, mut visit: impl FnMut(u64, u8) -> Result<()>) -> Result<u64> {
    let mut visited = 0;
    for block in 0..table.blocks() {
        let found = positions_in(table, &table.entry(block)?, |_| true)?;
        visited += found.len() as u64;
        found.into_iter().try_for_each(|(key, byte)| visit(key, byte))?;
    }
    Ok(visited)
}

/// Returns the key and the byte of a random position of a row; `None` if the row has no positions.
fn position_in_row(table: &Table, block: &BlockEntry, row: usize, draw: &mut SampleRng) -> Result<Option<(u64, u8)>> {
    let found = positions_in(table, block, |at| at == row)?;
    Ok((!found.is_empty()).then(|| found[draw.below(found.len() as u64) as usize]))
}

/// Returns the keys and the bytes of the positions in the rows of a block for which `is_wanted` returns true.
fn positions_in(table: &Table, block: &BlockEntry, is_wanted: impl Fn(usize) -> bool) -> Result<Vec<(u64, u8)>> {
    let (plain, rows) = (table.inflated(block)?, block.rows as usize);
    if table.header.index_kind == IndexKind::SortedKeys {
        let (keys, bytes) = decode_keys(&plain, rows, block.key).ok_or_else(|| bad_block(table))?;
        let wanted = (0..rows).filter(|&row| is_wanted(row));
        return Ok(wanted.map(|row| (keys[row], bytes[row])).collect());
    }
    let mut found = Vec::new();
    let visit = |row: usize, set: Lanes, bytes: &[u8]| {
        if is_wanted(row) {
            let mut bytes = bytes.iter();
            for lane in set_bits(set) {
                let key = block.key + ((row as u64) << 6 | u64::from(lane));
                found.push((key, bytes.next().copied().unwrap_or(0)));
            }
        }
    };
    decode_block(&plain, rows, visit).ok_or_else(|| bad_block(table))?;
    Ok(found)
}

/// A fixed pseudorandom sequence (splitmix64), so that samples repeat.
pub struct SampleRng(u64);

impl Default for SampleRng {
    fn default() -> SampleRng {
        SampleRng(0x796f_6d69)
    }
}

impl SampleRng {
    /// Returns the next number, which is below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ (mixed >> 31)) * u128::from(limit)) >> 64) as u64
    }
}
