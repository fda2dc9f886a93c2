//! The whole way of a table: enumerate, solve, audit, then give it its name.

use std::path::{Path, PathBuf};

use crate::{Result, Solvable, SolveError, SolveOptions, audit, levels, retrograde};
use yomikiri_table::{RunLock, Table, TableError, disk, name, remove_work};

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
    if path.exists() && !options.force {
        forget_audit(&path.with_extension(""));
        return Ok(Finished { table: yomikiri_table::probe::open(game, &path)?, fresh: false });
    }
    let base = path.with_extension("");
    let _lock = RunLock::take(&base)?;
    let unaudited = path.with_extension(audit::UNAUDITED);
    if options.force || !unaudited.exists() {
        game.solve(root, &unaudited, options)?;
    }
    let table = yomikiri_table::probe::open(game, &unaudited).map_err(name_the_cure)?;
    game.audit(root, &table, options).map_err(|error| match error {
        SolveError::Table(error) => name_the_cure(error).into(),
        other => other,
    })?;
    drop(table);
    disk::rename(&unaudited, &path).map_err(TableError::io(&path))?;
    // A run killed between two of its last steps leaves work files that nobody needs any more.
    remove_work(&base)?;
    audit::remove_kept(&base)?;
    for part in ["reach", "values"].iter().chain(&levels::PARTS).chain(&retrograde::PARTS) {
        remove_work(&base.with_added_extension(part))?;
    }
    Ok(Finished { table: yomikiri_table::probe::open(game, &path)?, fresh: true })
}

/// Deletes what a run has left that was killed when its table had got its name, unless another is at work there.
fn forget_audit(base: &Path) {
    if audit::is_kept(base)
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
