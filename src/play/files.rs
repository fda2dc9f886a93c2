//! Games in files.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use yomikiri_play::Record;
use yomikiri_table::TableError;
use yomikiri_table::source::open_file;

/// Bytes of the longest file that is read: thousands of games.
const LONGEST: u64 = 16 << 20;

/// Why a game is not in a file now.
pub enum NotSaved {
    /// There is such a file already.
    Exists,
    Failed(String),
}

/// Writes a text to a file: a new one, or one that is replaced as a whole, so that nothing is lost if that fails.
pub fn write(path: &Path, text: &str, overwrite: bool) -> Result<(), NotSaved> {
    let is_there = path.exists();
    if is_there && !path.is_file() {
        return Err(NotSaved::Failed("is not a file".into()));
    }
    if is_there && overwrite {
        let beside = beside(path);
        let written = create(&beside, text).and_then(|()| fs::rename(&beside, path));
        return written.map_err(|error| {
            // What is left there is of no use to anybody.
            let _ = fs::remove_file(&beside);
            NotSaved::Failed(error.to_string())
        });
    }
    create(path, text).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => NotSaved::Exists,
        _ => NotSaved::Failed(error.to_string()),
    })
}

/// The name of a file in the same folder that nobody else uses.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Makes a new file with a text; if that fails half-way there is none.
fn create(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        let _ = fs::remove_file(path);
    })
}

/// The first game of a file; the error says what is wrong, without the file's name.
pub fn read(path: &Path) -> Result<Record, String> {
    let mut bytes = Vec::new();
    let file = open_file(path).map_err(|error| match error {
        TableError::Io { source, .. } => source.to_string(),
        TableError::Foreign { what, .. } | TableError::Damaged { what, .. } => what,
    })?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("is longer than {LONGEST} bytes"));
    }
    let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_string())?;
    let records = Record::parse_all(&text).map_err(|error| error.to_string())?;
    records.into_iter().next().ok_or("has no game".into())
}
