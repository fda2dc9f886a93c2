//! The file with the records of a match, one game after another.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::PlayedGame;
use yomikiri_table::disk::DiskFile;

/// The interval between two syncs to the disk. A power failure loses at most the records of one interval.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A file to which the record of every game is appended.
pub struct RecordFile {
    path: PathBuf,
    file: DiskFile,
    /// The length in bytes of all complete records.
    length: u64,
    synced: Instant,
}

impl RecordFile {
    /// Creates the file. If it exists, leaves it as it is and returns an error of kind `AlreadyExists`.
    pub fn create(path: &Path) -> io::Result<RecordFile> {
        let file = DiskFile::create_new(path)?;
        Ok(RecordFile { path: path.into(), file, length: 0, synced: Instant::now() })
    }

    /// Appends the record of a game. Writes it immediately, so that it is kept if the match is killed. After a write
    /// error, the file ends with the last complete record.
    pub fn add(&mut self, played: &PlayedGame) -> io::Result<()> {
        let gap = if played.number == 0 { "" } else { "\n" };
        let opening = match played.opening {
            0 => String::new(),
            1 => ", opening of 1 ply".into(),
            plies => format!(", opening of {plies} plies"),
        };
        let text = format!("{gap}# game {}{opening}\n{}", played.number + 1, played.record.text());
        let written = self.file.write_all_at(text.as_bytes(), self.length);
        let written = written.or_else(|error| self.file.set_len(self.length).and(Err(error)));
        written.map_err(|error| self.named(error))?;
        self.length += text.len() as u64;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Syncs all records to the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync().map_err(|error| self.named(error))
    }

    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}
