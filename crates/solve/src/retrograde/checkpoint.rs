//! The work files of a run: the positions that can arise, and the values found so far, which are saved at intervals.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Cyclic;
use super::enumerate::{Reached, enumerate};
use super::solve::Analysis;
use super::table::LANES;
use crate::space::SharedSet;
use crate::{Result, SolveOptions};

use yomikiri_rules::bits::set_bits;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, encode_block};
use yomikiri_table::{Identity, NewSection, Store, TableError, Tally, parallel};

/// The file name extensions of the work files. The first is for the positions that can arise. The other two are for the
/// values found so far; these two files are written alternately.
pub const PARTS: [&str; 3] = ["reach", "waves0", "waves1"];

/// The number of keys in a block.
const BLOCK_KEYS: u64 = LANES * ROWS_PER_BLOCK as u64;

/// Appends a section with the section key `key`. It has the byte `byte(k)` for each position key `k` below `keys`; byte
/// 0 means that the key has no position.
fn append(
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

/// Reads a section that [`append`] wrote. Returns the byte of each position key.
fn read(store: &Store, section: usize, keys: u64) -> Result<Vec<u8>, TableError> {
    check_blocks(store, section, keys)?;
    let mut bytes = vec![0; keys as usize];
    parallel::try_each_part_mut(&mut bytes, BLOCK_KEYS as usize, |number, bytes| {
        read_block(store, section, number, bytes)
    })?;
    Ok(bytes)
}

/// Reads a section that [`append`] wrote. Returns the set of the keys whose byte is not 0.
fn read_set(store: &Store, section: usize, keys: u64) -> Result<SharedSet> {
    check_blocks(store, section, keys)?;
    let set = SharedSet::new(keys)?;
    parallel::try_each(keys.div_ceil(BLOCK_KEYS) as usize, |number| {
        let first = number as u64 * BLOCK_KEYS;
        let mut bytes = vec![0; (keys - first).min(BLOCK_KEYS) as usize];
        read_block(store, section, number, &mut bytes)?;
        (first..).zip(&bytes).filter(|&(_, &byte)| byte != 0).for_each(|(key, _)| _ = set.insert(key));
        Ok::<_, TableError>(())
    })?;
    Ok(set)
}

fn check_blocks(store: &Store, section: usize, keys: u64) -> Result<(), TableError> {
    match store.entries[section].blocks.len() as u64 == keys.div_ceil(BLOCK_KEYS) {
        true => Ok(()),
        false => Err(store.damaged("its number of blocks does not match its number of keys")),
    }
}

/// Reads a block into `bytes`, which must be all 0.
fn read_block(store: &Store, section: usize, number: usize, bytes: &mut [u8]) -> Result<(), TableError> {
    let plain = store.read(section, number)?;
    let mut outside = false;
    let whole = decode_block(&plain, bytes.len().div_ceil(LANES as usize), |row, set, mine| {
        let mut mine = mine.iter();
        for lane in set_bits(set) {
            match bytes.get_mut(row * LANES as usize + lane as usize) {
                Some(byte) => *byte = mine.next().copied().unwrap_or(0),
                None => outside = true,
            }
        }
    });
    whole.filter(|()| !outside).ok_or_else(|| store.damaged("a block has the wrong size"))
}

/// Returns the path of the work file with the extension `part`. `base` is the path without the extension.
pub fn part_path(base: &Path, part: &str) -> PathBuf {
    base.with_added_extension(part)
}

/// Returns the positions that can arise. Reads them from the file of an earlier run, or enumerates them and writes the
/// file.
pub fn enumerate_or_read<G: Cyclic>(game: &G, base: &Path, options: &SolveOptions) -> Result<Reached> {
    let keys = game.open_keys().into();
    let mut store = Store::open(&part_path(base, "reach"), &Identity::of(game, "reach"), options.force)?;
    if let Some(entry) = store.entries.first() {
        let (positions, ended) = (entry.key, entry.tally.plies.get(&0).cloned().unwrap_or_default());
        return Ok(Reached { open: read_set(&store, 0, keys)?, positions, ended });
    }
    let reached = enumerate(game, options.progress)?;
    let mut tally = Tally::default();
    reached.ended.iter().for_each(|(&byte, &count)| tally.add(0, byte, count));
    append(&mut store, reached.positions, keys, &|key| reached.open.contains(key).into(), tally)?;
    Ok(reached)
}

/// Returns the newest values that an earlier run has saved; `None` if there are none. Also returns the index, 0 or 1,
/// of the file that should be overwritten first.
pub fn last_kept<G: Cyclic>(game: &G, base: &Path, options: &SolveOptions) -> Result<(Option<Analysis>, usize)> {
    let open = |part: &&str| Store::open(&part_path(base, part), &Identity::of(game, "waves"), options.force);
    let stores = PARTS[1..].iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let kept = stores.iter().enumerate().filter(|(_, store)| !store.entries.is_empty());
    let Some((part, store)) = kept.max_by_key(|(_, store)| store.entries[0].key) else { return Ok((None, 0)) };
    // A distance takes one byte in tables, and values are saved from distance 1 on.
    let distance = u8::try_from(store.entries[0].key).ok().filter(|&distance| distance > 0);
    let distance = distance.ok_or_else(|| store.damaged("its distance is out of range"))?;
    let bytes = read(store, 0, game.open_keys().into())?;
    Ok((Some(Analysis::resume::<G>(bytes, distance.into())?), 1 - part))
}

/// Saves, at intervals, the values found so far.
pub struct Keeper<'a> {
    base: &'a Path,
    options: &'a SolveOptions<'a>,
    /// The time of the last save, and a number whose parity is the index of the file to write next.
    state: RefCell<(Instant, usize)>,
}

impl<'a> Keeper<'a> {
    /// Creates a keeper. `older` is the index, 0 or 1, of the file that is overwritten first.
    pub fn new(base: &'a Path, options: &'a SolveOptions<'a>, older: usize) -> Keeper<'a> {
        Keeper { base, options, state: RefCell::new((Instant::now(), older)) }
    }

    /// Overwrites the older of the two files with the values if the checkpoint interval has passed since the last save.
    pub fn keep<G: Cyclic>(&self, game: &G, analysis: &Analysis) -> Result<()> {
        let (last, turn) = *self.state.borrow();
        if last.elapsed() < self.options.checkpoint {
            return Ok(());
        }
        self.write(game, analysis, PARTS[1 + turn % 2])?;
        self.state.replace((Instant::now(), turn + 1));
        Ok(())
    }

    fn write<G: Cyclic>(&self, game: &G, analysis: &Analysis, part: &str) -> Result<(), TableError> {
        let mut store = Store::open(&part_path(self.base, part), &Identity::of(game, "waves"), true)?;
        let keys = analysis.bytes.len() as u64;
        append(&mut store, analysis.distance.into(), keys, &analysis.bytes_with_next::<G>(), Tally::default())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::pyonpyon::Pyonpyon;
    use yomikiri_table::Silent;

    /// Files with correct checksums and wrong numbers, which no run writes: a distance that no position has, or fewer
    /// blocks than the keys need.
    #[test]
    fn values_that_no_run_has_kept_are_damage() {
        let game = Pyonpyon::parse("pyon2x3").unwrap();
        let keys: u64 = game.open_keys().into();
        let options = SolveOptions { memory: 1 << 20, force: false, checkpoint: Duration::MAX, progress: &Silent };
        for (distance, kept) in [(0, keys), (1 << 16 | 1, keys), (300, keys), (3, 0)] {
            let folder = tempfile::tempdir().unwrap();
            let base = folder.path().join("some");
            let mut store = Store::open(&part_path(&base, PARTS[1]), &Identity::of(&game, "waves"), true).unwrap();
            append(&mut store, distance, kept, &|_| 1, Tally::default()).unwrap();
            drop(store);
            let found = last_kept(&game, &base, &options);
            let error = found.err().unwrap_or_else(|| panic!("{distance}, {kept} keys")).to_string();
            assert!(error.contains("some.waves0.work: damaged: "), "{error}");
        }
    }
}
