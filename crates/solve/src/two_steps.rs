//! Runs over whole acyclic games in two steps, enumerate and solve. Each step has its own store. The store of the first
//! step holds sets of positions, with one bit for each position in words of 64 bits.

use std::path::Path;

use crate::{Result, SolveOptions};

use yomikiri_rules::Notation;
use yomikiri_table::{
    Identity, IndexKind, Meta, NewSection, SectionBlocks, Store, TableError, Tally, parallel, remove_work,
};

/// Calls `enumerate` with a store for the sets of positions, then `solve` with this store and a second store, which
/// becomes the table at `path`.
pub fn analyze<G: Notation>(
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
    let meta = Meta::of(game, &game.start(), tally, Default::default());
    store.finish(path, IndexKind::Tiers, game.codec() as u8, &identity("values"), &meta)?;
    Ok(remove_work(&reach_base)?)
}

/// The key, the ply and the size of a section that consists of words.
pub struct WordSection {
    pub key: u64,
    /// The ply of the positions.
    pub ply: u32,
    /// The number of words.
    pub words: usize,
    /// The number of words of a block.
    pub block: usize,
}

/// Appends the section that [`with_words`] makes to a store.
pub fn append_words(
    store: &mut Store,
    section: WordSection,
    word: impl Fn(usize) -> u64 + Sync,
) -> Result<(), TableError> {
    with_words(section, word, |section| store.append(section))
}

/// Calls `act` with a section of words. `word` returns the word at an index. There are no blocks if all words are 0.
/// The tally counts every set bit as a position with byte 0.
pub fn with_words<T>(
    WordSection { key, ply, words, block }: WordSection,
    word: impl Fn(usize) -> u64 + Sync,
    act: impl FnOnce(NewSection) -> T,
) -> T {
    let positions = parallel::sum(words, 1 << 10, |share| share.map(|at| u64::from(word(at).count_ones())).sum());
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

/// Reads the words of a section that [`with_words`] made with the same `words` and `block`.
pub fn read_words(section: &dyn SectionBlocks, words: usize, block: usize) -> Result<Vec<u64>, TableError> {
    let mut all = vec![0; words];
    add_words(section, &mut all, block)?;
    Ok(all)
}

/// Sets those bits of `words` that are set in a section that [`with_words`] made with the same `block`.
pub fn add_words(section: &dyn SectionBlocks, words: &mut [u64], block: usize) -> Result<(), TableError> {
    if section.count() == 0 {
        return Ok(());
    }
    parallel::try_each_part_mut(words, block, |number, words| {
        let bytes = section.block(number)?;
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word |= u64::from_le_bytes(*bytes);
        }
        Ok(())
    })
}
