//! The whole run over dense keys, and what it needs.

use std::collections::BTreeMap;
use std::path::Path;

#[cfg(feature = "write")]
use super::checkpoint::{Keeper, PARTS, enumerate_or_read, last_kept, part_path};
use super::solve::{Analysis, solve, solve_all};
use super::{Complete, Cyclic, DenseKey, table};
use crate::counts::ByteCounts;
use crate::estimate::Estimate;
use crate::space::SharedSet;
use crate::{Result, SolveError, SolveOptions, Solved, sorted_keys, sparse};
use yomikiri_rules::{HasDistance, Value};
#[cfg(feature = "write")]
use yomikiri_table::{Identity, Store, remove_work};
use yomikiri_table::{Meta, Progress, TableError, Tally};

/// Memory in which a game of few positions is solved by sorted keys, which takes as much as it has positions.
const LITTLE: u64 = 100 << 20;

/// With fewer positions than one in so many keys, a table of sorted keys is smaller.
#[cfg(feature = "write")]
const THIN: u64 = 200;

/// Memory for the program itself and what threads work with.
const ROOM: u64 = 16 << 20;

/// Bytes of memory a run needs.
pub fn memory_for<G: Cyclic>(game: &G) -> u64 {
    let (open, keys) = (game.open_keys().into(), game.keys().into());
    let reaching = 2 * SharedSet::memory(open) + SharedSet::memory(keys);
    // One after the other.
    LITTLE.max(reaching).max(Analysis::memory(open)) + ROOM
}

/// Bytes of memory a run over all positions needs.
pub fn memory_for_all<G: Complete>(game: &G) -> u64 {
    Analysis::memory_for_all(game.open_keys().into()) + ROOM
}

/// Enumerates, solves and packs the game, whole or below `root`, into `path`; the audit is separate.
#[cfg(feature = "write")]
pub fn solve_into_table<G: Cyclic>(
    game: &G,
    root: Option<&G::Position>,
    path: &Path,
    options: &SolveOptions,
) -> Result<()> {
    if let Some(root) = root {
        return sparse::analyze(game, root, path, options);
    }
    let base = path.with_extension("");
    let taken_up = PARTS.iter().any(|part| part_path(&base, part).with_added_extension("journal").exists());
    if options.force || !taken_up {
        match sparse::analyze(
            game,
            &game.start(),
            path,
            &SolveOptions { memory: LITTLE.min(options.memory), ..*options },
        ) {
            Err(SolveError::TooLarge(_)) => {}
            done => return done,
        }
    }
    analyze_dense(game, path, options)
}

/// Solves everything below a position for one question. Below most positions lies most of the game: then only a table
/// helps.
pub fn solve_subgame<G: Cyclic>(
    game: &G,
    position: &G::Position,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Solved> {
    match sparse::solve(game, position, memory.min(LITTLE), progress) {
        Ok((solved, _)) => Ok(solved),
        Err(SolveError::TooLarge(_)) => {
            let (text, code) = (game.position_text(position), game.code());
            Err(SolveError::TooLarge(format!("no table has {text}; make one with: yomikiri analyze {code}")))
        }
        Err(error) => Err(error),
    }
}

/// How many undecided positions there are: counted if they are few; else how many may arise as far as each position
/// alone can tell, from a sample of the keys.
pub fn estimate<G: Cyclic>(game: &G) -> Estimate {
    /// Memory in which they are counted within a moment.
    const FEW: u64 = 4 << 20;
    /// Keys looked at.
    const SAMPLE: u64 = 1 << 20;
    if let Ok(few) = sparse::count(game, &game.start(), FEW) {
        return Estimate { by_ply: vec![few as f64], exact_plies: 1, memory: Some(LITTLE) };
    }
    let (mut block, open) = (G::Block::default(), game.open_keys().into());
    let step = (open / SAMPLE).max(1) | 1;
    let keys = || (0..open).step_by(step as usize).map(G::Key::of);
    let may = keys().filter(|&key| game.may_arise(key, &game.board(key, &mut block))).count();
    let share = may as f64 / keys().count().max(1) as f64;
    Estimate { by_ply: vec![share * open as f64], exact_plies: 0, memory: None }
}

/// How many undecided positions and ends there are in a game of which all positions are wanted: every key is one's.
pub fn estimate_of_all<G: Complete>(game: &G) -> Estimate {
    let keys: u64 = game.keys().into();
    Estimate { by_ply: vec![keys as f64], exact_plies: 1, memory: None }
}

/// [`solve_into_table`] for a whole game by dense keys, however few positions there are.
#[cfg(feature = "write")]
pub fn analyze_dense<G: Cyclic>(game: &G, path: &Path, options: &SolveOptions) -> Result<()> {
    let reached = enumerate_or_read(game, &path.with_extension(""), options)?;
    let ended = reached.ended.clone();
    let solve = |analysis, keep: &mut dyn FnMut(&Analysis) -> _| solve(game, analysis, options.progress, keep);
    finish(game, path, options, ended, || Analysis::new(game, reached.open), solve)
}

/// Solves and packs all positions of the game, or, with a root, those below it.
#[cfg(feature = "write")]
pub fn solve_all_into_table<G: Complete>(
    game: &G,
    root: Option<&G::Position>,
    path: &Path,
    options: &SolveOptions,
) -> Result<()> {
    if let Some(root) = root {
        return sparse::analyze(game, root, path, options);
    }
    let mut ended = BTreeMap::new();
    for (_, outcome) in game.ends() {
        *ended.entry(G::Value::of(outcome, 0).to_byte()).or_default() += 1;
    }
    let solve = |analysis, keep: &mut dyn FnMut(&Analysis) -> _| solve_all(game, analysis, options.progress, keep);
    finish(game, path, options, ended, || Analysis::from_ends(game), solve)
}

/// Goes on from what an earlier run has kept, or from `first`, to the finished table.
#[cfg(feature = "write")]
fn finish<G: Cyclic>(
    game: &G,
    path: &Path,
    options: &SolveOptions,
    ended: BTreeMap<u8, u64>,
    first: impl FnOnce() -> Analysis,
    solve: impl FnOnce(Analysis, &mut dyn FnMut(&Analysis) -> Result<()>) -> Result<Vec<u8>>,
) -> Result<()> {
    let base = path.with_extension("");
    let (kept, older) = last_kept(game, &base, options)?;
    let keeper = Keeper::new(&base, options, older);
    let analysis = kept.unwrap_or_else(first);
    let bytes = solve(analysis, &mut |analysis| keeper.keep(game, analysis))?;
    options.progress.begin("Step 2: pack", 0);
    let mut tally = Tally::default();
    ByteCounts::of(&bytes).add_to(&mut tally, 0);
    let start = game.start();
    let meta = Meta { root: game.position_text(&start), root_key: game.rank(&start), tally, ended };
    write(game, &bytes, &meta, path)?;
    options.progress.end(&format!("{} values", meta.tally.positions()));
    Ok(PARTS.iter().try_for_each(|part| remove_work(&part_path(&base, part)))?)
}

/// Writes the table in the form that suits so many positions.
#[cfg(feature = "write")]
fn write<G: Cyclic>(game: &G, bytes: &[u8], meta: &Meta, path: &Path) -> Result<(), TableError> {
    if meta.tally.positions() < bytes.len() as u64 / THIN {
        let found = || (0..).zip(bytes).filter(|&(_, &byte)| byte != 0);
        let keys: Vec<u64> = found().map(|(key, _)| key).collect();
        let values: Vec<u8> = found().map(|(_, &byte)| byte).collect();
        return sorted_keys::write(game, &keys, &values, meta, path);
    }
    let identity = Identity::of(game, "values");
    let mut store = Store::open(&path.with_extension(""), &identity, true)?;
    let kind = table::best_kind::<G::Value>(&meta.tally);
    table::append(game, &mut store, kind, bytes, meta.tally.clone())?;
    store.finish(path, kind, G::Value::CODEC as u8, &identity, meta)
}
