//! Types of arguments that several functions share.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf, is_separator};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyInt;
use yomikiri_search::certificate::MAX_HORIZON;
use yomikiri_table::memory;
use yomikiri_table::threads::MAX_THREADS;

use crate::errors;
use crate::game::Game;

/// A game, or its rule code.
pub enum GameOrCode {
    Game(Game),
    Code(String),
}

impl<'py> FromPyObject<'_, 'py> for GameOrCode {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<GameOrCode> {
        match (given.cast::<Game>(), given.extract()) {
            (Ok(game), _) => Ok(GameOrCode::Game(game.get().clone())),
            (_, Ok(code)) => Ok(GameOrCode::Code(code)),
            _ => Err(errors::type_error("a Game or a rule code", &given)),
        }
    }
}

impl GameOrCode {
    pub fn game(self) -> PyResult<Game> {
        match self {
            GameOrCode::Game(game) => Ok(game),
            GameOrCode::Code(code) => Game::new(&code),
        }
    }
}

/// A game, or the path of a file.
pub enum GameOrFile {
    Game(Game),
    File(PathBuf),
}

impl GameOrFile {
    /// Reads a game, a rule code or a path. A string is a path if it ends with `ending` or has a separator of paths, or
    /// if it is no rule code and a file has this name.
    pub fn read(given: &Bound<'_, PyAny>, ending: &str) -> PyResult<GameOrFile> {
        match given.extract() {
            Ok(GameOrCode::Code(path)) if path.ends_with(ending) || path.contains(is_separator) => {
                Ok(GameOrFile::File(path.into()))
            }
            Ok(GameOrCode::Code(code)) => match Game::new(&code) {
                Err(_) if Path::new(&code).is_file() => Ok(GameOrFile::File(code.into())),
                game => game.map(GameOrFile::Game),
            },
            Ok(GameOrCode::Game(game)) => Ok(GameOrFile::Game(game)),
            Err(_) => given
                .extract()
                .map(GameOrFile::File)
                .map_err(|_| errors::type_error("a Game, a rule code or a path", given)),
        }
    }
}

/// An amount of memory: a number of bytes, or a string such as `8G`.
pub struct Memory(u64);

impl<'py> FromPyObject<'_, 'py> for Memory {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Memory> {
        let bytes = match given.extract::<String>() {
            Ok(text) => memory::parse(&text).map_err(|problem| errors::argument("memory", &problem))?,
            Err(_) if given.is_instance_of::<PyInt>() => whole(&given, "memory", 1..=u64::MAX)?,
            Err(_) => given.extract().map_err(|_| errors::type_error("a number or a string such as \"8G\"", &given))?,
        };
        if bytes == 0 { Err(errors::argument("memory", "must not be 0")) } else { Ok(Memory(bytes)) }
    }
}

impl Memory {
    /// Returns `asked` as a number of bytes, or an error if the machine does not have that much memory. If `asked` is
    /// `None`, returns `usual`, halved until the machine has that much.
    pub fn bytes(asked: Option<Memory>, usual: u64) -> PyResult<u64> {
        memory::requested_or(asked.map(|Memory(bytes)| bytes), usual).map_err(errors::solve)
    }
}

/// Reads a whole number. `name` is the name of the argument. A number outside of `range` is a `TextError`.
fn whole(given: &Bound<'_, PyAny>, name: &str, range: RangeInclusive<u64>) -> PyResult<u64> {
    match given.extract() {
        Ok(number) if range.contains(&number) => Ok(number),
        Err(_) if !given.is_instance_of::<PyInt>() => Err(errors::type_error("a whole number", given)),
        _ => Err(errors::argument(name, &format!("must be from {} to {}", range.start(), range.end()))),
    }
}

/// Reads an argument that may be `None`.
fn unless_none<T>(given: &Bound<'_, PyAny>, read: impl FnOnce() -> PyResult<T>) -> PyResult<Option<T>> {
    if given.is_none() { Ok(None) } else { read().map(Some) }
}

/// Reads the argument `threads`.
pub fn threads(given: &Bound<'_, PyAny>) -> PyResult<Option<NonZero<u16>>> {
    let threads = unless_none(given, || whole(given, "threads", 1..=MAX_THREADS.into()))?;
    Ok(threads.and_then(|threads| NonZero::new(threads as u16)))
}

/// Reads the argument `horizon`, in plies.
pub fn horizon(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    Ok(whole(given, "horizon", 0..=MAX_HORIZON.into())? as u32)
}

/// Reads the argument `depth`, in plies.
pub fn depth(given: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    unless_none(given, || Ok(whole(given, "depth", 0..=u32::MAX.into())? as u32))
}

/// Reads the argument `nodes`.
pub fn nodes(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    unless_none(given, || whole(given, "nodes", 0..=u64::MAX))
}

/// Reads the argument `checkpoint`, the number of seconds between two checkpoints.
pub fn checkpoint(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, "checkpoint", 0..=u64::MAX)
}

/// Reads the argument `seconds`.
pub fn seconds(given: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    let number = unless_none(given, || given.extract::<f64>())?;
    let wrong = |_| errors::argument("seconds", "must be a number of seconds, at least 0 and less than 2^64");
    number.map(Duration::try_from_secs_f64).transpose().map_err(wrong)
}
