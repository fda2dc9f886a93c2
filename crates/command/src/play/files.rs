//! Saves and loads games.

use std::path::Path;

use yomikiri_play::Record;
use yomikiri_table::{PartFile, ReadError, Replaceable, TableError, text_file};

/// The maximum length of a file in bytes. A file of this length holds thousands of games.
const LONGEST: u64 = 16 << 20;

/// The reason why a game was not saved.
pub enum NotSaved {
    /// The file exists already.
    Exists,
    Failed(String),
}

/// Writes a text to a file. An existing file is replaced only if `overwrite` is true, and atomically, so that a failure
/// loses nothing. Folders, links, pipes and devices are never replaced.
pub fn write(path: &Path, text: &str, overwrite: bool) -> Result<(), NotSaved> {
    let failed = |error| NotSaved::Failed(what(error));
    Replaceable::AnyFile.check(path).map_err(failed)?;
    if path.exists() && !overwrite {
        return Err(NotSaved::Exists);
    }
    let replace = if overwrite { Replaceable::AnyFile } else { Replaceable::Nothing };
    PartFile::write(path, text.as_bytes(), replace).map_err(failed)
}

/// Reads the first game of a file. The error does not name the file.
pub fn read(path: &Path) -> Result<Record, String> {
    let text = text_file::read(path, LONGEST).map_err(what)?;
    let records = Record::parse_all(&text).map_err(|error| error.to_string())?;
    records.into_iter().next().ok_or("has no game".into())
}

/// Describes an error without the name of the file.
fn what(error: TableError) -> String {
    match error {
        TableError::Io { source, .. } => source.to_string(),
        TableError::Waiting { .. } => ReadError::Waiting.to_string(),
        TableError::Foreign { what, .. } | TableError::Damaged { what, .. } => what,
    }
}
