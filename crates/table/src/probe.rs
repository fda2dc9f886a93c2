//! Looking one key up in a table.

use std::path::Path;

use crate::blocks::{probe_block, probe_keys};
use crate::source::ReadAt;
use crate::{IndexKind, Result, Table};
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
    let Some((_, block)) = table.block_of(key)? else { return Ok(None) };
    let rows = block.rows as usize;
    let byte = match table.header.index_kind {
        IndexKind::Tiers => {
            let (row, lane) = (((key - block.key) >> 6) as usize, ((key - block.key) & 63) as usize);
            if row >= rows {
                return Ok(None);
            }
            probe_block(&table.inflated(&block)?, rows, row, lane)
        }
        IndexKind::SortedKeys => probe_keys(&table.inflated(&block)?, rows, block.key, key),
        IndexKind::RestWins | IndexKind::RestDraws => {
            return Err(table.damaged("is of a kind that only games that can repeat have"));
        }
    };
    match byte.ok_or_else(|| table.damaged("a block has the wrong size"))? {
        None => Ok(None),
        Some(byte) => {
            V::from_byte(byte).map(Some).ok_or_else(|| table.damaged(format!("value byte {byte} means nothing")))
        }
    }
}

/// The position of a key of a table.
pub fn position_of<G: Game>(game: &G, table: &Table, key: u64) -> Result<G::Position> {
    game.unrank(key).ok_or_else(|| table.damaged(format!("has a key, {key}, that no position has")))
}
