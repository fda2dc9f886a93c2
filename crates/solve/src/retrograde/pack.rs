//! Bytes by key to blocks and back.

use rayon::prelude::*;

use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, encode_block, for_each_lane};
#[cfg(feature = "write")]
use yomikiri_table::{NewSection, Store};
use yomikiri_table::{TableError, Tally};

/// Keys in a row of a block.
pub const LANES: u64 = 64;

/// Keys in a block.
const BLOCK_KEYS: u64 = LANES * ROWS_PER_BLOCK as u64;

/// Appends the bytes of all `keys` keys as one section with this key and tally; 0 means that there is no position.
#[cfg(feature = "write")]
pub fn append(
    store: &mut Store,
    key: u64,
    keys: u64,
    byte: &(impl Fn(u64) -> u8 + Sync),
    tally: Tally,
) -> Result<(), TableError> {
    let plain = |block: usize| {
        let first = block as u64 * BLOCK_KEYS;
        let lanes: Vec<Lanes> = (first..(first + BLOCK_KEYS).min(keys))
            .step_by(LANES as usize)
            .map(|row| (row..(row + LANES).min(keys)).map(|key| Lanes::from(byte(key) != 0) << (key - row)).sum())
            .collect();
        encode_block(&lanes, |row, lane| byte(first + row as u64 * LANES + lane as u64))
    };
    let blocks = keys.div_ceil(BLOCK_KEYS) as usize;
    store.append(NewSection { key, rows: keys.div_ceil(LANES), tally, blocks, plain: &plain })
}

/// The bytes of a section that [`append`] wrote.
#[cfg(feature = "write")]
pub fn read(store: &Store, section: usize, keys: u64) -> Result<Vec<u8>, TableError> {
    let mut bytes = vec![0; keys as usize];
    bytes.par_chunks_mut(BLOCK_KEYS as usize).enumerate().try_for_each(|(number, bytes)| {
        let plain = store.read(section, number)?;
        let mut outside = false;
        let whole = decode_block(&plain, bytes.len().div_ceil(LANES as usize), |row, set, mine| {
            let mut mine = mine.iter();
            for_each_lane(set, |lane| match bytes.get_mut(row * LANES as usize + lane) {
                Some(byte) => *byte = mine.next().copied().unwrap_or(0),
                None => outside = true,
            });
        });
        whole.filter(|()| !outside).ok_or_else(|| store.damaged("a block has the wrong size"))
    })?;
    Ok(bytes)
}
