//! Files whose bytes the caller hands in, whole or in ranges.

use std::collections::BTreeMap;

use serde::Serialize;
use yomikiri_table::source::Ranges;
#[cfg(feature = "values")]
use {
    std::path::PathBuf,
    yomikiri_answer::Excerpt,
    yomikiri_rules::AnyGame,
    yomikiri_search::opening::OpeningFile,
    yomikiri_search::{Searchable, Strategy},
    yomikiri_table::{Result, Table, TableError, probe},
};

/// The open files, each identified by a number.
#[derive(Default)]
pub struct Files {
    open: BTreeMap<u32, Ranges>,
    next: u32,
}

/// A range of a file that an answer needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Wanted {
    /// The number that identifies the file.
    pub file: u32,
    /// The offset of the first byte.
    pub start: u64,
    /// The offset after the last byte.
    pub end: u64,
}

impl Files {
    /// Adds a file of `length` bytes, which are all missing at first. Returns the number that identifies it.
    pub fn open(&mut self, length: u64) -> u32 {
        let number = self.next;
        self.next += 1;
        self.open.insert(number, Ranges::new(length));
        number
    }

    /// Hands in bytes of a file, which begin at `offset`. Ignores bytes of a file that is not open.
    pub fn give(&self, file: u32, offset: u64, bytes: Vec<u8>) {
        if let Some(file) = self.open.get(&file) {
            file.give(offset, bytes);
        }
    }

    /// Closes a file and discards its bytes.
    pub fn close(&mut self, file: u32) {
        self.open.remove(&file);
    }

    /// Returns the ranges of files that were needed since the last call, but whose bytes had not been handed in.
    pub fn wanted(&self) -> Vec<Wanted> {
        let of_file = |(&file, ranges): (&u32, &Ranges)| {
            let wanted = ranges.wanted().into_iter();
            wanted.map(|range| Wanted { file, start: range.start, end: range.end }).collect::<Vec<_>>()
        };
        self.open.iter().flat_map(of_file).collect()
    }
}

#[cfg(feature = "values")]
impl Files {
    /// Opens a file as a table of a game. A file that is not open is an error.
    pub fn table(&self, game: &AnyGame, file: u32) -> Result<Table> {
        probe::open_source(game, self.find(file)?, &name(file))
    }

    /// Opens a file as an excerpt of a table of a game. A file that is not open is an error.
    pub fn excerpt<'a>(&self, game: &'a AnyGame, file: u32) -> Result<Excerpt<'a>> {
        Excerpt::open(game, Box::new(self.find(file)?), &name(file))
    }

    /// Opens a file as a certificate of a game. A file that is not open is an error.
    pub fn certificate(&self, game: &AnyGame, file: u32) -> Result<Box<dyn Strategy<AnyGame>>> {
        game.strategy(Box::new(self.find(file)?), &name(file))
    }

    /// Opens a file as an [`OpeningFile`] of a game. A file that is not open is an error.
    pub fn opening(&self, game: &AnyGame, file: u32) -> Result<Box<dyn Strategy<AnyGame>>> {
        Ok(Box::new(OpeningFile::open(game, Box::new(self.find(file)?), &name(file))?))
    }

    fn find(&self, file: u32) -> Result<Ranges> {
        self.open.get(&file).cloned().ok_or_else(|| TableError::foreign(&name(file), "is not open"))
    }
}

/// Returns the name of a file in error messages.
#[cfg(feature = "values")]
fn name(file: u32) -> PathBuf {
    format!("file {file}").into()
}
