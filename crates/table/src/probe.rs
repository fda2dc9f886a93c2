//! Looking one key up in a table.

use std::path::Path;

use crate::blocks::{ROWS_PER_BLOCK, probe_block, probe_keys};
use crate::source::ReadAt;
use crate::{IndexKind, Result, Section, Table};
use yomikiri_rules::{Game, Value};

/// Opens a table of this game.
pub fn open<G: Game>(game: &G, path: &Path) -> Result<Table> {
    Table::open(path, &game.code(), G::RULES_REVISION, G::Value::CODEC as u8)
}

/// As [`open`], from any source; `name` is what errors call it.
pub fn open_source<G: Game>(game: &G, source: impl ReadAt + 'static, name: &Path) -> Result<Table> {
    Table::from_source(Box::new(source), name, &game.code(), G::RULES_REVISION, G::Value::CODEC as u8)
}

/// The value of a key; `None` if the table has no such position. For tables that list all their positions.
pub fn probe<V: Value>(table: &Table, key: u64) -> Result<Option<V>> {
    let Some(number) = table.section_of(key) else { return Ok(None) };
    let section = table.section(number);
    let byte = match table.header.index_kind {
        IndexKind::Tiers => probe_tier(table, section, key - section.key)?,
        IndexKind::RestWins | IndexKind::RestDraws => {
            return Err(table.damaged("is of a kind that only games that can repeat have"));
        }
        IndexKind::SortedKeys => {
            let block = table.block(section.first_block)?;
            probe_keys(&block, section.rows as usize, key).ok_or_else(|| table.damaged("a block has the wrong size"))?
        }
    };
    match byte {
        None => Ok(None),
        Some(byte) => {
            V::from_byte(byte).map(Some).ok_or_else(|| table.damaged(format!("value byte {byte} means nothing")))
        }
    }
}

/// The byte `offset` keys after the first of a tier.
fn probe_tier(table: &Table, section: Section, offset: u64) -> Result<Option<u8>> {
    let (row, lane) = (offset >> 6, (offset & 63) as usize);
    if row >= section.rows {
        return Ok(None);
    }
    let per_block = ROWS_PER_BLOCK as u64;
    let block = table.block(section.first_block + row / per_block)?;
    let rows = per_block.min(section.rows - row / per_block * per_block) as usize;
    probe_block(&block, rows, (row % per_block) as usize, lane)
        .ok_or_else(|| table.damaged("a block has the wrong size"))
}

/// The position of a key of a table.
pub fn position_of<G: Game>(game: &G, table: &Table, key: u64) -> Result<G::Position> {
    game.unrank(key).ok_or_else(|| table.damaged(format!("has a key, {key}, that no position has")))
}
