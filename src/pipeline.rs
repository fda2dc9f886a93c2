//! The whole way of a table: enumerate, solve, audit, then give it its name.

use std::path::{Path, PathBuf};

use crate::query;
use crate::solve::{Job, Solvable, SolveError, layers};
use crate::table::{RunLock, Table, TableError, name, remove_work};

/// A finished table and whether this run made it.
pub struct Finished {
    pub table: Table,
    pub fresh: bool,
}

/// Where the table of `game`, whole or below `root`, lies in `folder`.
pub fn path_of<G: Solvable>(game: &G, root: Option<&G::Position>, folder: &Path) -> PathBuf {
    match root {
        None => name::whole(folder, &game.code()),
        Some(root) => name::below(folder, &game.code(), game.key(root)),
    }
}

/// Makes the table unless it is there. A table gets its final name only after its audit; one whose audit was cut off
/// is audited again.
pub fn analyze<G: Solvable>(
    game: &G,
    root: Option<&G::Position>,
    folder: &Path,
    job: &Job,
) -> Result<Finished, SolveError> {
    let path = path_of(game, root, folder);
    if path.exists() && !job.force {
        return Ok(Finished { table: query::open(game, &path)?, fresh: false });
    }
    let base = path.with_extension("");
    let _lock = RunLock::take(&base)?;
    let unaudited = path.with_extension("unaudited");
    if job.force || !unaudited.exists() {
        match root {
            None => game.solve_whole(&unaudited, job)?,
            Some(root) => layers::analyze(game, root, &unaudited, job)?,
        }
    }
    let table = query::open(game, &unaudited).map_err(name_the_cure)?;
    audit(game, root.is_none(), &table, job).map_err(|error| match error {
        SolveError::Table(error) => name_the_cure(error).into(),
        other => other,
    })?;
    drop(table);
    std::fs::rename(&unaudited, &path).map_err(TableError::io(&path))?;
    // A run killed between two of its last steps leaves work files that nobody needs any more.
    remove_work(&base)?;
    remove_work(&base.with_added_extension("reach"))?;
    layers::remove_level_work(&base)?;
    Ok(Finished { table: query::open(game, &path)?, fresh: true })
}

/// An unaudited file that is damaged can only be made again.
fn name_the_cure(error: TableError) -> TableError {
    let cure = |what: String| format!("{what}; start again with --force");
    match error {
        TableError::Damaged { path, what } => TableError::Damaged { path, what: cure(what) },
        TableError::Foreign { path, what } => TableError::Foreign { path, what: cure(what) },
        other => other,
    }
}

/// Checks every position of a table, and that its own counts are those it holds.
pub fn audit<G: Solvable>(game: &G, whole: bool, table: &Table, job: &Job) -> Result<(), SolveError> {
    let meta = table.meta()?;
    if !whole {
        let positions = query::verify_keys(game, table, job.progress)?;
        return same_count(table, positions == meta.tally.positions() && positions == table.header.positions);
    }
    let tally = game.audit_whole(table, job.memory, job.progress)?;
    same_count(table, tally == meta.tally && tally.positions() == table.header.positions)
}

fn same_count(table: &Table, same: bool) -> Result<(), SolveError> {
    if same { Ok(()) } else { Err(table.damaged("the counts in its meta data are not those of its positions").into()) }
}
