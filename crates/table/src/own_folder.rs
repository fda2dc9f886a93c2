//! Folders that the program creates and deletes as a whole. A marker file in each identifies it; the program deletes no
//! other folder.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::regular::{self, FileKind};
use super::{Result, TableError, local, text_file};

/// Name of the marker file.
pub const MARKER: &str = ".yomikiri";

/// Maximum length of a marker in bytes.
const LONGEST: u64 = 1 << 10;

/// Returns the contents of the marker file of a folder with this purpose.
pub(super) fn text(purpose: &str) -> String {
    format!("yomikiri {purpose}\n")
}

/// Creates and marks a folder, or takes an existing one with the marker of this purpose. Also takes and marks an
/// existing folder that is empty, or that holds only a truncated marker of this purpose. `purpose` describes the
/// contents, such as "work of a survey".
///
/// # Errors
///
/// Returns [`TableError::Foreign`] for any other folder or file.
pub fn take(path: &Path, purpose: &str) -> Result<()> {
    local::check(path)?;
    match std::fs::create_dir(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(TableError::io(path)(error)),
        _ => check(path, purpose)?,
    }
    if is_own(path, purpose) { Ok(()) } else { mark(path, purpose) }
}

/// Returns [`TableError::Foreign`] if [`take`] would refuse `path`.
pub fn check(path: &Path, purpose: &str) -> Result<()> {
    local::check(path)?;
    match regular::standing(path).map_err(TableError::io(path))? {
        FileKind::Nothing => Ok(()),
        _ if is_own(path, purpose) || is_blank(path, purpose) => Ok(()),
        _ => Err(foreign(path, purpose)),
    }
}

/// Marks a folder, so that the program may delete it. The caller must be certain that it belongs to the program.
pub fn mark(path: &Path, purpose: &str) -> Result<()> {
    let marker = path.join(MARKER);
    // A killed run may have left a truncated marker.
    let mut options = std::fs::OpenOptions::new();
    let file = regular::open_to_write(&marker, options.write(true).create(true).truncate(true));
    let written = file.and_then(|mut file| {
        file.write_all(text(purpose).as_bytes())?;
        file.sync_all()
    });
    written.map_err(TableError::io(&marker))
}

/// Returns true if `path` is a folder, not a link to one, with the marker of this purpose.
pub fn is_own(path: &Path, purpose: &str) -> bool {
    is_folder(path) && text_file::read(&path.join(MARKER), LONGEST).is_ok_and(|found| found == text(purpose))
}

/// Deletes a marked folder and everything in it, the marker last. Does nothing if the folder does not exist.
///
/// # Errors
///
/// Returns an error if [`take`] would refuse the folder.
pub fn remove(path: &Path, purpose: &str) -> Result<()> {
    check(path, purpose)?;
    match delete(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done.map_err(TableError::io(path)),
    }
}

/// Like [`remove`], but keeps a folder that holds anything besides the marker.
pub fn remove_if_empty(path: &Path, purpose: &str) -> Result<()> {
    let is_empty = path.read_dir().is_ok_and(|entries| entries.flatten().all(|entry| entry.file_name() == MARKER));
    if is_empty { remove(path, purpose) } else { Ok(()) }
}

/// Returns true if `path` is a folder, not a link to one.
pub fn is_folder(path: &Path) -> bool {
    matches!(regular::standing(path), Ok(FileKind::Folder))
}

/// Removes the marker of a folder that is to be kept.
pub fn unmark(path: &Path) -> Result<()> {
    let marker = path.join(MARKER);
    std::fs::remove_file(&marker).map_err(TableError::io(&marker))
}

fn delete(path: &Path) -> io::Result<()> {
    let marker = path.join(MARKER);
    for entry in path.read_dir()? {
        let entry = entry?;
        match entry.path() {
            path if path == marker => {}
            path if entry.file_type()?.is_dir() => std::fs::remove_dir_all(path)?,
            path => std::fs::remove_file(path)?,
        }
    }
    match std::fs::remove_file(marker) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::remove_dir(path)
}

/// Returns true if a folder is empty, or holds only a marker of this purpose that a killed run has truncated. Taking
/// such a folder loses nothing.
fn is_blank(path: &Path, purpose: &str) -> bool {
    if !is_folder(path) {
        return false;
    }
    let Ok(entries) = path.read_dir() else { return false };
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    paths.is_ok_and(|paths| {
        let is_begun =
            |path: &Path| text_file::read(path, LONGEST).is_ok_and(|found| text(purpose).starts_with(&found));
        paths.iter().all(|entry| *entry == path.join(MARKER) && is_begun(entry))
    })
}

/// Returns the error for a folder that should have the marker of this purpose but lacks it.
pub(super) fn unmarked(path: &Path, purpose: &str) -> TableError {
    match regular::standing(path) {
        Ok(FileKind::Nothing) => TableError::foreign(path, format!("does not exist; the {purpose} should be there")),
        _ => foreign(path, purpose),
    }
}

/// Returns the error message for a folder that holds files and lacks the marker of this purpose.
pub(super) fn problem(purpose: &str) -> String {
    format!("exists and has no {MARKER} file that marks it as the {purpose}; move it away")
}

fn foreign(path: &Path, purpose: &str) -> TableError {
    let what = match regular::standing(path) {
        Ok(FileKind::Folder) => problem(purpose),
        Ok(other @ FileKind::Link) => other.refusal().into(),
        _ => "is not a folder; move it away".into(),
    };
    TableError::foreign(path, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_folders_are_neither_taken_nor_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("foreign/below")).unwrap();
        std::fs::write(path("file"), "a letter").unwrap();
        take(&path("other"), "another purpose").unwrap();
        take(&path("own"), "work").unwrap();
        std::os::unix::fs::symlink(path("own"), path("link")).unwrap();
        for name in ["foreign", "file", "other", "link"] {
            for refused in [take(&path(name), "work"), remove(&path(name), "work")] {
                let said = refused.unwrap_err().to_string();
                let is_named = ["is ", "exists and has no .yomikiri file "]
                    .iter()
                    .any(|what| said.contains(&format!("{name}: {what}")));
                assert!(is_named, "{said}");
            }
            assert!(path(name).exists());
        }
        assert!(path("foreign/below").is_dir() && is_own(&path("own"), "work"));
        std::fs::create_dir_all(path("own/below")).unwrap();
        std::fs::write(path("own/below/file"), "").unwrap();
        take(&path("own"), "work").unwrap();
        remove(&path("own"), "work").unwrap();
        assert!(!path("own").exists());
        remove(&path("own"), "work").unwrap();
    }

    #[test]
    fn an_interrupted_beginning_is_taken_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work");
        for begun in [None, Some(""), Some("yomi")] {
            std::fs::create_dir(&path).unwrap();
            begun.inspect(|text| std::fs::write(path.join(MARKER), text).unwrap());
            take(&path, "work").unwrap();
            assert!(is_own(&path, "work"));
            remove(&path, "work").unwrap();
        }
    }
}
