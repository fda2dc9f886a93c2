//! Writes and reads whole tables of sorted keys.

use std::path::Path;

use yomikiri_rules::Game;
use yomikiri_table::blocks::{KEYS_PER_BLOCK, encode_keys};
use yomikiri_table::entries::each_block;
#[cfg(feature = "write")]
use yomikiri_table::{Identity, NewSection, Store};
use yomikiri_table::{IndexKind, Meta, Table, TableError, Tally};

/// Writes a table to `path`. `entries` are the keys in ascending order, each with its table byte.
#[cfg(feature = "write")]
pub fn write<G: Game>(
    game: &G,
    entries: impl IntoIterator<Item = (u64, u8)>,
    meta: &Meta,
    path: &Path,
) -> Result<(), TableError> {
    let identity = Identity::of(game, &format!("below {}", meta.root));
    let mut store = Store::open(&path.with_extension(""), &identity, true)?;
    let mut entries = entries.into_iter();
    loop {
        let (keys, bytes): (Vec<u64>, Vec<u8>) = entries.by_ref().take(KEYS_PER_BLOCK).unzip();
        let Some(&first) = keys.first() else { break };
        let mut tally = Tally::default();
        tally.add(0, 0, keys.len() as u64);
        let plain = |_| encode_keys(&keys, &bytes);
        store.append(NewSection { key: first, rows: keys.len() as u64, tally, blocks: 1, plain: &plain })?;
    }
    store.finish(path, IndexKind::SortedKeys, game.codec() as u8, &identity, meta)
}

/// Reads all keys and bytes of a table. Returns an error if the keys are not in ascending order.
pub fn read(table: &Table) -> Result<(Vec<u64>, Vec<u8>), TableError> {
    // If the header is wrong, this reserves at most 18 bytes for each byte of the file.
    let positions = table.header.positions.get().min(2 * table.length()) as usize;
    let (mut keys, mut bytes) = (Vec::with_capacity(positions), Vec::with_capacity(positions));
    each_block(table, |entries| {
        keys.extend_from_slice(&entries.keys);
        bytes.extend_from_slice(&entries.bytes);
        Ok::<_, TableError>(())
    })?;
    match keys.is_sorted_by(|one, next| one < next) {
        true => Ok((keys, bytes)),
        false => Err(table.damaged("its keys are not sorted")),
    }
}
