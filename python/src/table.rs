//! Tables of solved games.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyType;
use yomikiri_answer::{Answer as Ranked, Oracle};
use yomikiri_rules::{AnyGame, with_game};
use yomikiri_solve::pipeline;
use yomikiri_table::{self as files, Location, probe};

use crate::answer::Answer;
use crate::arguments::GameOrFile;
use crate::batches::{Batches, Column};
use crate::bytes::{Meanings, Measures, column};
use crate::erased::{AnyPosition, Erased};
use crate::game::{Game, Position, PositionLike};
use crate::held::Held;
use crate::keys::Keys;
use crate::value::Value;
use crate::{errors, folder, threads};

/// A table of a solved game: the value of every position that can arise. ``Table.open`` opens one, ``analyze`` makes
/// one.
#[pyclass(frozen, module = "yomikiri")]
pub struct Table {
    held: Arc<Held>,
}

/// Opens the table of a game.
fn open(game: &Game, location: &Location, path: &Path) -> Result<files::Table, files::TableError> {
    with_game!(&*game.rules, game => probe::open_at(game, location, path))
}

/// Where the table of a game lies, whole or from a later position.
fn place<G: Erased>(game: &G, position: Option<&AnyPosition>, folder: &Path) -> PathBuf {
    pipeline::path_of(game, position.map(G::own), folder)
}

/// Opens a file by the game that it names.
fn open_file(path: &Path) -> PyResult<(Game, files::Table)> {
    if !files::pieces::is_there(path) {
        return Err(errors::missing(path, "tables are made by yomikiri.analyze"));
    }
    let folder = Location::from(path.parent().unwrap_or(Path::new("")));
    let source = folder.open(path).map_err(errors::table)?;
    let table = files::Table::of_any_game(source, path).map_err(errors::table)?;
    let code = table.header.rule_code();
    let unknown = |_| errors::table(files::TableError::foreign(path, format!("is of no known game: {code}")));
    let game = Game::of(AnyGame::parse(&code).map_err(unknown)?);
    drop(table);
    let table = open(&game, &folder, path).map_err(errors::table)?;
    Ok((game, table))
}

impl Table {
    /// A table that is open. It is read into memory now, only where that pays, or never.
    pub fn of(game: Game, table: files::Table, resident: Option<bool>) -> PyResult<Table> {
        let held = Held::new(game, table, resident.unwrap_or(true));
        if resident == Some(true) {
            threads::shared()?.install(|| held.load_all()).map_err(errors::solve)?;
        }
        Ok(Table { held: Arc::new(held) })
    }
}

/// The value of a position, by the rules where the game is over; `None` if the table does not have it.
fn known<G: Erased>(game: &G, table: &files::Table, position: &AnyPosition) -> yomikiri_solve::Result<Option<Value>> {
    let position = G::own(position);
    Ok(match game.is_terminal(position) {
        true => game.terminal_value(position).map(Value::of),
        false => game.probe(table, position)?.map(Value::of),
    })
}

/// The value of a position and its moves.
fn ranked<G: Erased>(
    game: &G,
    table: &Arc<files::Table>,
    position: &AnyPosition,
) -> yomikiri_solve::Result<Option<Ranked<G>>> {
    let position = G::own(position);
    if let Some(value) = game.terminal_value(position) {
        return Ok(Some(Ranked::over(value)));
    }
    let oracle = Oracle::of_table(game, Arc::clone(table));
    Ok(match oracle.known(position)? {
        None => None,
        Some(_) => Some(oracle.answer(position)?),
    })
}

/// Moves of best play with the positions after them; `None` from a position that the table does not have.
fn best_play<G: Erased>(
    game: &G,
    table: &Arc<files::Table>,
    position: &AnyPosition,
) -> yomikiri_solve::Result<Option<Vec<(String, AnyPosition)>>> {
    let position = G::own(position);
    if game.terminal_value(position).is_some() {
        return Ok(Some(Vec::new()));
    }
    let oracle = Oracle::of_table(game, Arc::clone(table));
    if oracle.known(position)?.is_none() {
        return Ok(None);
    }
    let line = oracle.line(position, usize::MAX)?.into_iter().map(|mv| (game.move_text(mv.mv), G::erase(mv.position)));
    Ok(Some(line.collect()))
}

#[pymethods]
impl Table {
    /// Opens a table: of a game or its rule code, in the folder or at the address ``tables`` (else
    /// ``$YOMIKIRI_TABLES``, else ``precomp``), or the one in a file, if the text ends with ``.tbl`` or a path is
    /// given.
    ///
    /// ``position`` asks for the table that was made from a later position. ``resident`` tells whether a table that
    /// leaves wins out, as those of animal shogi do, is kept in memory, a byte for each key of the game (``val1n``:
    /// 249 MB): ``True`` reads it at once with all its wins, ``False`` never, and ``None`` when 500,000 keys in all have
    /// been asked for, each win when it is asked for.
    ///
    /// Raises ``MissingTableError`` if there is no such file, ``TableError`` if it cannot be read or is of other rules.
    #[classmethod]
    #[pyo3(signature = (game, /, *, tables=None, position=None, resident=None))]
    fn open(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        tables: Option<PathBuf>,
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
            return Err(errors::argument("game", &format!("positions of {} have no keys, so no tables", game.code())));
        }
        let position = position.map(|position| game.find(position)).transpose()?;
        let location = folder::to_read(py, tables)?;
        let path = with_game!(&*game.rules, game => place(game, position.as_ref(), location.path()));
        if !location.has(&path) {
            let advice = format!("make it with yomikiri.analyze({:?})", game.code());
            return Err(errors::missing_in(&location, &path, &advice));
        }
        threads::detach(py, || {
            let table = open(&game, &location, &path).map_err(errors::table)?;
            Table::of(game, table, resident)
        })?
    }

    /// The game that it is a table of.
    #[getter]
    fn game(&self) -> Game {
        self.held.game.clone()
    }

    /// The file.
    #[getter]
    fn path(&self) -> &Path {
        self.held.path()
    }

    /// Where the file is read from, if it lies at an address.
    #[getter]
    fn address(&self) -> Option<String> {
        self.held.is_far().then(|| self.held.path().display().to_string())
    }

    /// The position that all others follow from, which is the start but in tables of later positions.
    #[getter]
    fn root(&self, py: Python<'_>) -> PyResult<Position> {
        let held = &*self.held;
        let meta = threads::detach(py, || held.read(|table| table.meta()))?.map_err(errors::table)?;
        let game = self.held.game.clone();
        let position = game.find(PositionLike::Text(meta.root))?;
        Ok(Position { game, position })
    }

    /// What measures its values: ``"plies"`` or ``"score"``.
    #[getter]
    fn measure(&self) -> &'static str {
        match Meanings::of(&self.held.game).measures {
            Measures::Plies(_) => "plies",
            Measures::Scores(_) => "score",
        }
    }

    /// Number of positions: all that can arise and in which the game goes on.
    fn __len__(&self) -> usize {
        self.held.header().positions.get() as usize
    }

    fn __repr__(&self) -> String {
        format!("<Table of {}: {} positions, {}>", self.held.game.code(), self.__len__(), self.held.path().display())
    }

    /// The first key of each section, ascending: an array of ``uint64``. What a section is depends on the game
    /// (docs/format.md): a tier of Binarsi, the positions with discs on the same squares in reversi, some neighbouring
    /// keys, or all of them.
    #[getter]
    fn sections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let held = &*self.held;
        let sections = threads::detach(py, || held.read(|table| table.sections()))?.map_err(errors::table)?;
        Ok(PyArray1::from_iter(py, sections.iter().map(|section| section.key)))
    }

    /// The value of a position, a key or a text; ``None`` if the table does not have it. Where the game is over the
    /// rules tell.
    #[pyo3(signature = (position, /))]
    fn value(&self, py: Python<'_>, position: PositionLike) -> PyResult<Option<Value>> {
        let (held, position) = (&*self.held, self.held.game.find(position)?);
        let value = || held.read(|table| with_game!(&*held.game.rules, game => known(game, table, &position)));
        threads::detach(py, value)?.map_err(errors::solve)
    }

    /// The values of many keys.
    ///
    /// ``keys`` is an array of ``n`` integers, best of ``uint64``, in any order. Returns two arrays of shape ``(n,)``:
    ///
    /// - ``int8``, the outcomes for the side to move: 1 win, 0 draw, -1 loss, -128 (``UNKNOWN``) where the table has no
    ///   such position and the game is not over;
    /// - where ``measure`` is ``"plies"``, ``int16``: plies to the end, -1 for draws and what is not known; where it is
    ///   ``"score"``, ``int8``: points by which the side to move wins, -128 for what is not known.
    #[pyo3(signature = (keys, /))]
    fn values<'py>(&self, py: Python<'py>, keys: Keys) -> PyResult<(Bound<'py, PyArray1<i8>>, Bound<'py, PyAny>)> {
        let held = &*self.held;
        let (outcomes, bytes, measures) = py.detach(|| {
            let bytes = threads::shared()?.install(|| held.bytes(&keys.0)).map_err(errors::solve)?;
            let Meanings { outcomes, measures } = Meanings::of(&held.game);
            Ok::<_, PyErr>((column(&bytes, &outcomes), bytes, measures))
        })?;
        let measured = match measures {
            Measures::Plies(plies) => PyArray1::from_vec(py, column(&bytes, &plies)).into_any(),
            Measures::Scores(scores) => PyArray1::from_vec(py, column(&bytes, &scores)).into_any(),
        };
        Ok((PyArray1::from_vec(py, outcomes), measured))
    }

    /// The value of a position and of all its moves, the best first; ``None`` if the table does not have it.
    #[pyo3(signature = (position, /))]
    fn query(&self, py: Python<'_>, position: PositionLike) -> PyResult<Option<Answer>> {
        let (held, position) = (&*self.held, self.held.game.find(position)?);
        with_game!(&*held.game.rules, game => {
            let answer = threads::detach(py, || held.read(|table| ranked(game, table, &position)));
            let answer = answer?.map_err(errors::solve)?;
            answer.map(|answer| Answer::of(py, &held.game, game, answer)).transpose()
        })
    }

    /// Best play from a position, the root if none is given, to the end, or in a draw until a position comes again: the
    /// moves with the position after each. ``None`` if the table does not have the position.
    #[pyo3(signature = (position=None, /))]
    fn line(&self, py: Python<'_>, position: Option<PositionLike>) -> PyResult<Option<Vec<(String, Position)>>> {
        let held = &*self.held;
        let position = match position {
            None => self.root(py)?.position,
            Some(position) => held.game.find(position)?,
        };
        let line = || held.read(|table| with_game!(&*held.game.rules, game => best_play(game, table, &position)));
        let line = threads::detach(py, line)?;
        let with_game = |(mv, position)| (mv, Position { game: held.game.clone(), position });
        Ok(line.map_err(errors::solve)?.map(|line| line.into_iter().map(with_game).collect()))
    }

    /// All positions, or those whose keys are at least ``start`` and less than ``end``, as Arrow record batches in the
    /// order of keys. See ``Batches``.
    ///
    /// ``columns`` names what they have, of: ``"key"`` (``uint64``), ``"outcome"`` (``int8``: 1 win, 0 draw, -1 loss
    /// for the side to move), ``"plies"`` (``int16``, null for draws) or ``"score"`` (``int8``) by the measure of the
    /// table, ``"ply"`` (``uint16``, plies from the start where positions tell), ``"side"`` (dictionary of strings,
    /// ``"black"`` or ``"white"``: that of ``Position.side``), ``"moves"`` (``uint16``, number of legal moves) and
    /// ``"position"`` (string). If not given: key, outcome and plies or score. The first three cost nothing but the
    /// reading; the others make every position.
    #[pyo3(signature = (*, columns=None, start=0, end=None))]
    fn batches(&self, py: Python<'_>, columns: Option<Vec<String>>, start: u64, end: Option<u64>) -> PyResult<Batches> {
        let columns = Column::read(columns, self.measure())?;
        threads::detach(py, || Batches::new(Arc::clone(&self.held), columns, start..end.unwrap_or(u64::MAX)))?
    }

    /// The same as ``batches()`` with its usual columns, for libraries that take Arrow data.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.batches(py, None, 0, None)?.__arrow_c_stream__(py, requested_schema)
    }
}
