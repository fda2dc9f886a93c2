//! The whole way of a table: enumerate, solve, audit, then give it its name.

use std::path::{Path, PathBuf};

use crate::{Result, Solvable, SolveError, SolveOptions, audit, levels, retrograde};
use yomikiri_table::{
    Replace, RunLock, Table, TableError, check_work, disk, name, pieces, probe, remove_any_work, remove_work,
};

/// A finished table and whether this run made it.
pub struct Finished {
    pub table: Table,
    pub fresh: bool,
}

/// Where the table of `game`, whole or below `root`, lies in `folder`.
pub fn path_of<G: Solvable>(game: &G, root: Option<&G::Position>, folder: &Path) -> PathBuf {
    match root {
        None => name::whole(folder, &game.code()),
        Some(root) => name::below(folder, &game.code(), game.rank(root)),
    }
}

/// Makes the table unless it is there. A table gets its final name only after its audit; one whose audit was cut off
/// is audited again, tiers from where that was.
pub fn analyze<G: Solvable>(
    game: &G,
    root: Option<&G::Position>,
    folder: &Path,
    options: &SolveOptions,
) -> Result<Finished> {
    let path = path_of(game, root, folder);
    if pieces::is_there(&path) && !options.force {
        forget_audit(&path.with_extension(""));
        return Ok(Finished { table: probe::open_at(game, &folder.into(), &path)?, fresh: false });
    }
    let base = path.with_extension("");
    let _lock = RunLock::take(&base)?;
    let unaudited = path.with_extension(audit::UNAUDITED);
    make_way(&path, &unaudited, options.force)?;
    if options.force || !unaudited.exists() {
        game.solve(root, &unaudited, options)?;
    }
    let table = probe::open(game, &unaudited).map_err(name_the_cure)?;
    game.audit(root, &table, options).map_err(|error| match error {
        SolveError::Table(error) => name_the_cure(error).into(),
        other => other,
    })?;
    drop(table);
    disk::rename(&unaudited, &path).map_err(TableError::io(&path))?;
    // With --force the new file takes the place of the pieces of an older table.
    pieces::remove(&path)?;
    // A run killed between two of its last steps leaves work files that nobody needs any more.
    remove_work(&base)?;
    audit::remove_kept(&base)?;
    parts(&base).try_for_each(|part| remove_work(&part))?;
    Ok(Finished { table: probe::open(game, &path)?, fresh: true })
}

/// Refuses, before any work, what lies at the places of the run's files and is none of them. With `force` any regular
/// file gives way.
fn make_way(path: &Path, unaudited: &Path, force: bool) -> Result<()> {
    [path, unaudited].into_iter().try_for_each(|path| Replace::AnyFile.check(path))?;
    let base = path.with_extension("");
    let act = if force { remove_any_work } else { check_work };
    let audits = audit::PARTS.iter().map(|part| base.with_added_extension(part));
    Ok(std::iter::once(base.clone()).chain(parts(&base)).chain(audits).try_for_each(|part| act(&part))?)
}

/// The bases of all work files but those of the table itself and of its audit, for every kernel.
fn parts(base: &Path) -> impl Iterator<Item = PathBuf> {
    let parts = ["reach"].iter().chain(&levels::PARTS).chain(&retrograde::PARTS);
    parts.map(|part| base.with_added_extension(part)).collect::<Vec<_>>().into_iter()
}

/// Deletes the leftovers of a run that was killed after its table had got its name, unless another is at work there.
fn forget_audit(base: &Path) {
    if (audit::is_kept(base) || RunLock::is_there(base))
        && let Ok(_lock) = RunLock::take(base)
    {
        // Nobody is hindered by what cannot be deleted.
        let _ = audit::remove_kept(base);
    }
}

/// An unaudited file that is damaged can only be made again.
fn name_the_cure(error: TableError) -> TableError {
    let cure = |what: String| format!("{what}; start again with --force");
    match error {
        TableError::Damaged { path, what } => TableError::Damaged { path, what: cure(what) },
        TableError::Foreign { path, what } => TableError::Foreign { path, what: cure(what) },
        other @ TableError::Io { .. } => other,
    }
}
