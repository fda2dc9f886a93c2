//! Tables of solved games.

use std::path::Path;
use std::sync::Arc;
use yomikiri_solve::Solvable;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyType;
use yomikiri_answer::{Answer as Ranked, Oracle};
use yomikiri_rules::{AnyGame, AnyPosition, Game as _, Notation};
use yomikiri_solve::pipeline;
use yomikiri_table::{self as files, Location, probe};

use crate::answer::Answer;
use crate::arguments::GameOrFile;
use crate::batches::{Batches, Column};
use crate::bytes::{Meanings, Measures, column};
use crate::folder::Tables;
use crate::game::{Game, Position, PositionLike};
use crate::keys::Keys;
use crate::open_table::OpenTable;
use crate::value::Value;
use crate::{errors, folder, threads};

/// A table of a solved game: the value of every position that can arise. ``Table.open`` opens a table, ``analyze``
/// makes one.
#[pyclass(frozen, module = "yomikiri")]
pub struct Table {
    held: Arc<OpenTable>,
}

/// Opens the table of a game.
fn open(game: &Game, location: &Location, path: &Path) -> Result<files::Table, files::TableError> {
    probe::open_at(&*game.rules, location, path)
}

/// Opens a table file. Also returns the game that the header of the file names.
fn open_file(path: &Path) -> PyResult<(Game, files::Table)> {
    if !files::pieces::is_there(path) {
        return Err(errors::missing(&[path.into()], "make it with yomikiri.analyze"));
    }
    let folder = Location::from(path.parent().unwrap_or(Path::new("")));
    let source = folder.open(path).map_err(errors::table)?;
    let table = files::Table::open_any_game(source, path).map_err(errors::table)?;
    let code = table.header.rule_code();
    let unknown = |_| errors::table(files::TableError::foreign(path, format!("is a table of an unknown game: {code}")));
    let game = Game::of(AnyGame::parse(&code).map_err(unknown)?);
    drop(table);
    let table = open(&game, &folder, path).map_err(errors::table)?;
    Ok((game, table))
}

impl Table {
    /// Wraps an open table. `resident` says when the table is read into memory for look-ups: now (`Some(true)`), never
    /// (`Some(false)`), or after many look-ups if the table leaves out wins (`None`).
    pub fn of(game: Game, table: files::Table, resident: Option<bool>) -> PyResult<Table> {
        let held = OpenTable::new(game, table, resident.unwrap_or(true));
        if resident == Some(true) {
            threads::shared()?.install(|| held.load_all()).map_err(errors::solve)?;
        }
        Ok(Table { held: Arc::new(held) })
    }
}

/// Returns the value of a position; `None` if the table does not have the position. If the game is over, the value
/// comes from the rules.
fn known(game: &AnyGame, table: &files::Table, position: &AnyPosition) -> yomikiri_solve::Result<Option<Value>> {
    Ok(match game.is_terminal(position) {
        true => game.terminal_value(position).map(Value::of),
        false => game.probe(table, position)?.map(Value::of),
    })
}

/// Returns the values of a position and of its moves; `None` if the table does not have the position.
fn ranked(game: &AnyGame, table: &Arc<files::Table>, position: &AnyPosition) -> yomikiri_solve::Result<Option<Ranked>> {
    if let Some(value) = game.terminal_value(position) {
        return Ok(Some(Ranked::over(value)));
    }
    let oracle = Oracle::of_table(game, Arc::clone(table));
    Ok(match oracle.known(position)? {
        None => None,
        Some(_) => Some(oracle.answer(position)?),
    })
}

/// Returns the moves of best play with the positions after them; `None` if the table does not have the position.
fn best_play(
    game: &AnyGame,
    table: &Arc<files::Table>,
    position: &AnyPosition,
) -> yomikiri_solve::Result<Option<Vec<(String, AnyPosition)>>> {
    if game.terminal_value(position).is_some() {
        return Ok(Some(Vec::new()));
    }
    let oracle = Oracle::of_table(game, Arc::clone(table));
    if oracle.known(position)?.is_none() {
        return Ok(None);
    }
    let line = oracle.line(position, usize::MAX)?.into_iter().map(|mv| (game.move_text(mv.mv), mv.position));
    Ok(Some(line.collect()))
}

#[pymethods]
impl Table {
    /// Opens the table of a game or rule code, or a file. A path names a file, and so does a string that ends with
    /// ``.tbl``, has a slash, or is no rule code but the name of a file. The table of a game is looked up in the folder
    /// or at the address ``tables``, or in a list of them in order (else in those of ``$YOMIKIRI_TABLES``, else in the
    /// user's folder for data).
    ///
    /// ``position`` selects the table that was made from this later position. Some tables, such as the table of animal
    /// shogi, leave out won positions. ``resident`` says when such a table is read into memory, with a byte for each
    /// key of the game (``val1n``: 249 MB). ``True`` reads it at once and finds the values of all wins. With ``False``,
    /// look-ups never read it into memory. ``None`` reads it when 500,000 keys in all have been looked up, and finds
    /// the value of a win when it is first looked up. Data frames (``batches``) always read it into memory.
    ///
    /// Raises ``MissingTableError`` if there is no such file; ``TableError`` if it cannot be read or belongs to other
    /// rules.
    #[classmethod]
    #[pyo3(signature = (game, /, *, tables=None, position=None, resident=None))]
    fn open(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        tables: Option<Tables>,
        position: Option<PositionLike>,
        resident: Option<bool>,
    ) -> PyResult<Table> {
        let game = match GameOrFile::read(game, ".tbl")? {
            GameOrFile::Game(game) => game,
            GameOrFile::File(path) => {
                return threads::detach(py, || {
                    let (game, table) = open_file(&path)?;
                    Table::of(game, table, resident)
                })?;
            }
        };
        if !game.has_keys() {
            let problem = format!("{} has too many positions for keys, so it has no tables", game.code());
            return Err(errors::argument("game", &problem));
        }
        let position = position.map(|position| game.find(position)).transpose()?;
        let location = folder::to_read(py, tables)?;
        let path_in = |folder: &Path| pipeline::path_of(&*game.rules, position.as_ref(), folder);
        let path = location.file(path_in);
        if !location.has(&path) {
            let advice = format!("make it with yomikiri.analyze({:?})", game.code());
            return Err(errors::missing_in(&location, path_in, &advice));
        }
        threads::detach(py, || {
            let table = open(&game, &location, &path).map_err(errors::table)?;
            Table::of(game, table, resident)
        })?
    }

    /// The game of the table.
    #[getter]
    fn game(&self) -> Game {
        self.held.game.clone()
    }

    /// The path of the file.
    #[getter]
    fn path(&self) -> &Path {
        self.held.path()
    }

    /// The address that the file is read from; ``None`` if it is in a folder.
    #[getter]
    fn address(&self) -> Option<String> {
        self.held.is_remote().then(|| self.held.path().display().to_string())
    }

    /// The position from which all positions of the table arise. It is the start of the game, unless the table was made
    /// from a later position.
    #[getter]
    fn root(&self, py: Python<'_>) -> PyResult<Position> {
        let held = &*self.held;
        let meta = threads::detach(py, || held.read(|table| table.meta()))?.map_err(errors::table)?;
        let game = self.held.game.clone();
        let position = game.find(PositionLike::Text(meta.root))?;
        Ok(Position { game, position })
    }

    /// The measure of the values: ``"plies"`` or ``"score"``.
    #[getter]
    fn measure(&self) -> &'static str {
        match Meanings::of(&self.held.game).measures {
            Measures::Plies(_) => "plies",
            Measures::Scores(_) => "score",
        }
    }

    /// The number of positions that can arise and in which the game is not over.
    fn __len__(&self) -> usize {
        self.held.header().positions.get() as usize
    }

    fn __repr__(&self) -> String {
        format!("<Table of {}: {} positions, {}>", self.held.game.code(), self.__len__(), self.held.path().display())
    }

    /// The first key of each section, in ascending order, as an array of ``uint64``. The meaning of a section depends
    /// on the game (docs/format.md): a tier in Binarsi, the positions with discs on the same squares in reversi, some
    /// neighbouring keys, or all keys.
    #[getter]
    fn sections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let held = &*self.held;
        let sections = threads::detach(py, || held.read(|table| table.sections()))?.map_err(errors::table)?;
        Ok(PyArray1::from_iter(py, sections.iter().map(|section| section.key)))
    }

    /// Returns the value of a position, which may be given by its key or text; ``None`` if the table does not have the
    /// position. If the game is over, the value comes from the rules.
    #[pyo3(signature = (position, /))]
    fn value(&self, py: Python<'_>, position: PositionLike) -> PyResult<Option<Value>> {
        let (held, position) = (&*self.held, self.held.game.find(position)?);
        let value = || held.read(|table| known(&held.game.rules, table, &position));
        threads::detach(py, value)?.map_err(errors::solve)
    }

    /// Returns the values of many keys.
    ///
    /// ``keys`` is an array of ``n`` integers in any order, preferably ``uint64``. Returns two arrays of shape
    /// ``(n,)``:
    ///
    /// - ``int8``: the outcomes for the side to move: 1 win, 0 draw, -1 loss, -128 (``UNKNOWN``) if the table has no
    ///   such position and the game is not over;
    /// - if ``measure`` is ``"plies"``, ``int16``: the plies to the end, -1 for draws and unknown positions; if it is
    ///   ``"score"``, ``int8``: the points by which the side to move wins, -128 for unknown positions.
    ///
    /// Raises ``MemoryError`` if the system refuses the memory for the arrays.
    #[pyo3(signature = (keys, /))]
    fn values<'py>(&self, py: Python<'py>, keys: Keys) -> PyResult<(Bound<'py, PyArray1<i8>>, Bound<'py, PyAny>)> {
        let held = &*self.held;
        let (outcomes, bytes, measures) = py.detach(|| {
            let bytes = threads::shared()?.install(|| held.bytes(&keys.0)).map_err(errors::solve)?;
            let Meanings { outcomes, measures } = Meanings::of(&held.game);
            Ok::<_, PyErr>((column(&bytes, &outcomes)?, bytes, measures))
        })?;
        let measured = match measures {
            Measures::Plies(plies) => PyArray1::from_vec(py, column(&bytes, &plies)?).into_any(),
            Measures::Scores(scores) => PyArray1::from_vec(py, column(&bytes, &scores)?).into_any(),
        };
        Ok((PyArray1::from_vec(py, outcomes), measured))
    }

    /// Returns the values of a position and of all its moves, best first; ``None`` if the table does not have the
    /// position.
    #[pyo3(signature = (position, /))]
    fn query(&self, py: Python<'_>, position: PositionLike) -> PyResult<Option<Answer>> {
        let (held, position) = (&*self.held, self.held.game.find(position)?);
        let answer = threads::detach(py, || held.read(|table| ranked(&held.game.rules, table, &position)));
        let answer = answer?.map_err(errors::solve)?;
        answer.map(|answer| Answer::of(py, &held.game, answer)).transpose()
    }

    /// Returns the moves of best play from a position, by default the root, with the position after each move. The line
    /// ends when the game is over or, in a draw, when a position repeats. Returns ``None`` if the table does not have
    /// the position.
    #[pyo3(signature = (position=None, /))]
    fn line(&self, py: Python<'_>, position: Option<PositionLike>) -> PyResult<Option<Vec<(String, Position)>>> {
        let held = &*self.held;
        let position = match position {
            None => self.root(py)?.position,
            Some(position) => held.game.find(position)?,
        };
        let line = || held.read(|table| best_play(&held.game.rules, table, &position));
        let line = threads::detach(py, line)?;
        let with_game = |(mv, position)| (mv, Position { game: held.game.clone(), position });
        Ok(line.map_err(errors::solve)?.map(|line| line.into_iter().map(with_game).collect()))
    }

    /// Returns all positions, or the positions with keys from ``start`` up to but not including ``end``, as Arrow
    /// record batches in the order of keys. See ``Batches``.
    ///
    /// ``columns`` names the columns:
    ///
    /// - ``"key"``: ``uint64``
    /// - ``"outcome"``: ``int8``, for the side to move: 1 win, 0 draw, -1 loss
    /// - ``"plies"`` (``int16``, null for draws) or ``"score"`` (``int8``), according to the measure of the table
    /// - ``"ply"``: ``uint16``, the plies since the start if positions tell them, else 0
    /// - ``"side"``: dictionary of strings, ``"black"`` or ``"white"``, as in ``Position.side``
    /// - ``"moves"``: ``uint16``, the number of legal moves
    /// - ``"position"``: string
    ///
    /// The default columns are key, outcome, and plies or score. They cost no more than reading the table. The other
    /// columns need every position to be decoded.
    #[pyo3(signature = (*, columns=None, start=0, end=None))]
    fn batches(&self, py: Python<'_>, columns: Option<Vec<String>>, start: u64, end: Option<u64>) -> PyResult<Batches> {
        let columns = Column::read(columns, self.measure())?;
        threads::detach(py, || Batches::new(Arc::clone(&self.held), columns, start..end.unwrap_or(u64::MAX)))?
    }

    /// The same as ``batches()`` with its default columns, for libraries that take Arrow data.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.batches(py, None, 0, None)?.__arrow_c_stream__(py, requested_schema)
    }
}
