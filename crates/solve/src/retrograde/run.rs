//! The whole run over dense keys, what it needs, and how it is taken up again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[cfg(feature = "write")]
use super::pack::{append, read};
use super::reach::{Reached, reach};
use super::values::{Waves, solve};
use super::{Complete, Cyclic, table};
use crate::estimate::Estimate;
use crate::space::SharedSet;
use crate::{Job, SolveError, Solved, sparse};
use yomikiri_rules::value::{Timed, Value};
use yomikiri_table::progress::Progress;
#[cfg(feature = "write")]
use yomikiri_table::{Identity, Store, remove_work};
use yomikiri_table::{Meta, TableError, Tally};

/// Names of the files that keep what was found: what can arise, and the values so far, in two files by turns.
#[cfg(feature = "write")]
pub const PARTS: [&str; 3] = ["reach", "waves0", "waves1"];

/// Memory in which a game of few positions is solved by sorted keys, which takes as much as it has positions.
const LITTLE: u64 = 100 << 20;

/// With fewer positions than one in so many keys, a table of sorted keys is smaller.
#[cfg(feature = "write")]
const THIN: u64 = 200;

/// Bytes of memory a run needs.
pub fn memory_for<G: Cyclic>(game: &G) -> u64 {
    let (open, keys) = (game.open_keys().into(), game.keys().into());
    let reaching = 3 * SharedSet::memory(open) + SharedSet::memory(keys);
    reaching.max(Waves::memory(open)) + LITTLE
}

/// Bytes of memory a run over all positions needs.
pub fn memory_for_all<G: Complete>(game: &G) -> u64 {
    Waves::memory_for_all(game.open_keys().into())
}

/// Enumerates, solves and packs the game, whole or below `root`, into `path`; the audit is separate.
#[cfg(feature = "write")]
pub fn solve_into_table<G: Cyclic>(
    game: &G,
    root: Option<&G::Position>,
    path: &Path,
    job: &Job,
) -> Result<(), SolveError> {
    if let Some(root) = root {
        return sparse::analyze(game, root, path, job);
    }
    let base = path.with_extension("");
    let taken_up = PARTS.iter().any(|part| part_path(&base, part).with_added_extension("journal").exists());
    if job.force || !taken_up {
        match sparse::analyze(game, &game.start(), path, &Job { memory: LITTLE.min(job.memory), ..*job }) {
            Err(SolveError::TooLarge(_)) => {}
            done => return done,
        }
    }
    analyze_dense(game, path, job)
}

/// Solves everything below a position for one question. Below most positions lies most of the game: then only a table
/// helps.
pub fn solve_below<G: Cyclic>(
    game: &G,
    position: &G::Position,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Solved, SolveError> {
    match sparse::solve(game, position, memory.min(LITTLE), progress) {
        Ok((solved, _)) => Ok(solved),
        Err(SolveError::TooLarge(_)) => {
            let (text, code) = (game.position_text(position), game.code());
            Err(SolveError::TooLarge(format!("no table has {text}; make one with: yomikiri analyze {code}")))
        }
        Err(error) => Err(error),
    }
}

/// How many undecided positions may arise, as far as each position alone can tell: from a sample of the keys.
pub fn estimate<G: Cyclic>(game: &G) -> Estimate {
    /// Keys looked at.
    const SAMPLE: u32 = 1 << 20;
    let mut block = G::Block::default();
    let step = (game.open_keys() / SAMPLE).max(1) | 1;
    let keys = || (0..game.open_keys()).step_by(step as usize);
    let may = keys().filter(|&key| game.may_arise(key, &game.board(key, &mut block))).count();
    let share = may as f64 / keys().count().max(1) as f64;
    Estimate { by_ply: vec![share * f64::from(game.open_keys())], exact_plies: 0 }
}

/// [`solve_into_table`] for a whole game by dense keys, however few positions there are.
#[cfg(feature = "write")]
pub fn analyze_dense<G: Cyclic>(game: &G, path: &Path, job: &Job) -> Result<(), SolveError> {
    let reached = reach_or_read(game, &path.with_extension(""), job)?;
    let ended = reached.ended.clone();
    finish(game, path, job, ended, || Waves::new(game, reached.open))
}

/// Solves and packs all positions of the game, or, with a root, those below it.
#[cfg(feature = "write")]
pub fn solve_all_into_table<G: Complete>(
    game: &G,
    root: Option<&G::Position>,
    path: &Path,
    job: &Job,
) -> Result<(), SolveError> {
    if let Some(root) = root {
        return sparse::analyze(game, root, path, job);
    }
    let mut ended = BTreeMap::new();
    for (_, outcome) in game.ends() {
        *ended.entry(G::Value::of(outcome, 0).to_byte()).or_default() += 1;
    }
    finish(game, path, job, ended, || Waves::from_ends(game))
}

/// Goes on from the waves that an earlier run has kept, or from `first`, to the finished table.
#[cfg(feature = "write")]
fn finish<G: Cyclic>(
    game: &G,
    path: &Path,
    job: &Job,
    ended: BTreeMap<u8, u64>,
    first: impl FnOnce() -> Waves,
) -> Result<(), SolveError> {
    let base = path.with_extension("");
    let (waves, older) = read_waves(game, &base, job)?;
    let waves = waves.unwrap_or_else(first);
    let keeper = Keeper::new(&base, job, older);
    let bytes = solve(game, waves, job.progress, |waves| keeper.keep(game, waves))?;
    job.progress.begin("Step 2: pack", 0);
    let mut tally = Tally::default();
    for (byte, count) in counts(&bytes) {
        tally.add(0, byte, count);
    }
    let start = game.start();
    let meta = Meta { root: game.position_text(&start), root_key: game.key(&start), tally, ended };
    write(game, &bytes, &meta, path)?;
    job.progress.end(&format!("{} values", meta.tally.positions()));
    Ok(PARTS.iter().try_for_each(|part| remove_work(&part_path(&base, part)))?)
}

/// Writes the table in the form that suits so many positions.
#[cfg(feature = "write")]
fn write<G: Cyclic>(game: &G, bytes: &[u8], meta: &Meta, path: &Path) -> Result<(), TableError> {
    if meta.tally.positions() < bytes.len() as u64 / THIN {
        let found = || (0..).zip(bytes).filter(|&(_, &byte)| byte != 0);
        let keys: Vec<u64> = found().map(|(key, _)| key).collect();
        let values: Vec<u8> = found().map(|(_, &byte)| byte).collect();
        return sparse::write(game, &keys, &values, meta, path);
    }
    let identity = Identity::of(game, "values");
    let mut store = Store::open(&path.with_extension(""), &identity, true)?;
    let kind = table::best_kind::<G::Value>(&meta.tally);
    table::append(game, &mut store, kind, bytes, meta.tally.clone())?;
    store.finish(path, kind, G::Value::CODEC as u8, &identity, meta)
}

#[cfg(feature = "write")]
fn part_path(base: &Path, part: &str) -> PathBuf {
    base.with_added_extension(part)
}

/// How many positions have each table byte.
pub fn counts(bytes: &[u8]) -> impl Iterator<Item = (u8, u64)> {
    use rayon::prelude::*;
    let count = |bytes: &[u8]| {
        let mut counts = vec![0u64; 256];
        bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        counts
    };
    let sum = |a: Vec<u64>, b: Vec<u64>| a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let all = bytes.par_chunks(1 << 20).map(count).reduce(|| vec![0; 256], sum);
    (0..=255).zip(all).skip(1)
}

/// What can arise: from the file of an earlier run, else found and kept there.
#[cfg(feature = "write")]
fn reach_or_read<G: Cyclic>(game: &G, base: &Path, job: &Job) -> Result<Reached, SolveError> {
    let keys = u64::from(game.open_keys());
    let mut store = Store::open(&part_path(base, "reach"), &Identity::of(game, "reach"), job.force)?;
    if let Some(entry) = store.entries.first() {
        let (positions, ended) = (entry.key, entry.tally.plies.get(&0).cloned().unwrap_or_default());
        let bytes = read(&store, 0, keys)?;
        let open = SharedSet::new(keys);
        (0..).zip(&bytes).filter(|&(_, &byte)| byte != 0).for_each(|(key, _)| {
            open.insert(key);
        });
        return Ok(Reached { open, positions, ended });
    }
    let reached = reach(game, job.progress);
    let mut tally = Tally::default();
    reached.ended.iter().for_each(|(&byte, &count)| tally.add(0, byte, count));
    append(&mut store, reached.positions, keys, &|key| reached.open.contains(key).into(), tally)?;
    Ok(reached)
}

/// The newest values that an earlier run has kept, and which of the two files does not hold them.
#[cfg(feature = "write")]
fn read_waves<G: Cyclic>(game: &G, base: &Path, job: &Job) -> Result<(Option<Waves>, usize), SolveError> {
    let open = |part: &&str| Store::open(&part_path(base, part), &Identity::of(game, "waves"), job.force);
    let stores = PARTS[1..].iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let kept = stores.iter().enumerate().filter(|(_, store)| !store.entries.is_empty());
    let Some((part, store)) = kept.max_by_key(|(_, store)| store.entries[0].key) else { return Ok((None, 0)) };
    let bytes = read(store, 0, game.open_keys().into())?;
    Ok((Some(Waves::resume::<G>(bytes, store.entries[0].key as u16)), 1 - part))
}

/// Keeps the values so far from time to time.
#[cfg(feature = "write")]
struct Keeper<'a> {
    base: &'a Path,
    job: &'a Job<'a>,
    state: RefCell<(Instant, usize)>,
}

#[cfg(feature = "write")]
impl<'a> Keeper<'a> {
    /// `older` is the file that is written over first.
    fn new(base: &'a Path, job: &'a Job<'a>, older: usize) -> Keeper<'a> {
        Keeper { base, job, state: RefCell::new((Instant::now(), older)) }
    }

    /// Writes the values over the older of two files if it is time.
    fn keep<G: Cyclic>(&self, game: &G, waves: &Waves) -> Result<(), SolveError> {
        let (last, turn) = *self.state.borrow();
        if last.elapsed() < self.job.checkpoint {
            return Ok(());
        }
        self.write(game, waves, PARTS[1 + turn % 2])?;
        self.state.replace((Instant::now(), turn + 1));
        Ok(())
    }

    fn write<G: Cyclic>(&self, game: &G, waves: &Waves, part: &str) -> Result<(), TableError> {
        let mut store = Store::open(&part_path(self.base, part), &Identity::of(game, "waves"), true)?;
        let keys = waves.bytes.len() as u64;
        append(&mut store, waves.plies.into(), keys, &waves.bytes_with_next::<G>(), Tally::default())
    }
}
