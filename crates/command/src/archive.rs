//! Reads binary files of recorded games, one game at a time.

use std::io::{self, BufRead, Read};

use yomikiri_rules::{AnyGame, Archive, ArchiveHeader, Archived, ArchivedOf, Notation, TextError};

use super::error::Failure;

/// Reads the recorded games of a file, in the order of the file.
pub struct ArchiveReader<'a, R> {
    game: &'a AnyGame,
    format: Archive<AnyGame>,
    /// The name of the file, for messages.
    name: String,
    reader: R,
    pub head: ArchiveHeader,
    /// The number of games read so far. This is also the serial number of the last game read, counted from 1.
    pub number: u32,
}

impl<'a, R: BufRead> ArchiveReader<'a, R> {
    /// Reads the header of a file. `most` is the largest allowed size of the file in bytes.
    ///
    /// # Errors
    /// If the header is cut off or invalid, or if the games that it announces need more than `most` bytes.
    ///
    /// # Panics
    /// If `game` has no format for recorded games.
    pub fn open(game: &'a AnyGame, name: String, mut reader: R, most: u64) -> Result<ArchiveReader<'a, R>, Failure> {
        let format = game.archive().expect("the game has a format for recorded games");
        let mut head = vec![0; format.header];
        read(&name, &mut reader, &mut head, || "ends within its header".into())?;
        let head = (format.open)(game, &head).map_err(|error| Failure::request(error).named(&name))?;
        let length = format.header as u64 + u64::from(head.games) * format.record as u64;
        if length > most {
            let problem = format!("announces {} games, {length} bytes in all; the limit is {most} bytes", head.games);
            return Err(Failure::request(format!("{name}: header: {problem}")));
        }
        Ok(ArchiveReader { game, format, name, reader, head, number: 0 })
    }

    /// Reads the next game. Returns `None` after the last one. An inner error means that the record of this game is
    /// invalid; the later games can still be read.
    ///
    /// # Errors
    /// If the file has fewer or more games than its header says, or cannot be read.
    pub fn next(&mut self) -> Result<Option<Result<ArchivedOf<AnyGame>, TextError>>, Failure> {
        let ArchiveReader { format, name, reader, head, number, .. } = self;
        if *number == head.games {
            let is_over =
                at_once(|| reader.fill_buf().map(<[u8]>::is_empty)).map_err(|error| unreadable(name, error))?;
            let problem = || {
                Failure::request(format!("{name}: has more data after the {number} games that its header announces"))
            };
            return if is_over { Ok(None) } else { Err(problem()) };
        }
        *number += 1;
        let mut record = vec![0; format.record];
        read(name, reader, &mut record, || format!("ends within game {number} of {}", head.games))?;
        let found = (format.read)(self.game, head, &record);
        Ok(Some(found.map_err(|error| error.within(&format!("game {number}")))))
    }
}

/// Returns the reason why a recorded game has no position with a score: the game was broken off with `empties` empty
/// squares. `head` is the header of the file. The caller puts the name of the game, such as "game 7", before the text.
pub fn broken_off(empties: u8, head: &ArchiveHeader) -> String {
    match head.empties {
        0 => format!("was broken off with {empties} empty squares"),
        wanted => {
            format!(
                "was broken off with {empties} empty squares, but its theoretical score is for {wanted} empty squares"
            )
        }
    }
}

/// Returns true if the name or the first byte of a file shows that the file contains recorded games of `game`. Blocks
/// until the first byte can be read, unless the game has no format for recorded games.
pub fn is_archive(game: &AnyGame, name: &str, reader: &mut impl BufRead) -> io::Result<bool> {
    let Some(format) = game.archive() else { return Ok(false) };
    let first = at_once(|| reader.fill_buf().map(|bytes| bytes.first().copied()))?;
    Ok(format.matches(name, first))
}

/// Calls `read` again each time a signal interrupts it. Returns the first result that is not an interruption.
fn at_once<T>(mut read: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

fn unreadable(name: &str, error: io::Error) -> Failure {
    Failure::work(error).named(name)
}

/// Reads exactly `bytes.len()` bytes. `cut` makes the error text for a file that ends too early.
fn read(name: &str, reader: &mut impl Read, bytes: &mut [u8], cut: impl Fn() -> String) -> Result<(), Failure> {
    reader.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Failure::request(format!("{name}: {}", cut())),
        _ => unreadable(name, error),
    })
}

impl<R> ArchiveReader<'_, R> {
    /// Returns the text of the position that a recorded game has a score for, or an error that says why there is none.
    /// `found` is the result of the last call of [`ArchiveReader::next`].
    pub fn text(&self, found: Result<ArchivedOf<AnyGame>, TextError>) -> Result<String, String> {
        match found.map_err(|error| error.to_string())? {
            Archived::Scored(position, _) => Ok(self.game.position_text(&position)),
            Archived::EndedEarly(empties) => Err(format!("game {}: {}", self.number, broken_off(empties, &self.head))),
        }
    }
}
