//! Runs that many machines make together, as operations for the driver and the workers of `yomikiri.cluster`.

use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use yomikiri_rules::AnyGame;
use yomikiri_solve::cluster::{ClusterRun, KeptSheets, Step, Unit};
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::{self as files, Assembly};

use crate::arguments::{self, GameOrCode, Memory};
use crate::game::Game;
use crate::work::run_with_progress;
use crate::{errors, threads};

/// The default memory for a step of a run on many machines, in bytes.
const MEMORY: u64 = 4 << 30;

/// The storage of a run's files: a folder that all machines see, or a bucket (``s3://``, ``gs://``, ``az://``).
///
/// Raises ``TableError`` if the folder or bucket cannot be opened.
#[pyclass(frozen, module = "yomikiri._yomikiri")]
#[derive(Clone)]
pub struct Storage {
    files: Arc<files::Storage>,
}

#[pymethods]
impl Storage {
    #[new]
    fn new(py: Python<'_>, place: &str) -> PyResult<Storage> {
        let files = threads::detach(py, || files::Storage::find(place))?.map_err(errors::table)?;
        Ok(Storage { files: files.into() })
    }

    /// Returns the bytes of a file; ``None`` if the file does not exist.
    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = threads::detach(py, || self.files.get(name))?.map_err(errors::table)?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// Writes a file. Replaces an existing file only if it begins with the bytes ``first`` or is a torn copy of such a
    /// file; otherwise raises ``TableError``.
    fn put(&self, py: Python<'_>, name: &str, bytes: &[u8], first: &[u8]) -> PyResult<()> {
        let (bytes, first) = (bytes.to_vec(), first.to_vec());
        let over = files::PutPolicy::Beginning { what: "a file of this program", first: &first };
        threads::detach(py, || self.files.put(name, bytes, over))?.map_err(errors::table)
    }

    /// Writes a file unless one of this name exists. Returns ``True`` if it was written.
    fn create(&self, py: Python<'_>, name: &str, bytes: &[u8]) -> PyResult<bool> {
        let bytes = bytes.to_vec();
        threads::detach(py, || self.files.create(name, bytes))?.map_err(errors::table)
    }

    /// Deletes a file if it exists.
    fn delete(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        threads::detach(py, || self.files.delete(name))?.map_err(errors::table)
    }

    /// Returns the path or address of a file.
    fn path(&self, name: &str) -> String {
        self.files.path(name).display().to_string()
    }
}

/// A run in which many machines solve a board of Binarsi together, by tiers or parts of tiers. A tier has the positions
/// with the same occupied rectangle and locks. The steps are ``"enumerate"``, ``"solve"``, ``"audit"`` and, if tiers
/// are cut, ``"pack"``. Finished work is in the storage, so a step may be interrupted and repeated.
///
/// Tiers of more than ``cut`` rows (arrangements of stones) are cut into parts; ``None`` cuts no tier. Raises
/// ``TooLargeError`` if a part does not fit ``memory`` (in bytes or as ``"4G"``); ``TextError`` for games other than
/// Binarsi.
#[pyclass(frozen, module = "yomikiri._yomikiri")]
pub struct Run {
    game: Game,
    storage: Storage,
    memory: u64,
    uncut: usize,
    /// The rows of tiers that the last call of `work` has left in memory for the next call. Empty while a call uses
    /// them.
    kept: Mutex<KeptSheets>,
}

/// A unit, the smallest piece of work in a step: its number, its ply, its cost (in enumerated rows), the bytes of
/// memory that it needs, and the units that must be finished before it. Each of these is the name of a step and the
/// number of a unit in that step.
type Task = (usize, u32, u64, u64, Vec<(&'static str, usize)>);

/// The number of bytes that a call has read from the storage, and the number of bytes that it has written there.
type Moved = (u64, u64);

fn step(name: &str) -> PyResult<Step> {
    match name {
        "enumerate" => Ok(Step::Enumerate),
        "solve" => Ok(Step::Solve),
        "audit" => Ok(Step::Audit),
        "pack" => Ok(Step::Pack),
        _ => Err(errors::argument("step", "is not one of enumerate, solve, audit, pack")),
    }
}

fn step_name(step: Step) -> &'static str {
    match step {
        Step::Enumerate => "enumerate",
        Step::Solve => "solve",
        Step::Audit => "audit",
        Step::Pack => "pack",
    }
}

/// Evaluates an expression in which `$run` is the `ClusterRun` of the game. The game must be Binarsi, for points or
/// not. For other games, the result is an error.
macro_rules! with_run {
    ($self:expr, $run:ident => $act:expr) => {
        match &*$self.game.rules {
            AnyGame::Binarsi(game) => {
                ClusterRun::new(game, &$self.storage.files, $self.memory, $self.uncut).and_then(|$run| $act)
            }
            AnyGame::BinarsiPoints(game) => {
                ClusterRun::new(game, &$self.storage.files, $self.memory, $self.uncut).and_then(|$run| $act)
            }
            _ => Err(SolveError::Text(yomikiri_rules::TextError::new(
                "game",
                "only Binarsi can be solved on a cluster; use analyze for other games",
            ))),
        }
    };
}

impl Run {
    fn kept(&self) -> MutexGuard<'_, KeptSheets> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `act` on other threads. Returns the numbers of bytes read from the storage and written to it.
    fn act(
        &self,
        py: Python<'_>,
        threads: Option<NonZero<u16>>,
        act: impl FnOnce(&Self, &dyn yomikiri_table::Progress) -> Result<Moved> + Send,
    ) -> PyResult<Moved> {
        run_with_progress(py, None, threads, |progress| act(self, progress))?.map_err(errors::solve)
    }
}

#[pymethods]
impl Run {
    #[new]
    #[pyo3(signature = (game, storage, /, *, memory=None, cut=None))]
    fn new(game: GameOrCode, storage: &Storage, memory: Option<Memory>, cut: Option<usize>) -> PyResult<Run> {
        let memory = Memory::bytes(memory, MEMORY)?;
        let (game, storage, uncut) = (game.game()?, storage.clone(), cut.unwrap_or(usize::MAX));
        let run = Run { game, storage, memory, uncut, kept: Mutex::default() };
        with_run!(run, _checked => Ok(())).map_err(errors::solve)?;
        Ok(run)
    }

    /// The rule code.
    #[getter]
    fn code(&self) -> String {
        self.game.code()
    }

    /// Returns all units of a step, sorted by ply. Each is a tuple of number, ply, cost, bytes of memory, and the pairs
    /// of step and unit number that must be finished before this unit. Neighbouring units read much of the same data.
    fn units(&self, py: Python<'_>, step: &str) -> PyResult<Vec<Task>> {
        let step = self::step(step)?;
        let task = |unit: Unit| {
            let after = unit.after.into_iter().map(|(step, number)| (step_name(step), number)).collect();
            (unit.number, unit.ply, unit.cost, unit.memory, after)
        };
        threads::detach(py, || with_run!(self, run => Ok(run.units(step).into_iter().map(task).collect())))?
            .map_err(errors::solve)
    }

    /// Creates the folder of the run, or takes over the folder of a run that has stopped. The driver calls it before
    /// any step.
    ///
    /// Raises ``TableError`` if there is a folder with the name of the run that no run has made.
    fn begin(&self, py: Python<'_>) -> PyResult<()> {
        threads::detach(py, || with_run!(self, run => run.begin()))?.map_err(errors::solve)
    }

    /// Returns the numbers of the units that have finished a step, in ascending order.
    fn finished(&self, py: Python<'_>, step: &str) -> PyResult<Vec<usize>> {
        let step = self::step(step)?;
        threads::detach(py, || with_run!(self, run => run.finished(step)))?.map_err(errors::solve)
    }

    /// Carries out a step for some units of one ply, on ``threads`` threads. Returns the number of bytes read from the
    /// storage and the number written to it. Keeps data in memory for the next call, within ``memory``.
    ///
    /// Raises ``AuditError`` if a value is wrong; ``TableError`` if a file is missing or damaged.
    #[pyo3(signature = (step, units, /, *, threads=None))]
    fn work(
        &self,
        py: Python<'_>,
        step: &str,
        units: Vec<usize>,
        #[pyo3(from_py_with = arguments::threads)] threads: Option<NonZero<u16>>,
    ) -> PyResult<Moved> {
        let step = self::step(step)?;
        self.act(py, threads, |this, progress| {
            let mut kept = std::mem::take(&mut *this.kept());
            let moved = with_run!(this, run => run.work(step, &units, &mut kept, progress).map(|()| run.moved()));
            *this.kept() = kept;
            moved
        })
    }

    /// Returns the length of the table in bytes. All tiers must be solved; if tiers are cut, they must also be packed.
    fn length(&self, py: Python<'_>) -> PyResult<u64> {
        threads::detach(py, || with_run!(self, run => run.assembly().map(|table| table.length())))?
            .map_err(errors::solve)
    }

    /// Writes pieces of the table into files. Each of ``pieces`` is a tuple: the name of a file, and the offsets in the
    /// table at which the bytes of the file start and end, the end excluded. Returns the number of bytes read and the
    /// number written, as ``work`` does.
    #[pyo3(signature = (pieces, /, *, threads=None))]
    fn write(
        &self,
        py: Python<'_>,
        pieces: Vec<(String, u64, u64)>,
        #[pyo3(from_py_with = arguments::threads)] threads: Option<NonZero<u16>>,
    ) -> PyResult<Moved> {
        self.act(py, threads, |this, _| {
            with_run!(this, run => {
                let table: Assembly = run.assembly()?;
                for (name, start, end) in &pieces {
                    run.write_piece(&table, *start..(*end).min(table.length()), name)?;
                }
                Ok(run.moved())
            })
        })
    }

    /// Deletes the files of the run, but not the table.
    fn clean(&self, py: Python<'_>) -> PyResult<()> {
        threads::detach(py, || with_run!(self, run => run.clean()))?.map_err(errors::solve)
    }
}
