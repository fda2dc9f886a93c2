//! Whole runs: from a rule code to a finished table.

use std::num::NonZero;
use std::path::Path;
use std::time::Duration;

use pyo3::prelude::*;
use yomikiri_answer::CostReport;
use yomikiri_rules::{AnyGame, AnyPosition, Game as _};
use yomikiri_solve::pipeline::{self, Finished};
use yomikiri_solve::{Result, SolveOptions, TooLarge};

use crate::arguments::{self, GameOrCode, Memory};
use crate::folder::Tables;
use crate::game::{Game, PositionLike};
use crate::table::Table;
use crate::work::run_with_progress;
use crate::{errors, folder};

/// The default memory of a run, in bytes.
const MEMORY: u64 = 8 << 30;

/// Makes the table of a game, or opens it if it exists already. If a whole game must be solved and the run would not
/// fit in memory or on disk, returns an error instead.
fn run(game: &AnyGame, position: Option<&AnyPosition>, folder: &Path, options: &SolveOptions) -> Result<Finished> {
    let is_to_be_made = options.force || !yomikiri_table::pieces::is_there(&pipeline::path_of(game, position, folder));
    if position.is_none()
        && is_to_be_made
        && let Some(cost) = CostReport::too_large(game, folder, options.memory)
    {
        let memory = cost.sufficient_memory(game);
        let CostReport { rules: code, positions, disk, .. } = cost;
        return Err(TooLarge::Machine { code, positions, memory, disk }.into());
    }
    pipeline::analyze(game, position, folder, options)
}

/// Makes the table of a game and opens it. Enumerates all positions that can arise, solves them, checks each value
/// against the rules, and writes ``<code>.tbl`` to the folder ``tables`` or, if it is a list, to its first folder (else
/// to the first of ``$YOMIKIRI_TABLES``, else to the user's folder for data). If the table exists already, only opens
/// it. If an earlier run was stopped, resumes it.
///
/// If ``position`` is given, the table has only the positions that can arise from it. ``progress`` is called with a
/// ``Step`` when a step begins or ends, and ten times a second in between, on the thread that called ``analyze``. An
/// exception from ``progress``, or Ctrl-C, stops the run and is raised here; finished work is kept. ``memory`` is the
/// maximum memory of the run, in bytes or as ``"4G"`` (by default 8G, or less if the machine has less). ``threads`` is
/// the number of threads (by default one for each core). ``checkpoint`` is the number of seconds between two
/// checkpoints, which are only made in games that can repeat positions. If ``force`` is true, the run starts from the
/// beginning, even if the table or an unfinished run exists. ``resident`` has the same meaning as in ``Table.open``.
///
/// Raises ``TooLargeError``, before any work, if the machine does not have enough memory or disk; ``TableError`` if a
/// file cannot be written; ``AuditError`` if a value is wrong.
#[pyfunction]
#[pyo3(signature = (
    game, /, *, tables=None, position=None, progress=None, memory=None, threads=None, checkpoint=60, force=false,
    resident=None
))]
#[expect(clippy::too_many_arguments, reason = "most are left out")]
pub fn analyze(
    py: Python<'_>,
    game: GameOrCode,
    tables: Option<Tables>,
    position: Option<PositionLike>,
    progress: Option<Py<PyAny>>,
    memory: Option<Memory>,
    #[pyo3(from_py_with = arguments::threads)] threads: Option<NonZero<u16>>,
    #[pyo3(from_py_with = arguments::checkpoint)] checkpoint: u64,
    force: bool,
    resident: Option<bool>,
) -> PyResult<Table> {
    let game = game.game()?;
    let memory = Memory::bytes(memory, MEMORY)?;
    let folder = folder::to_write(py, tables)?;
    let position = position.map(|position| game.find(position)).transpose()?;
    if let Some(position) = &position {
        check_root(&game, position)?;
    }
    let checkpoint = Duration::from_secs(checkpoint);
    let finished = run_with_progress(py, progress.as_ref(), threads, |progress| {
        let options = SolveOptions { memory, force, checkpoint, progress };
        run(&game.rules, position.as_ref(), &folder, &options)
    })?;
    Table::of(game, finished.map_err(errors::solve)?.table, resident)
}

/// Returns an error if the position cannot be the root of a table.
fn check_root(game: &Game, position: &AnyPosition) -> PyResult<()> {
    if !game.has_keys() {
        let problem = format!("{}: this board has too many positions for keys, so it has no tables", game.code());
        return Err(errors::too_large(problem));
    }
    match game.rules.terminal_value(position) {
        Some(_) => Err(errors::argument("position", "the game is over")),
        None => Ok(()),
    }
}
