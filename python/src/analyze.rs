//! Whole runs: from a rule code to a finished table.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pyo3::prelude::*;
use yomikiri_answer::CostReport;
use yomikiri_rules::with_game;
use yomikiri_solve::pipeline::{self, Finished};
use yomikiri_solve::{Result, SolveError, SolveOptions};

use crate::arguments::{GameOrCode, Memory};
use crate::erased::{AnyPosition, Erased};
use crate::game::{Game, PositionLike};
use crate::table::Table;
use crate::work::attend;
use crate::{errors, folder};

/// Bytes of memory that a run uses if nobody says otherwise.
const MEMORY: u64 = 8 << 30;

/// The run itself, unless it would not fit.
fn run<G: Erased>(game: &G, position: Option<&AnyPosition>, folder: &Path, options: &SolveOptions) -> Result<Finished> {
    let root = position.map(G::own);
    let is_to_be_made = options.force || !yomikiri_table::pieces::is_there(&pipeline::path_of(game, root, folder));
    if root.is_none()
        && is_to_be_made
        && let Some(cost) = CostReport::too_large(game, folder, options.memory)
    {
        let needed = cost.memory.map_or("more memory than any machine has".into(), |m| format!("{m} bytes of memory"));
        return Err(SolveError::TooLarge(format!(
            "{} has about {:.2e} positions; a run needs {needed} and {:.0} bytes of disk",
            cost.rules, cost.positions, cost.disk
        )));
    }
    pipeline::analyze(game, root, folder, options)
}

fn is_over<G: Erased>(game: &G, position: &AnyPosition) -> bool {
    game.terminal_value(G::own(position)).is_some()
}

/// Makes the table of a game and opens it: enumerates all positions that can arise, solves them, checks each value
/// against the rules, and writes ``<code>.tbl`` to the folder ``tables`` (else ``$YOMIKIRI_TABLES``, else ``precomp``).
/// If it is there already, it is opened; a run that was stopped goes on where it was.
///
/// ``position`` solves what lies below a later position. ``progress`` is called with a ``Step`` when one begins or
/// ends, and ten times a second in between, in the thread that has called ``analyze``. An exception from it, or Ctrl-C,
/// stops the run and comes out of here; what is finished is kept. ``memory`` is how much the run may use, in bytes or
/// as ``"4G"`` (8G, or what the machine has), ``threads`` how many threads it has (one for each core), ``checkpoint``
/// the seconds between two states kept on disk, in games that can repeat. ``force`` begins anew whatever is there.
/// ``resident`` is that of ``Table.open``.
///
/// Raises ``TooLargeError``, before anything is done, if the machine has not the memory or the disk; ``TableError`` if
/// files cannot be written; ``AuditError`` if a value is wrong.
#[pyfunction]
#[pyo3(signature = (
    game, /, *, tables=None, position=None, progress=None, memory=None, threads=None, checkpoint=60, force=false,
    resident=None
))]
#[expect(clippy::too_many_arguments, reason = "most are left out")]
pub fn analyze(
    py: Python<'_>,
    game: GameOrCode,
    tables: Option<PathBuf>,
    position: Option<PositionLike>,
    progress: Option<Py<PyAny>>,
    memory: Option<Memory>,
    threads: Option<NonZero<u16>>,
    checkpoint: u64,
    force: bool,
    resident: Option<bool>,
) -> PyResult<Table> {
    let game = game.game()?;
    let memory = Memory::bytes(memory, MEMORY)?;
    let folder = folder::to_write(tables)?;
    let position = position.map(|position| game.find(position)).transpose()?;
    if let Some(position) = &position {
        check_root(&game, position)?;
    }
    let checkpoint = Duration::from_secs(checkpoint);
    let finished = attend(py, progress.as_ref(), threads, |progress| {
        let options = SolveOptions { memory, force, checkpoint, progress };
        with_game!(&*game.rules, game => run(game, position.as_ref(), &folder, &options))
    })?;
    Table::of(game, finished.map_err(errors::solve)?.table, resident)
}

/// Refuses positions that no table can begin with.
fn check_root(game: &Game, position: &AnyPosition) -> PyResult<()> {
    if !game.has_keys() {
        return Err(errors::too_large(format!("{}: positions of this board have no keys, so no tables", game.code())));
    }
    match with_game!(&*game.rules, game => is_over(game, position)) {
        true => Err(errors::argument("position", "the game is over")),
        false => Ok(()),
    }
}
