//! Lists all positions of a cyclic game's table, including those that the file leaves out.

use std::ops::Range;

use super::Cyclic;
use super::read::read;
use super::resident::{load, resident_values};
use super::table::{BLOCK_KEYS, all_rows, read_block, unlisted_outcome};
use crate::{Resident, Result, Wins};
use yomikiri_rules::{HasDistance, Outcome, Value};
use yomikiri_table::entries::{Entries, EntryReader, listed_within};
use yomikiri_table::{Table, TableError};

/// Returns the keys in `range` that have a position, with their bytes. The table may be of any kind that the game uses.
/// If it leaves out wins and `resident` is `None`, the whole table is read into memory.
pub fn entries<G: Cyclic>(game: &G, table: &Table, resident: Option<&Resident>, range: Range<u64>) -> Result<Entries> {
    let loaded;
    let resident = match (unlisted_outcome(table.header.index_kind), resident) {
        (None, _) => return Ok(listed_within(table, range)?),
        (Some(Outcome::Draw), _) => return Ok(with_draws(game, table, range)?),
        (Some(_), Some(resident)) => resident,
        (Some(_), None) => {
            loaded = load(game, table, Wins::All)?;
            loaded.as_ref().expect("`load` returns the values of a table that leaves wins out")
        }
    };
    let end = range.end.min(game.open_keys().into());
    let keys: Vec<u64> = (range.start.min(end)..end).collect();
    let bytes = resident_values(game, table, resident, &keys)?;
    let found = || keys.iter().zip(&bytes).filter(|&(_, &byte)| byte != 0);
    Ok(Entries { keys: found().map(|(&key, _)| key).collect(), bytes: found().map(|(_, &byte)| byte).collect() })
}

/// Returns a function that takes a range of keys and returns those that have a position, with their bytes. The table
/// may be of any kind that the game uses. A table that leaves out wins is read into memory first, with a byte per key,
/// because unlisted wins follow from positions anywhere in the table.
pub fn entry_reader<'a, G: Cyclic>(game: &'a G, table: &'a Table) -> Result<EntryReader<'a>> {
    Ok(match unlisted_outcome(table.header.index_kind) {
        None => Box::new(|range| listed_within(table, range)),
        Some(Outcome::Draw) => {
            all_rows(game, table)?;
            Box::new(|range| with_draws(game, table, range))
        }
        Some(_) => {
            let bytes = read(game, table)?;
            Box::new(move |range| Ok(of_bytes(0, &bytes, &range)))
        }
    })
}

/// Returns the keys in `range` that have a position, with their bytes, from a table that does not list draws.
fn with_draws<G: Cyclic>(game: &G, table: &Table, range: Range<u64>) -> Result<Entries, TableError> {
    let draw = G::Value::of(Outcome::Draw, 0).to_byte();
    let keys: u64 = game.open_keys().into();
    let mut entries = Entries::default();
    for block in range.start / BLOCK_KEYS..range.end.min(keys).div_ceil(BLOCK_KEYS) {
        let first = block * BLOCK_KEYS;
        let mut bytes = vec![0; BLOCK_KEYS.min(keys - first) as usize];
        read_block(game, table, block, draw, &mut bytes)?;
        let mut inside = of_bytes(first, &bytes, &range);
        entries.keys.append(&mut inside.keys);
        entries.bytes.append(&mut inside.bytes);
    }
    Ok(entries)
}

/// Returns the keys in `range` that have a position, with their bytes. `bytes` has a byte for each key from `first` on;
/// 0 means that the key has no position.
fn of_bytes(first: u64, bytes: &[u8], range: &Range<u64>) -> Entries {
    let place = |key: u64| (key.saturating_sub(first) as usize).min(bytes.len());
    let places = place(range.start)..place(range.end);
    let found = || places.clone().filter(|&place| bytes[place] != 0);
    Entries {
        keys: found().map(|place| first + place as u64).collect(),
        bytes: found().map(|place| bytes[place]).collect(),
    }
}
