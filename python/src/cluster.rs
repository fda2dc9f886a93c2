//! Runs that many machines make together: what `yomikiri.cluster` has its workers do.

use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use yomikiri_rules::AnyGame;
use yomikiri_solve::cluster::{ClusterRun, KeptSheets, Step, Unit};
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::{self as files, Assembly};

use crate::arguments::{GameOrCode, Memory};
use crate::game::Game;
use crate::work::attend;
use crate::{errors, threads};

/// Bytes of memory that a step uses if nobody says otherwise.
const MEMORY: u64 = 4 << 30;

/// Where the files of a run lie: a folder that all machines see, or a bucket (``s3://``, ``gs://``, ``az://``).
///
/// Raises ``TableError`` if there can be none.
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

    /// The bytes of a file; ``None`` if it is not there.
    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = threads::detach(py, || self.files.get(name))?.map_err(errors::table)?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// Writes a file in place of any of its name.
    fn put(&self, py: Python<'_>, name: &str, bytes: &[u8]) -> PyResult<()> {
        let bytes = bytes.to_vec();
        threads::detach(py, || self.files.put(name, bytes))?.map_err(errors::table)
    }

    /// Writes a file unless there is one of its name; whether it has.
    fn create(&self, py: Python<'_>, name: &str, bytes: &[u8]) -> PyResult<bool> {
        let bytes = bytes.to_vec();
        threads::detach(py, || self.files.create(name, bytes))?.map_err(errors::table)
    }

    /// Deletes a file if it is there.
    fn delete(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        threads::detach(py, || self.files.delete(name))?.map_err(errors::table)
    }

    /// Where a file of this name lies.
    fn path(&self, name: &str) -> String {
        self.files.path(name).display().to_string()
    }
}

/// A board that many machines make, part by part of its tiers, in four steps: ``"enumerate"``, ``"solve"``, ``"audit"``
/// and, where tiers are cut, ``"pack"``. What is finished lies in the storage; a step may be done twice or broken off.
///
/// ``cut`` is how many rows a tier has at most that is one part; ``None`` cuts no tier. Raises ``TooLargeError`` if a
/// part does not fit ``memory`` (bytes or as ``"4G"``), ``TextError`` for other games than Binarsi.
#[pyclass(frozen, module = "yomikiri._yomikiri")]
pub struct Run {
    game: Game,
    storage: Storage,
    memory: u64,
    uncut: usize,
    /// What the call of ``work`` before has left; nothing while another one has it.
    kept: Mutex<KeptSheets>,
}

/// What takes a unit through a step: its number, its ply, what it costs (in rows that enumeration goes through), the
/// bytes of memory it needs, and the steps of other units that come before it.
type Task = (usize, u32, u64, u64, Vec<(&'static str, usize)>);

/// Bytes that were read from the storage and written there.
type Moved = (u64, u64);

fn step(name: &str) -> PyResult<Step> {
    match name {
        "enumerate" => Ok(Step::Enumerate),
        "solve" => Ok(Step::Solve),
        "audit" => Ok(Step::Audit),
        "pack" => Ok(Step::Pack),
        _ => Err(errors::argument("step", "is none of enumerate, solve, audit, pack")),
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

/// Calls with the run of a game that is made tier by tier.
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
                "only boards of Binarsi are made tier by tier: analyze makes the tables of other games on one machine",
            ))),
        }
    };
}

impl Run {
    fn kept(&self) -> MutexGuard<'_, KeptSheets> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something on other threads, and says how many bytes it has moved.
    fn act(
        &self,
        py: Python<'_>,
        threads: Option<NonZero<u16>>,
        act: impl FnOnce(&Self, &dyn yomikiri_table::Progress) -> Result<Moved> + Send,
    ) -> PyResult<Moved> {
        attend(py, None, threads, |progress| act(self, progress))?.map_err(errors::solve)
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

    /// All that a step has to do, by ply; neighbours share what they read.
    fn units(&self, py: Python<'_>, step: &str) -> PyResult<Vec<Task>> {
        let step = self::step(step)?;
        let task = |unit: Unit| {
            let after = unit.after.into_iter().map(|(step, number)| (step_name(step), number)).collect();
            (unit.number, unit.ply, unit.cost, unit.memory, after)
        };
        threads::detach(py, || with_run!(self, run => Ok(run.units(step).into_iter().map(task).collect())))?
            .map_err(errors::solve)
    }

    /// The units that have come through a step, in their order.
    fn finished(&self, py: Python<'_>, step: &str) -> PyResult<Vec<usize>> {
        let step = self::step(step)?;
        threads::detach(py, || with_run!(self, run => run.finished(step)))?.map_err(errors::solve)
    }

    /// Takes some units of one ply through a step, on so many threads. Returns how many bytes were read from the storage
    /// and written there. What it has in memory it keeps for the next call, within ``memory``.
    ///
    /// Raises ``AuditError`` if a value is wrong, ``TableError`` if a file is missing or damaged.
    #[pyo3(signature = (step, units, /, *, threads=None))]
    fn work(&self, py: Python<'_>, step: &str, units: Vec<usize>, threads: Option<NonZero<u16>>) -> PyResult<Moved> {
        let step = self::step(step)?;
        self.act(py, threads, |this, progress| {
            let mut kept = std::mem::take(&mut *this.kept());
            let moved = with_run!(this, run => run.work(step, &units, &mut kept, progress).map(|()| run.moved()));
            *this.kept() = kept;
            moved
        })
    }

    /// Bytes of the table, once all tiers are solved, and packed where they are cut.
    fn length(&self, py: Python<'_>) -> PyResult<u64> {
        threads::detach(py, || with_run!(self, run => run.assembly().map(|table| table.length())))?
            .map_err(errors::solve)
    }

    /// Writes the bytes from ``start`` to ``end`` of the table into files of so many bytes each, and returns as
    /// ``work`` does. ``pieces`` has for each file its name and where in the table it begins and ends.
    #[pyo3(signature = (pieces, /, *, threads=None))]
    fn write(&self, py: Python<'_>, pieces: Vec<(String, u64, u64)>, threads: Option<NonZero<u16>>) -> PyResult<Moved> {
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

    /// Deletes the files of the run, but for the table.
    fn clean(&self, py: Python<'_>) -> PyResult<()> {
        threads::detach(py, || with_run!(self, run => run.clean()))?.map_err(errors::solve)
    }
}
