//! Types of arguments that several functions share.

use std::path::PathBuf;

use pyo3::prelude::*;
use yomikiri_table::memory;

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
    /// Reads a game, a rule code or a path. A string is a path if it ends with `ending`.
    pub fn read(given: &Bound<'_, PyAny>, ending: &str) -> PyResult<GameOrFile> {
        match given.extract() {
            Ok(GameOrCode::Code(path)) if path.ends_with(ending) => Ok(GameOrFile::File(path.into())),
            Ok(game) => game.game().map(GameOrFile::Game),
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
            Err(_) => given.extract().map_err(|_| errors::type_error("a number or a string such as \"8G\"", &given))?,
        };
        if bytes == 0 { Err(errors::argument("memory", "must not be 0")) } else { Ok(Memory(bytes)) }
    }
}

impl Memory {
    /// Returns the number of bytes asked for, or an error if the machine does not have that much memory. If `asked` is
    /// `None`, returns `usual`, halved until the machine has that much.
    pub fn bytes(asked: Option<Memory>, usual: u64) -> PyResult<u64> {
        memory::requested_or(asked.map(|Memory(bytes)| bytes), usual).map_err(errors::solve)
    }
}
