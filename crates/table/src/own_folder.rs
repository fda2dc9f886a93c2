//! Folders that the program makes for itself and deletes as a whole. A file in them says so; no other folder is deleted.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::regular::{self, Standing};
use super::{Result, TableError, text_file};

/// The name of the file that marks a folder.
pub const MARKER: &str = ".yomikiri";

/// Longer than any marker.
const LONGEST: u64 = 1 << 10;

/// The text of the marker of folders with this purpose.
fn text(purpose: &str) -> String {
    format!("yomikiri {purpose}\n")
}

/// Makes a folder and marks it, or takes the one that is there and has the marker of the same purpose, as
/// "work of a survey". An empty folder is marked. Anything else is refused, a [`TableError::Foreign`].
pub fn take(path: &Path, purpose: &str) -> Result<()> {
    match std::fs::create_dir(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(TableError::io(path)(error)),
        _ => check(path, purpose)?,
    }
    if is_own(path, purpose) { Ok(()) } else { mark(path, purpose) }
}

/// Returns an error, a [`TableError::Foreign`], if something is there that [`take`] would refuse.
pub fn check(path: &Path, purpose: &str) -> Result<()> {
    match regular::standing(path).map_err(TableError::io(path))? {
        Standing::Nothing => Ok(()),
        _ if is_own(path, purpose) || is_blank(path, purpose) => Ok(()),
        _ => Err(foreign(path, purpose)),
    }
}

/// Marks a folder that is known to be the program's by other means, so that it can be deleted.
pub fn mark(path: &Path, purpose: &str) -> Result<()> {
    let marker = path.join(MARKER);
    // A kill may have left the first half of it.
    let mut options = std::fs::OpenOptions::new();
    let file = regular::open_to_write(&marker, options.write(true).create(true).truncate(true));
    let written = file.and_then(|mut file| {
        file.write_all(text(purpose).as_bytes())?;
        file.sync_all()
    });
    written.map_err(TableError::io(&marker))
}

/// Returns true if `path` is a folder, and no link to one, with the marker of this purpose.
pub fn is_own(path: &Path, purpose: &str) -> bool {
    is_folder(path) && text_file::read(&path.join(MARKER), LONGEST).is_ok_and(|found| found == text(purpose))
}

/// Deletes a folder with the marker of this purpose and everything in it, the marker last. It need not be there; one
/// without the marker is refused, unless it is empty.
pub fn remove(path: &Path, purpose: &str) -> Result<()> {
    check(path, purpose)?;
    match delete(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done.map_err(TableError::io(path)),
    }
}

/// As [`remove`], if there is nothing in the folder but the marker.
pub fn remove_if_empty(path: &Path, purpose: &str) -> Result<()> {
    let is_empty = path.read_dir().is_ok_and(|entries| entries.flatten().all(|entry| entry.file_name() == MARKER));
    if is_empty { remove(path, purpose) } else { Ok(()) }
}

/// Returns true if `path` is a folder, and no link to one.
pub fn is_folder(path: &Path) -> bool {
    matches!(regular::standing(path), Ok(Standing::Folder))
}

/// Takes the marker away from a folder that is kept from now on.
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

/// Returns true if a folder holds nothing, or nothing but the first bytes of a marker: nothing is lost with that.
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

fn foreign(path: &Path, purpose: &str) -> TableError {
    let what = match regular::standing(path) {
        Ok(Standing::Folder) => {
            format!("is there and is not the {purpose}: {MARKER} in it does not say so; move it away")
        }
        Ok(other @ Standing::Link) => other.refusal().into(),
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
                assert!(said.contains(&format!("{name}: is ")), "{said}");
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
