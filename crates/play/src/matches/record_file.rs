//! The file of a match: a record for each game, one after the other.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::PlayedGame;
use yomikiri_table::disk::DiskFile;

/// What a loss of power may cost at most.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A file that grows by a record with every game.
pub struct RecordFile {
    path: PathBuf,
    file: DiskFile,
    /// Bytes of whole games.
    length: u64,
    synced: Instant,
}

impl RecordFile {
    /// A new file; one that is there already is not touched, but an error of the kind `AlreadyExists`.
    pub fn create(path: &Path) -> io::Result<RecordFile> {
        let file = DiskFile::create_new(path)?;
        Ok(RecordFile { path: path.into(), file, length: 0, synced: Instant::now() })
    }

    /// Writes a game at once, so that a killed match loses none that was written; where there is no room for all of it,
    /// none of it is left.
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

    /// Has all games on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync().map_err(|error| self.named(error))
    }

    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}
