//! Whole runs over dense keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use super::checkpoint::{Keeper, PARTS, enumerate_or_read, last_kept, part_path};
use super::cost::{ROOM, SORTED_KEYS, memory_of_rows_audit};
use super::enumerate::Reached;
use super::solve::{Analysis, solve, solve_all, solve_logged};
use super::table::DenseBytes;
use super::{Complete, Cyclic, table};
use crate::counts::ByteCounts;
use crate::space::{CHUNK, SharedSet};
use crate::{Result, SolveError, SolveOptions, TooLarge, sorted_keys, sparse};
use yomikiri_rules::{HasDistance, Value};
use yomikiri_table::{Identity, Meta, Store, Tally, remove_work};

/// A table lists sorted keys if fewer than one in this number of keys has a position, because it is then smaller.
const THIN: u64 = 200;

/// Enumerates and solves the whole game, or only `root` and the positions that can follow it. Writes the table to
/// `path`. Does not audit it.
pub fn solve_into_table<G: Cyclic>(
    game: &G,
    root: Option<&G::Position>,
    path: &Path,
    options: &SolveOptions,
) -> Result<()> {
    if let Some(root) = root {
        return sparse::analyze(game, root, u64::MAX, path, options);
    }
    let base = path.with_extension("");
    let taken_up = PARTS.iter().any(|part| part_path(&base, part).with_added_extension("journal").exists());
    if options.force || !taken_up {
        match sparse::analyze(game, &game.start(), SORTED_KEYS, path, options) {
            Err(SolveError::TooLarge(_)) => {}
            done => return done,
        }
    }
    let reached = enumerate_or_read(game, &base, options)?;
    // Only now the number of positions is known, and with it the memory that the audit will need.
    let needed = memory_of_rows_audit(game, reached.open.count());
    if needed > options.memory {
        return Err(TooLarge::Run { code: game.code(), needed }.into());
    }
    solve_reached(game, reached, path, options)
}

/// Like [`solve_into_table`] for the whole game, but always by dense keys, even if the game has few positions, and even
/// if the memory is less than a run or its audit needs.
pub fn analyze_dense<G: Cyclic>(game: &G, path: &Path, options: &SolveOptions) -> Result<()> {
    let reached = enumerate_or_read(game, &path.with_extension(""), options)?;
    solve_reached(game, reached, path, options)
}

/// Finds the values of the positions `reached` and writes the table.
fn solve_reached<G: Cyclic>(game: &G, reached: Reached, path: &Path, options: &SolveOptions) -> Result<()> {
    let ended = reached.ended.clone();
    if options.memory < Analysis::memory(game.open_keys().into()) + ROOM {
        return finish_logged(game, path, options, ended, reached.open);
    }
    let solve = |analysis, keep: &mut dyn FnMut(&Analysis) -> _| solve(game, analysis, options.progress, keep);
    finish(game, path, options, ended, || Analysis::new(game, reached.open), solve)
}

/// Finds the values of the positions `open` and writes the table, with less memory than a byte per key. If the run is
/// interrupted, a later run can reuse the set of positions that can arise, but not the values.
fn finish_logged<G: Cyclic>(
    game: &G,
    path: &Path,
    options: &SolveOptions,
    ended: BTreeMap<u8, u64>,
    open: SharedSet,
) -> Result<()> {
    let (base, keys) = (path.with_extension(""), game.open_keys().into());
    let log = part_path(&base, "values").with_added_extension("log");
    let analysis = Analysis::logged(open, keys, &log)?;
    let analysis = solve_logged(game, analysis, options.progress)?;
    let bytes = |range: Range<u64>| {
        // A block lies inside one chunk.
        let (chunk, first) = (analysis.logged_chunk::<G>(range.start, keys), range.start % CHUNK);
        Cow::Owned(chunk[first as usize..][..(range.end - range.start) as usize].to_vec())
    };
    let write = |meta: &Meta| write(game, DenseBytes { keys, bytes: &bytes }, meta, path, || analysis.check_log());
    write_table(&base, options, Meta::of(game, &game.start(), analysis.tally::<G>(), ended), write)
}

/// Solves all positions of the game, or only `root` and the positions that can follow it. Writes the table to `path`.
/// Does not audit it.
pub fn solve_all_into_table<G: Complete>(
    game: &G,
    root: Option<&G::Position>,
    path: &Path,
    options: &SolveOptions,
) -> Result<()> {
    if let Some(root) = root {
        return sparse::analyze(game, root, u64::MAX, path, options);
    }
    let mut ended = BTreeMap::new();
    for (_, outcome) in game.ends() {
        *ended.entry(G::Value::of(outcome, 0).to_byte()).or_default() += 1;
    }
    let solve = |analysis, keep: &mut dyn FnMut(&Analysis) -> _| solve_all(game, analysis, options.progress, keep);
    finish(game, path, options, ended, || Analysis::from_ends(game), solve)
}

/// Continues from the values that an earlier run has saved or, if there are none, from the state that `first` returns.
/// Then writes the table.
fn finish<G: Cyclic>(
    game: &G,
    path: &Path,
    options: &SolveOptions,
    ended: BTreeMap<u8, u64>,
    first: impl FnOnce() -> Result<Analysis>,
    solve: impl FnOnce(Analysis, &mut dyn FnMut(&Analysis) -> Result<()>) -> Result<Vec<u8>>,
) -> Result<()> {
    let base = path.with_extension("");
    let (kept, older) = last_kept(game, &base, options)?;
    let keeper = Keeper::new(&base, options, older);
    let analysis = kept.map_or_else(first, Ok)?;
    let bytes = solve(analysis, &mut |analysis| keeper.keep(game, analysis))?;
    let mut tally = Tally::default();
    ByteCounts::of(&bytes).add_to(&mut tally, 0);
    let of_block = |range: Range<u64>| Cow::Borrowed(&bytes[range.start as usize..range.end as usize]);
    let write =
        |meta: &Meta| write(game, DenseBytes { keys: bytes.len() as u64, bytes: &of_block }, meta, path, || Ok(()));
    write_table(&base, options, Meta::of(game, &game.start(), tally, ended), write)
}

/// Calls `write` to write the table, then removes the work files of the run.
fn write_table(base: &Path, options: &SolveOptions, meta: Meta, write: impl FnOnce(&Meta) -> Result<()>) -> Result<()> {
    options.progress.begin("Step 2: write", 0);
    write(&meta)?;
    options.progress.end(&format!("{} values", meta.tally.positions()));
    Ok(PARTS.iter().try_for_each(|part| remove_work(&part_path(base, part)))?)
}

/// Writes a table of sorted keys if few keys have a position, else a table that leaves out an outcome. Calls `check`
/// after it has requested all bytes; `check` returns an error if some bytes could not be read.
pub(crate) fn write<'a, G: Cyclic>(
    game: &G,
    DenseBytes { keys, bytes }: DenseBytes<impl Fn(Range<u64>) -> Cow<'a, [u8]> + Sync>,
    meta: &Meta,
    path: &Path,
    check: impl Fn() -> Result<()>,
) -> Result<()> {
    if meta.tally.positions() < keys / THIN {
        let (mut found, mut values) = (Vec::new(), Vec::new());
        for first in (0..keys).step_by(CHUNK as usize) {
            let bytes = bytes(first..(first + CHUNK).min(keys));
            for (key, &byte) in (first..).zip(bytes.iter()).filter(|&(_, &byte)| byte != 0) {
                found.push(key);
                values.push(byte);
            }
        }
        check()?;
        return Ok(sorted_keys::write(game, found.into_iter().zip(values), meta, path)?);
    }
    let identity = Identity::of(game, "values");
    let mut store = Store::open(&path.with_extension(""), &identity, true)?;
    let kind = table::best_kind::<G::Value>(&meta.tally);
    table::append(game, &mut store, kind, DenseBytes { keys, bytes }, meta.tally.clone())?;
    check()?;
    Ok(store.finish(path, kind, game.codec() as u8, &identity, meta)?)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::pyonpyon::Pyonpyon;
    use yomikiri_rules::games::pyonpyon_shogi::PyonpyonShogi;
    use yomikiri_table::Silent;

    #[test]
    fn from_what_was_kept_both_ways_go_on_to_the_same_values() {
        let game = Pyonpyon::parse("pyon3x4").unwrap();
        let (mut kept, keys) = (Vec::new(), u64::from(game.index.count()));
        let whole = solve_all(&game, Analysis::from_ends(&game).unwrap(), &Silent, |analysis| {
            let byte = analysis.bytes_with_next::<Pyonpyon>();
            kept.push((analysis.distance, (0..keys).map(byte).collect::<Vec<u8>>()));
            Ok(())
        });
        let whole = whole.unwrap();
        assert!(kept.len() > 5, "{}", kept.len());
        for (distance, bytes) in kept.into_iter().step_by(3) {
            let analysis = || Analysis::resume::<Pyonpyon>(bytes.clone(), distance).unwrap();
            assert!(solve_all(&game, analysis(), &Silent, |_| Ok(())).unwrap() == whole, "{distance}");
            assert!(solve(&game, analysis(), &Silent, |_| Ok(())).unwrap() == whole, "{distance}");
        }
    }

    /// Solves a game with hardly any memory, and with plenty, and compares the tables.
    fn with_less_and_more_memory<G: Cyclic>(code: &str) {
        let (game, folder) = (G::parse(code).unwrap(), tempfile::tempdir().unwrap());
        let made = |memory: u64, name: &str| {
            let path = folder.path().join(name);
            let options = SolveOptions { memory, force: false, checkpoint: Duration::MAX, progress: &Silent };
            analyze_dense(&game, &path, &options).unwrap();
            std::fs::read(path).unwrap()
        };
        assert!(made(1, "less.unaudited") == made(1 << 40, "more.unaudited"), "{code}");
        let left = std::fs::read_dir(folder.path()).unwrap();
        assert_eq!(left.count(), 2, "files of the runs are left of {code}");
    }

    #[test]
    fn a_run_whose_audit_needs_more_memory_is_refused_once_positions_are_counted() {
        let (game, folder) = (Pyonpyon::parse("pyon3x4").unwrap(), tempfile::tempdir().unwrap());
        let path = folder.path().join("pyon3x4.unaudited");
        let run = |memory: u64| {
            let options = SolveOptions { memory, force: false, checkpoint: Duration::MAX, progress: &Silent };
            solve_into_table(&game, None, &path, &options)
        };
        let Err(SolveError::TooLarge(TooLarge::Run { code, needed })) = run(1) else { panic!("not refused") };
        assert_eq!(code, "pyon3x4");
        assert!(run(needed - 1).is_err() && !path.exists());
        assert!(folder.path().join("pyon3x4.reach.work").exists(), "the next run would count again");
        run(needed).unwrap();
        assert!(path.exists());
    }

    #[test]
    fn with_less_memory_than_a_byte_a_key_the_table_is_the_same() {
        ["pyon2x5", "pyon3x3B", "pyon3x4"].into_iter().for_each(with_less_and_more_memory::<Pyonpyon>);
        // All 289 positions of this game are draws, and its table is one of sorted keys.
        with_less_and_more_memory::<PyonpyonShogi>("pyon3x3-PNL");
    }
}
