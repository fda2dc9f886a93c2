//! Looks up keys in a table, one or many at a time.

use std::io::ErrorKind;
use std::path::Path;

use crate::blocks::{decode_keys, probe_block, probe_keys, probe_lanes};
use crate::format::BlockEntry;
use crate::location::Location;
use crate::source::ReadAt;
use crate::{IndexKind, Result, Table, TableError, parallel};
use yomikiri_rules::{CodedValue, Game};

/// Opens the table at `path`. A table of another variant, of another revision of the rules, or with another encoding of
/// values is an error.
pub fn open<G: Game>(game: &G, path: &Path) -> Result<Table> {
    Table::open(path, &game.code(), game.rules_revision(), game.codec() as u8)
}

/// Like [`open`], but `path` may also be a path at an address of `location`.
pub fn open_at<G: Game>(game: &G, location: &Location, path: &Path) -> Result<Table> {
    Table::from_source(location.open(path)?, path, &game.code(), game.rules_revision(), game.codec() as u8)
}

/// Like [`open_at`], but returns `None` if the file does not exist. In a folder, opens the file without checking first
/// that it exists, so a file that appears or vanishes meanwhile causes no error.
pub fn open_if_there<G: Game>(game: &G, location: &Location, path: &Path) -> Result<Option<Table>> {
    if location.manifest().is_some() && !location.has(path) {
        return Ok(None);
    }
    // `Unsupported` means that the platform has no files, such as WebAssembly in a web page.
    let is_missing = |kind| {
        matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::Unsupported) && !location.has(path)
    };
    match open_at(game, location, path) {
        Err(TableError::Io { source, .. }) if is_missing(source.kind()) => Ok(None),
        opened => opened.map(Some),
    }
}

/// Like [`open`], but from any source. Error messages name it `name`.
pub fn open_source<G: Game>(game: &G, source: impl ReadAt + 'static, name: &Path) -> Result<Table> {
    Table::from_source(Box::new(source), name, &game.code(), game.rules_revision(), game.codec() as u8)
}

/// Returns the value of a key, or `None` if the table has no position with this key. A table that leaves an outcome
/// out, such as [`IndexKind::UnlistedWins`], is an error.
pub fn probe<V: CodedValue>(table: &Table, key: u64) -> Result<Option<V>> {
    let value = |byte| V::from_byte(byte).ok_or_else(|| invalid_byte(table, byte));
    byte(table, key)?.map(value).transpose()
}

/// Like [`probe`], but returns the table byte that encodes the value.
pub fn byte(table: &Table, key: u64) -> Result<Option<u8>> {
    let Some((_, block)) = table.block_of(key)? else { return Ok(None) };
    let rows = block.rows as usize;
    let byte = match table.header.index_kind {
        IndexKind::Tiers => {
            let (row, lane) = (((key - block.key) >> 6) as usize, ((key - block.key) & 63) as usize);
            if row >= rows {
                return Ok(None);
            }
            probe_block(&table.recent_block(&block)?, rows, row, lane)
        }
        IndexKind::SortedKeys => probe_keys(&table.recent_block(&block)?, rows, block.key, key),
        IndexKind::UnlistedWins | IndexKind::UnlistedDraws => {
            return Err(table.damaged("its index kind is valid only for games with repetition"));
        }
    };
    byte.ok_or_else(|| table.damaged("a block has the wrong size"))
}

/// Decodes a byte of `table`. An invalid byte is an error.
pub fn value_of_byte<G: Game>(game: &G, table: &Table, byte: u8) -> Result<G::Value> {
    game.value_of_byte(byte).ok_or_else(|| invalid_byte(table, byte))
}

/// Returns the error for a byte that encodes no value.
fn invalid_byte(table: &Table, byte: u8) -> TableError {
    table.damaged(format!("value byte {byte} is not valid"))
}

/// Maximum number of blocks that a remote source fetches together, a few megabytes in total.
const TOGETHER: usize = 512;

/// Returns the table bytes of `keys`, which must ascend; `None` for a key that the table does not list. Inflates each
/// block at most once, and uses all threads.
pub fn listed(table: &Table, keys: &[u64]) -> Result<Vec<Option<u8>>> {
    table.prefetch_pages(keys)?;
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(&key) = keys.get(at) {
        debug_assert!(at == 0 || keys[at - 1] <= key, "keys ascend");
        let rest = &keys[at..];
        let (block, end) = match table.block_of(key)? {
            None => (None, if table.blocks() > 0 { Some(table.entry(0)?.key) } else { None }),
            Some((number, block)) if number + 1 < table.blocks() => (Some(block), Some(table.entry(number + 1)?.key)),
            Some((_, block)) => (Some(block), None),
        };
        let length = end.map_or(rest.len(), |end| rest.partition_point(|&key| key < end));
        runs.push((block, &rest[..length]));
        at += length;
    }
    let look = |&(block, keys): &(Option<BlockEntry>, &[u64])| {
        block.map_or_else(|| Ok(vec![None; keys.len()]), |block| listed_in(table, &block, keys))
    };
    let mut found: Vec<Vec<Option<u8>>> = Vec::with_capacity(runs.len());
    for together in runs.chunks(TOGETHER) {
        table.prefetch(together.iter().filter_map(|(block, _)| *block))?;
        found.extend(parallel::try_map(together.len(), |number| look(&together[number]))?);
    }
    Ok(found.concat())
}

/// Returns the table bytes of `keys` in a block, or `None` for a key that it does not list. The keys must ascend, and
/// none may be smaller than the block's first key.
fn listed_in(table: &Table, block: &BlockEntry, keys: &[u64]) -> Result<Vec<Option<u8>>> {
    let bad = || table.damaged("a block has the wrong size");
    if table.header.index_kind != IndexKind::SortedKeys {
        return listed_in_rows(table, block, keys);
    }
    let (plain, rows) = (table.inflated(block)?, block.rows as usize);
    let (mine, bytes) = decode_keys(&plain, rows, block.key).ok_or_else(bad)?;
    let mut rest = 0;
    let find = |&key: &u64| {
        rest += mine[rest..].partition_point(|&mine| mine < key);
        mine.get(rest).filter(|&&mine| mine == key).map(|_| bytes[rest])
    };
    Ok(keys.iter().map(find).collect())
}

/// Like [`listed_in`], for a block of rows.
fn listed_in_rows(table: &Table, block: &BlockEntry, keys: &[u64]) -> Result<Vec<Option<u8>>> {
    let place = |key: u64| (((key - block.key) >> 6) as usize, ((key - block.key) & 63) as usize);
    let mut found = Vec::with_capacity(keys.len());
    while let Some(&key) = keys.get(found.len()) {
        let (row, _) = place(key);
        if row >= block.rows as usize {
            found.resize(keys.len(), None);
            break;
        }
        let rows = table.rows(block, row)?;
        let rest = &keys[found.len()..];
        let mine = &rest[..rest.partition_point(|&key| place(key).0 < rows.first + rows.count)];
        let lane = |&key: &u64| (place(key).0 - rows.first, place(key).1);
        let bytes = probe_lanes(&rows.plain, rows.count, mine.iter().map(lane));
        found.append(&mut bytes.ok_or_else(|| table.damaged("a block has the wrong size"))?);
    }
    Ok(found)
}

/// Returns the position with a key that was read from `table`.
///
/// # Errors
///
/// Returns an error if no position has the key.
pub fn position_of<G: Game>(game: &G, table: &Table, key: u64) -> Result<G::Position> {
    game.unrank(key).ok_or_else(|| table.damaged(format!("has key {key}, which belongs to no position")))
}
