//! The file of records.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use yomikiri_play::contest::Bout;

use crate::error::Failure;

/// A file that grows by a record with every game.
pub struct Records {
    path: PathBuf,
    file: File,
}

impl Records {
    /// A new file; one that is there already is not touched.
    pub fn create(path: PathBuf) -> Result<Records, Failure> {
        match File::create_new(&path) {
            Ok(file) => Ok(Records { path, file }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Failure::Request(format!("{}: is there already; records go to a new file", path.display())))
            }
            Err(error) => Err(Failure::Work(format!("{}: {error}", path.display()))),
        }
    }

    /// Writes a game at once, so that a killed run loses none that was written.
    pub fn add(&mut self, bout: &Bout) -> io::Result<()> {
        let gap = if bout.number == 0 { "" } else { "\n" };
        let opening = match bout.opening {
            0 => String::new(),
            1 => ", opening of 1 ply".into(),
            plies => format!(", opening of {plies} plies"),
        };
        let text = format!("{gap}# game {}{opening}\n{}", bout.number + 1, bout.record.text());
        let fail = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display()));
        self.file.write_all(text.as_bytes()).map_err(fail)
    }
}
