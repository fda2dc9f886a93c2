//! Acyclic games by sorted keys: every position that lies below one root, ply by ply. A pass leads to a position of
//! the same ply.
//!
//! Eight bytes a position while enumerating, one more while solving. For subgames too sparse for a dense index, and as
//! a second road to the tables of `tiers`.

use std::path::Path;

use rayon::prelude::*;

use super::{Job, SolveError, sparse};
use yomikiri_rules::game::Game;
use yomikiri_rules::value::Value;
use yomikiri_table::TableError;
use yomikiri_table::progress::Progress;
#[cfg(feature = "write")]
use yomikiri_table::{Identity, Meta, NewSection, Store, Tally, remove_work};

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
    levels_within(game, root, memory, progress).map_err(|(_, error)| error)
}

/// As [`enumerate`]; where memory does not suffice, the whole levels that fit come with the error.
pub fn levels_within<G: Game>(
    game: &G,
    root: &G::Position,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Layers, (Layers, SolveError)> {
    let mut layers = Layers { levels: Vec::new() };
    match go_on_enumerating(game, root, &mut layers, memory, progress, |_| Ok(())) {
        Ok(()) => Ok(layers),
        Err(error) => Err((layers, error)),
    }
}

/// Adds the levels that `layers` lacks; `keep` gets every new one.
fn go_on_enumerating<G: Game>(
    game: &G,
    root: &G::Position,
    layers: &mut Layers,
    memory: u64,
    progress: &dyn Progress,
    mut keep: impl FnMut(&[u64]) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    progress.begin("Step 1: enumerate", 0);
    progress.advance(layers.positions());
    let kept = layers.levels.len();
    if kept == 0 && !game.decided(root) {
        layers.levels.push(vec![game.key(root)]);
    }
    loop {
        let next = expand_last(game, layers, memory, progress)?;
        if let Some(whole) = layers.levels[kept..].last() {
            keep(whole)?;
        }
        if next.is_empty() {
            break;
        }
        layers.levels.push(next);
    }
    progress.end(&format!("{} positions", layers.positions()));
    Ok(())
}

/// The level after the last; the last gets what passes lead to, and is whole then.
fn expand_last<G: Game>(
    game: &G,
    layers: &mut Layers,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    let mut next = Vec::new();
    let Some(last) = layers.levels.len().checked_sub(1) else { return Ok(next) };
    let mut beside = expand(game, layers, &layers.levels[last], &mut next, memory, progress)?;
    loop {
        beside.retain(|key| layers.levels[last].binary_search(key).is_err());
        if beside.is_empty() {
            return Ok(next);
        }
        let further = expand(game, layers, &beside, &mut next, memory, progress)?;
        layers.levels[last] = merge(std::mem::take(&mut layers.levels[last]), beside);
        beside = further;
    }
}

/// Adds the children of some positions to the next level; returns what passes lead to.
fn expand<G: Game>(
    game: &G,
    layers: &Layers,
    keys: &[u64],
    next: &mut Vec<u64>,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    let mut beside = Vec::new();
    for batch in keys.chunks(BATCH) {
        let found = batch.par_chunks(1024).map(|keys| children(game, keys));
        let (fresh, passed): (Vec<Vec<u64>>, Vec<Vec<u64>>) = found.unzip();
        *next = merge(std::mem::take(next), sorted(fresh.concat()));
        beside = merge(beside, sorted(passed.concat()));
        let positions = layers.positions() + next.len() as u64;
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
    Ok(beside)
}

/// Keys of the undecided children of some positions, sorted: of the next level, and of the same after a pass.
fn children<G: Game>(game: &G, keys: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let mut moves = Vec::new();
    let (mut next, mut beside) = (Vec::new(), Vec::new());
    for &key in keys {
        let position = position_of(game, key);
        game.moves(&position, &mut moves);
        let children = moves.iter().map(|&mv| game.play(&position, mv)).filter(|child| !game.decided(child));
        for child in children {
            let level = if game.ply(&child) == game.ply(&position) { &mut beside } else { &mut next };
            level.push(game.key(&child));
        }
    }
    (sorted(next), beside)
}

/// The keys upwards, each once.
fn sorted(mut keys: Vec<u64>) -> Vec<u64> {
    keys.par_sort_unstable();
    keys.dedup();
    keys
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
    let keep = |_: &[u8]| Ok::<(), std::convert::Infallible>(());
    match go_on_solving(game, layers, Vec::new(), progress, keep) {
        Ok(values) => values,
        Err(never) => match never {},
    }
}

/// As [`solve`], with the values of the deepest levels known already, the deepest first; `keep` gets every new level.
fn go_on_solving<G: Game, E>(
    game: &G,
    layers: &Layers,
    mut values: Vec<Vec<u8>>,
    progress: &dyn Progress,
    mut keep: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<Vec<Vec<u8>>, E> {
    progress.begin("Step 2: solve", layers.positions());
    progress.advance(values.iter().map(|bytes| bytes.len() as u64).sum());
    for depth in (0..layers.levels.len() - values.len()).rev() {
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
        keep(&bytes)?;
        values.push(bytes);
    }
    values.reverse();
    progress.end(&format!("{} values", layers.positions()));
    Ok(values)
}

fn values_of<G: Game>(game: &G, keys: &[u64], below: (&[u64], &[u8])) -> Vec<u8> {
    let mut moves = Vec::new();
    keys.iter().map(|&key| best_value(game, &position_of(game, key), below, &mut moves).to_byte()).collect()
}

/// The value of an undecided position; `below` has those of the next level. `moves` lends its memory.
fn best_value<G: Game>(game: &G, position: &G::Position, below: (&[u64], &[u8]), moves: &mut Vec<G::Move>) -> G::Value {
    game.moves(position, moves);
    let value_of_move = |&mv: &G::Move| {
        let child = game.play(position, mv);
        if game.decided(&child) {
            return game.end(&child).expect("a decided game has a value").of_move();
        }
        if game.ply(&child) == game.ply(position) {
            // After a pass no other follows.
            return best_value(game, &child, below, &mut Vec::new()).of_move();
        }
        let at = below.0.binary_search(&game.key(&child)).expect("children are in the next level");
        G::Value::from_byte(below.1[at]).expect("levels below are solved").of_move()
    };
    let best = moves.iter().map(value_of_move).max();
    best.or_else(|| game.end(position)).expect("a position without moves is over")
}

/// Solves what lies below `root` and writes it to `path`. Every finished level is kept on disk, so that a run that was
/// killed goes on after it.
#[cfg(feature = "write")]
pub fn analyze<G: Game>(game: &G, root: &G::Position, path: &Path, job: &Job) -> Result<(), SolveError> {
    let base = path.with_extension("");
    let open = |part: &str| {
        let identity = Identity::of(game, &format!("{part} below {}", game.position_text(root)));
        Store::open(&base.with_added_extension(part), &identity, job.force)
    };
    let mut keys = open(KEYS)?;
    let levels = kept_levels(&keys)?.into_iter().map(|bytes| words(&bytes)).collect();
    let mut layers = Layers { levels };
    go_on_enumerating(game, root, &mut layers, job.memory, job.progress, |level| {
        let bytes = |chunk: usize| level_chunk(level, chunk).iter().flat_map(|key| key.to_le_bytes()).collect();
        Ok(keep_level(&mut keys, level.len(), &bytes)?)
    })?;
    let mut kept = open(VALUES)?;
    let known = kept_levels(&kept)?;
    let values = go_on_solving(game, &layers, known, job.progress, |level| {
        keep_level(&mut kept, level.len(), &|chunk| level_chunk(level, chunk).to_vec())
    })?;
    write(game, root, &layers, &values, path)?;
    Ok(PARTS.iter().try_for_each(|part| remove_work(&base.with_added_extension(part)))?)
}

/// Names of the two files of finished levels.
#[cfg(feature = "write")]
pub const PARTS: [&str; 2] = [KEYS, VALUES];
#[cfg(feature = "write")]
const KEYS: &str = "keys";
#[cfg(feature = "write")]
const VALUES: &str = "values";

/// Positions of a level in one block of its file.
#[cfg(feature = "write")]
const LEVEL_BLOCK: usize = 1 << 16;

#[cfg(feature = "write")]
fn level_chunk<T>(level: &[T], chunk: usize) -> &[T] {
    &level[chunk * LEVEL_BLOCK..((chunk + 1) * LEVEL_BLOCK).min(level.len())]
}

#[cfg(feature = "write")]
fn keep_level(store: &mut Store, length: usize, plain: &(dyn Fn(usize) -> Vec<u8> + Sync)) -> Result<(), TableError> {
    let (key, blocks) = (store.entries.len() as u64, length.div_ceil(LEVEL_BLOCK));
    store.append(NewSection { key, rows: length as u64, tally: Tally::default(), blocks, plain })
}

/// The bytes of all finished levels.
#[cfg(feature = "write")]
fn kept_levels(store: &Store) -> Result<Vec<Vec<u8>>, TableError> {
    let level = |section: usize| {
        let blocks = 0..store.entries[section].blocks.len();
        blocks.map(|block| store.read(section, block)).collect::<Result<Vec<_>, _>>().map(|blocks| blocks.concat())
    };
    (0..store.entries.len()).map(level).collect()
}

#[cfg(feature = "write")]
fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes"))).collect()
}

#[cfg(feature = "write")]
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
    let meta = Meta { root: game.position_text(root), root_key: game.key(root), tally, ended: Default::default() };
    let (keys, bytes): (Vec<u64>, Vec<u8>) = entries.into_iter().unzip();
    sparse::write(game, &keys, &bytes, &meta, path)
}
