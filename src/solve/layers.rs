//! Acyclic games by sorted keys: every position that lies below one root, ply by ply.
//!
//! Eight bytes a position while enumerating, one more while solving. For subgames too sparse for a dense index, and as
//! a second road to the tables of `tiers`.

use std::path::Path;

use rayon::prelude::*;

use super::{Job, Progress, SolveError};
use crate::game::Game;
use crate::table::blocks::{KEYS_PER_BLOCK, encode_keys};
use crate::table::{Identity, IndexKind, Meta, NewSection, Store, TableError, Tally};
use crate::value::Value;

/// Positions expanded before their children are sorted into the level.
const BATCH: usize = 1 << 18;

/// Undecided positions by distance from the root in plies: sorted canonical keys.
pub struct Layers {
    pub levels: Vec<Vec<u64>>,
}

impl Layers {
    pub fn positions(&self) -> u64 {
        self.levels.iter().map(|level| level.len() as u64).sum()
    }
}

/// Bytes of memory that `positions` positions take at the peak of a run.
pub fn memory_for(positions: u64) -> u64 {
    positions * 18
}

/// Enumerates what lies below `root`, or says how far it came within `memory` bytes.
pub fn enumerate<G: Game>(
    game: &G,
    root: &G::Position,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Layers, SolveError> {
    progress.begin("Step 1: enumerate", 0);
    let mut layers = Layers { levels: Vec::new() };
    let mut level = if game.decided(root) { Vec::new() } else { vec![game.key(root)] };
    while !level.is_empty() {
        layers.levels.push(level);
        level = next_level(game, &layers, memory, progress)?;
    }
    progress.end(&format!("{} positions", layers.positions()));
    Ok(layers)
}

/// The level after the last.
fn next_level<G: Game>(
    game: &G,
    layers: &Layers,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    let last = &layers.levels[layers.levels.len() - 1];
    let mut level: Vec<u64> = Vec::new();
    for batch in last.chunks(BATCH) {
        let mut fresh: Vec<u64> = batch.par_chunks(1024).flat_map_iter(|keys| children(game, keys)).collect();
        fresh.par_sort_unstable();
        fresh.dedup();
        level = merge(level, fresh);
        let positions = layers.positions() + level.len() as u64;
        if memory_for(positions) > memory {
            return Err(SolveError::TooLarge(format!(
                "more than {positions} positions lie below this one ({} plies deep so far), which takes more than {} MiB; \
                 allow more with --memory or choose a later position",
                layers.levels.len(),
                memory >> 20
            )));
        }
        progress.advance(batch.len() as u64);
    }
    Ok(level)
}

/// Keys of the undecided children of some positions, sorted.
fn children<G: Game>(game: &G, keys: &[u64]) -> Vec<u64> {
    let mut moves = Vec::new();
    let mut found = Vec::new();
    for &key in keys {
        let position = position_of(game, key);
        game.moves(&position, &mut moves);
        let children = moves.iter().map(|&mv| game.play(&position, mv)).filter(|child| !game.decided(child));
        found.extend(children.map(|child| game.key(&child)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn position_of<G: Game>(game: &G, key: u64) -> G::Position {
    game.position_of_key(key).expect("keys of a level come from positions")
}

/// The union of two sorted lists without repeats.
fn merge(a: Vec<u64>, b: Vec<u64>) -> Vec<u64> {
    if a.is_empty() {
        return b;
    }
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    while let (Some(&x), Some(&y)) = (a.peek(), b.peek()) {
        all.push(x.min(y));
        if x <= y {
            a.next();
        }
        if y <= x {
            b.next();
        }
    }
    all.extend(a);
    all.extend(b);
    all
}

/// Table bytes of all positions, level by level as `layers` has them.
pub fn solve<G: Game>(game: &G, layers: &Layers, progress: &dyn Progress) -> Vec<Vec<u8>> {
    progress.begin("Step 2: solve", layers.positions());
    let mut values: Vec<Vec<u8>> = Vec::new();
    for depth in (0..layers.levels.len()).rev() {
        let below: (&[u64], &[u8]) = match values.last() {
            Some(bytes) => (&layers.levels[depth + 1], bytes),
            None => (&[], &[]),
        };
        let bytes = layers.levels[depth].par_chunks(4096).flat_map_iter(|keys| {
            let bytes = values_of(game, keys, below);
            progress.advance(keys.len() as u64);
            bytes
        });
        let bytes: Vec<u8> = bytes.collect();
        values.push(bytes);
    }
    values.reverse();
    progress.end(&format!("{} values", layers.positions()));
    values
}

fn values_of<G: Game>(game: &G, keys: &[u64], below: (&[u64], &[u8])) -> Vec<u8> {
    let mut moves = Vec::new();
    let value_of_move = |position: &G::Position, mv| {
        let child = game.play(position, mv);
        if game.decided(&child) {
            return game.end(&child).expect("a decided game has a value").of_move();
        }
        let at = below.0.binary_search(&game.key(&child)).expect("children are in the next level");
        G::Value::from_byte(below.1[at]).expect("levels below are solved").of_move()
    };
    let mut bytes = Vec::with_capacity(keys.len());
    for &key in keys {
        let position = position_of(game, key);
        game.moves(&position, &mut moves);
        let best = moves.iter().map(|&mv| value_of_move(&position, mv)).max();
        let value = best.or_else(|| game.end(&position)).expect("a position without moves is over");
        bytes.push(value.to_byte());
    }
    bytes
}

/// Solves what lies below `root` and writes it to `path`.
pub fn analyze<G: Game>(game: &G, root: &G::Position, path: &Path, job: &Job) -> Result<(), SolveError> {
    let layers = enumerate(game, root, job.memory, job.progress)?;
    let values = solve(game, &layers, job.progress);
    write(game, root, &layers, &values, path)?;
    Ok(())
}

fn write<G: Game>(
    game: &G,
    root: &G::Position,
    layers: &Layers,
    values: &[Vec<u8>],
    path: &Path,
) -> Result<(), TableError> {
    let mut tally = Tally::default();
    let first_ply = game.ply(root);
    let mut entries: Vec<(u64, u8)> = Vec::with_capacity(layers.positions() as usize);
    for (depth, (keys, bytes)) in layers.levels.iter().zip(values).enumerate() {
        bytes.iter().for_each(|&byte| tally.add(first_ply + depth as u32, byte, 1));
        entries.extend(keys.iter().copied().zip(bytes.iter().copied()));
    }
    entries.par_sort_unstable();
    let meta = Meta { root: game.position_text(root), root_key: game.key(root), tally };
    let identity = Identity::of(game, &format!("below {}", meta.root));
    let mut store = Store::open(&path.with_extension(""), &identity, true)?;
    for keys in entries.chunks(KEYS_PER_BLOCK) {
        let mut tally = Tally::default();
        tally.add(0, 0, keys.len() as u64);
        let plain = |_| encode_keys(keys);
        store.append(NewSection { key: keys[0].0, rows: keys.len() as u64, tally, blocks: 1, plain: &plain })?;
    }
    store.finish(path, IndexKind::SortedKeys, G::Value::CODEC as u8, KEYS_PER_BLOCK as u32, &identity, &meta)
}
