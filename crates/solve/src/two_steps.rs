//! Whole runs over acyclic games in two steps, enumerate and solve, each with a store of its own; and sets of
//! positions, 64 to a word, in the store of the first.

use std::path::Path;

use rayon::prelude::*;

use crate::{Result, SolveOptions};
use yomikiri_rules::{Game, Value};
use yomikiri_table::{Identity, IndexKind, Meta, NewSection, SectionBlocks, Store, TableError, Tally, remove_work};

/// Enumerates into one store, solves into another from that, and makes the second the table at `path`.
pub fn analyze<G: Game>(
    game: &G,
    path: &Path,
    options: &SolveOptions,
    enumerate: impl FnOnce(&mut Store) -> Result<()>,
    solve: impl FnOnce(&Store, &mut Store) -> Result<()>,
) -> Result<()> {
    let base = path.with_extension("");
    let identity = |purpose: &str| Identity::of(game, purpose);
    let reach_base = base.with_added_extension("reach");
    let mut reach = Store::open(&reach_base, &identity("reach"), options.force)?;
    enumerate(&mut reach)?;
    let mut store = Store::open(&base, &identity("values"), options.force)?;
    solve(&reach, &mut store)?;
    let mut tally = Tally::default();
    store.entries.iter().for_each(|entry| tally.merge(&entry.tally));
    let start = game.start();
    let meta = Meta { root: game.position_text(&start), root_key: game.rank(&start), tally, ended: Default::default() };
    store.finish(path, IndexKind::Tiers, G::Value::CODEC as u8, &identity("values"), &meta)?;
    Ok(remove_work(&reach_base)?)
}

/// Appends a section of words: see [`with_words`].
pub fn append_words(
    store: &mut Store,
    place: (u64, u32),
    words: usize,
    block: usize,
    word: impl Fn(usize) -> u64 + Sync,
) -> Result<(), TableError> {
    with_words(place, words, block, word, |section| store.append(section))
}

/// Makes a section of so many words of a key and a ply, `block` to a block, none if all are 0. The tally's byte 0
/// counts their bits as positions of the ply.
pub fn with_words<T>(
    (key, ply): (u64, u32),
    words: usize,
    block: usize,
    word: impl Fn(usize) -> u64 + Sync,
    act: impl FnOnce(NewSection) -> T,
) -> T {
    let positions: u64 = (0..words).into_par_iter().map(|at| u64::from(word(at).count_ones())).sum();
    let mut tally = Tally::default();
    tally.add(ply, 0, positions);
    let plain = |number: usize| {
        let inside = block * number..(block * (number + 1)).min(words);
        let mut bytes = Vec::with_capacity(inside.len() * size_of::<u64>());
        inside.for_each(|at| bytes.extend_from_slice(&word(at).to_le_bytes()));
        bytes
    };
    let blocks = if positions == 0 { 0 } else { words.div_ceil(block) };
    act(NewSection { key, rows: words as u64, tally, blocks, plain: &plain })
}

/// The words of a section that [`with_words`] made.
pub fn read_words(section: &dyn SectionBlocks, words: usize, block: usize) -> Result<Vec<u64>, TableError> {
    let mut all = vec![0; words];
    add_words(section, &mut all, block)?;
    Ok(all)
}

/// Adds the bits of a section that [`with_words`] made to words.
pub fn add_words(section: &dyn SectionBlocks, words: &mut [u64], block: usize) -> Result<(), TableError> {
    if section.count() == 0 {
        return Ok(());
    }
    words.par_chunks_mut(block).enumerate().try_for_each(|(number, words)| {
        let bytes = section.block(number)?;
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word |= u64::from_le_bytes(*bytes);
        }
        Ok(())
    })
}
