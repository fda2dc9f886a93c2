//! Makes a finished table: enumerates, solves and audits it, then gives it its final name.

use std::path::{Path, PathBuf};

use crate::{Result, Solvable, SolveError, SolveOptions, audit, levels, retrograde};
use yomikiri_table::{
    Replaceable, RunLock, Table, TableError, check_work, disk, has_work, name, pieces, probe, remove_any_work,
    remove_work,
};

/// A finished table, made by this run or by an earlier one.
pub struct Finished {
    /// The table, opened.
    pub table: Table,
    /// True if this run made the table.
    pub fresh: bool,
}

/// Returns the path of a table in `folder`. The table is of the whole game, or of `root` and the positions that can
/// follow it.
pub fn path_of<G: Solvable>(game: &G, root: Option<&G::Position>, folder: &Path) -> PathBuf {
    match root {
        None => name::whole(folder, &game.code()),
        Some(root) => name::below(folder, &game.code(), game.rank(root)),
    }
}

/// Makes the table at the path that [`path_of`] returns, unless it exists, and opens it. A table gets its final name
/// only after its audit. If a run was interrupted during the audit, the next run repeats the audit. Only an audit of
/// tiers continues where it stopped.
pub fn analyze<G: Solvable>(
    game: &G,
    root: Option<&G::Position>,
    folder: &Path,
    options: &SolveOptions,
) -> Result<Finished> {
    let path = path_of(game, root, folder);
    let base = path.with_extension("");
    if pieces::is_there(&path) && !options.force {
        forget_run(&base);
        return Ok(Finished { table: probe::open_at(game, &folder.into(), &path)?, fresh: false });
    }
    let _lock = RunLock::take(&base)?;
    let unaudited = path.with_extension(audit::UNAUDITED);
    check_paths(&path, &unaudited, options.force)?;
    if options.force || !unaudited.exists() {
        game.solve(root, &unaudited, options)?;
    }
    let table = probe::open(game, &unaudited).map_err(with_remedy)?;
    game.audit(root, &table, options).map_err(|error| match error {
        SolveError::Table(error) => with_remedy(error).into(),
        other => other,
    })?;
    drop(table);
    disk::rename(&unaudited, &path).map_err(TableError::io(&path))?;
    // With --force the new file replaces the pieces of an older table.
    pieces::remove(&path)?;
    // A run that was killed near its end leaves work files that are no longer needed.
    remove_work(&base)?;
    audit::remove_checkpoint(&base)?;
    parts(&base).try_for_each(|part| remove_work(&part))?;
    Ok(Finished { table: probe::open(game, &path)?, fresh: true })
}

/// Checks, before any work, that the run may replace the files at its paths. At a path of the table, only a regular
/// file may exist; at the path of a work file, only a work file. Anything else is an error. With `force`, any regular
/// file may exist at the path of a work file, and is deleted.
fn check_paths(path: &Path, unaudited: &Path, force: bool) -> Result<()> {
    [path, unaudited].into_iter().try_for_each(|path| Replaceable::AnyFile.check(path))?;
    let base = path.with_extension("");
    let act = if force { remove_any_work } else { check_work };
    let audits = audit::CHECKPOINT_EXTENSIONS.iter().map(|part| base.with_added_extension(part));
    Ok(std::iter::once(base.clone()).chain(parts(&base)).chain(audits).try_for_each(|part| act(&part))?)
}

/// Returns the base paths of the work files that any kernel makes beside those of the table itself. A base path is a
/// path without the extension `work` or `journal`. The files of the audit are not included.
fn parts(base: &Path) -> impl Iterator<Item = PathBuf> {
    let parts = ["reach"].iter().chain(&levels::PARTS).chain(&retrograde::PARTS);
    parts.map(|part| base.with_added_extension(part)).collect::<Vec<_>>().into_iter()
}

/// Deletes the files of a run that was killed after it had given the table its name. Does nothing while another run
/// works on the table.
fn forget_run(base: &Path) {
    let works = || std::iter::once(base.to_path_buf()).chain(parts(base));
    let has_files = || audit::has_checkpoint(base) || RunLock::is_there(base) || works().any(|work| has_work(&work));
    if has_files()
        && let Ok(_lock) = RunLock::take(base)
    {
        // A file that cannot be deleted does no harm.
        let _ = audit::remove_checkpoint(base);
        works().for_each(|work| drop(remove_work(&work)));
    }
}

/// Adds the remedy to an error about an unaudited file. The only remedy is to make the file again.
fn with_remedy(error: TableError) -> TableError {
    let cure = |what: String| format!("{what}; start again with --force");
    match error {
        TableError::Damaged { path, what } => TableError::Damaged { path, what: cure(what) },
        TableError::Foreign { path, what } => TableError::Foreign { path, what: cure(what) },
        other @ (TableError::Io { .. } | TableError::Waiting { .. }) => other,
    }
}
