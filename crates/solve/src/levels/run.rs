//! Whole runs by levels, from a root to a table file. Finished levels are kept on disk.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::path::Path;

use super::{Levels, budget, go_on_enumerating, go_on_solving};
use crate::{Result, SolveError, SolveOptions, TooLarge, sorted_keys};
use yomikiri_rules::Notation;
use yomikiri_table::{Identity, Meta, NewSection, Store, TableError, Tally, remove_work};

/// Solves `root` and the positions that can follow it, and writes their table to `path`. Finished levels are kept on
/// disk, so a killed run continues after the last finished level.
pub fn analyze<G: Notation>(game: &G, root: &G::Position, path: &Path, options: &SolveOptions) -> Result<()> {
    let base = path.with_extension("");
    let open = |part: &str| {
        let identity = Identity::of(game, &format!("{part} below {}", game.position_text(root)));
        Store::open(&base.with_added_extension(part), &identity, options.force)
    };
    let mut keys = open(KEYS)?;
    let levels = kept_levels(&keys)?.into_iter().map(|bytes| words(&bytes)).collect();
    let mut found = Levels { levels };
    go_on_enumerating(game, root, &mut found, budget(options.memory), options.progress, |level| {
        let bytes = |chunk: usize| level_chunk(level, chunk).iter().flat_map(|key| key.to_le_bytes()).collect();
        Ok(keep_level(&mut keys, level.len(), &bytes)?)
    })
    .map_err(|error| match error {
        SolveError::TooLarge(TooLarge::Levels { positions, plies, .. }) => {
            TooLarge::Levels { positions, plies, allowed: options.memory }.into()
        }
        other => other,
    })?;
    let mut kept = open(VALUES)?;
    let known = kept_levels(&kept)?;
    let values = go_on_solving(game, &found, known, options.progress, |level| {
        keep_level(&mut kept, level.len(), &|chunk| level_chunk(level, chunk).to_vec())
    })?;
    write(game, root, &found, &values, path)?;
    Ok(PARTS.iter().try_for_each(|part| remove_work(&base.with_added_extension(part)))?)
}

/// The file name extensions of the two files of finished levels: one for keys, one for values.
pub const PARTS: [&str; 2] = [KEYS, VALUES];
const KEYS: &str = "keys";
const VALUES: &str = "values";

/// The number of positions in a block of a file of levels.
const LEVEL_BLOCK: usize = 1 << 16;

fn level_chunk<T>(level: &[T], chunk: usize) -> &[T] {
    &level[chunk * LEVEL_BLOCK..((chunk + 1) * LEVEL_BLOCK).min(level.len())]
}

fn keep_level(store: &mut Store, length: usize, plain: &(dyn Fn(usize) -> Vec<u8> + Sync)) -> Result<(), TableError> {
    let (key, blocks) = (store.entries.len() as u64, length.div_ceil(LEVEL_BLOCK));
    store.append(NewSection { key, rows: length as u64, tally: Tally::default(), blocks, plain })
}

/// Reads the bytes of all finished levels, in the order in which they were written.
fn kept_levels(store: &Store) -> Result<Vec<Vec<u8>>, TableError> {
    let level = |section: usize| {
        let blocks = 0..store.entries[section].blocks.len();
        blocks.map(|block| store.read(section, block)).collect::<Result<Vec<_>, _>>().map(|blocks| blocks.concat())
    };
    (0..store.entries.len()).map(level).collect()
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes"))).collect()
}

fn write<G: Notation>(
    game: &G,
    root: &G::Position,
    found: &Levels,
    values: &[Vec<u8>],
    path: &Path,
) -> Result<(), TableError> {
    let mut tally = Tally::default();
    let first_ply = game.ply(root);
    for (ply, bytes) in (first_ply..).zip(values) {
        bytes.iter().for_each(|&byte| tally.add(ply, byte, 1));
    }
    let meta = Meta::of(game, root, tally, Default::default());
    sorted_keys::write(game, merged(found, values), &meta, path)
}

/// Merges the levels. Returns all keys in ascending order, each with its byte in `values`.
fn merged(found: &Levels, values: &[Vec<u8>]) -> impl Iterator<Item = (u64, u8)> {
    // The next key of each level that has keys left, with the number of the level. The smallest key comes first.
    let first = found.levels.iter().enumerate().filter_map(|(level, keys)| Some(Reverse((*keys.first()?, level))));
    let mut next: BinaryHeap<_> = first.collect();
    let mut taken = vec![0; found.levels.len()];
    std::iter::from_fn(move || {
        let mut smallest = next.peek_mut()?;
        let Reverse((key, level)) = *smallest;
        let byte = values[level][taken[level]];
        taken[level] += 1;
        match found.levels[level].get(taken[level]) {
            Some(&key) => *smallest = Reverse((key, level)),
            None => drop(PeekMut::pop(smallest)),
        }
        Some((key, byte))
    })
}
