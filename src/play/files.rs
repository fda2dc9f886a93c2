//! Games in files.

use std::path::Path;

use yomikiri_play::Record;
use yomikiri_table::{Part, Replace, TableError, text_file};

/// Bytes of the longest file that is read: thousands of games.
const LONGEST: u64 = 16 << 20;

/// Why a game is not in a file now.
pub enum NotSaved {
    /// There is such a file already.
    Exists,
    Failed(String),
}

/// Writes a text to a new file, or in place of any file of that name, which is replaced as a whole, so that nothing is
/// lost if that fails. Folders, links, pipes and devices are never replaced.
pub fn write(path: &Path, text: &str, overwrite: bool) -> Result<(), NotSaved> {
    let failed = |error| NotSaved::Failed(what(error));
    Replace::AnyFile.check(path).map_err(failed)?;
    if path.exists() && !overwrite {
        return Err(NotSaved::Exists);
    }
    let replace = if overwrite { Replace::AnyFile } else { Replace::Nothing };
    Part::write(path, text.as_bytes(), replace).map_err(failed)
}

/// The first game of a file; the error says what is wrong, without the file's name.
pub fn read(path: &Path) -> Result<Record, String> {
    let text = text_file::read(path, LONGEST).map_err(what)?;
    let records = Record::parse_all(&text).map_err(|error| error.to_string())?;
    records.into_iter().next().ok_or("has no game".into())
}

/// The problem without the name of the file.
fn what(error: TableError) -> String {
    match error {
        TableError::Io { source, .. } => source.to_string(),
        TableError::Foreign { what, .. } | TableError::Damaged { what, .. } => what,
    }
}
