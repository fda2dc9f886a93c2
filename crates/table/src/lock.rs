//! One run at a time on a table.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::{Replace, Result, TableError, regular};

/// Held by the run that makes a table, or keeps another kind of work. The operating system keeps the lock, so that it ends
/// with the process in any case; the lock file is deleted when it is dropped. A file that a killed run left locks nothing,
/// and the next one that takes the lock deletes it.
pub struct RunLock {
    path: PathBuf,
    /// Keeps the lock of the operating system.
    _file: File,
}

impl RunLock {
    /// Takes `<base>.lock` for a table, making the folder if need be.
    pub fn take(base: &Path) -> Result<RunLock> {
        RunLock::take_for(base, "table")
    }

    /// [`RunLock::take`] for something else than a table: `what` is what it is called.
    pub fn take_for(base: &Path, what: &str) -> Result<RunLock> {
        let path = base.with_added_extension("lock");
        let folder = base.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if folder.exists() && !folder.is_dir() {
            return Err(TableError::foreign(folder, "is not a folder"));
        }
        std::fs::create_dir_all(folder).map_err(TableError::io(folder))?;
        loop {
            own_lock().check(&path)?;
            let file = regular::open_to_write(&path, OpenOptions::new().write(true).create(true).truncate(false));
            let file = file.map_err(TableError::io(&path))?;
            file.try_lock().map_err(|error| refusal(error, &path, what))?;
            // Between opening and locking, the last holder may have deleted the file: then the lock is on a file that
            // nobody else can find, and a new one must be taken.
            let mine = file.metadata().map_err(TableError::io(&path))?.ino();
            if std::fs::metadata(&path).is_ok_and(|named| named.ino() == mine) {
                return Ok(RunLock { path, _file: file });
            }
        }
    }

    /// Returns true if a table has a lock file, whether a run holds it or a killed run left it. Taking the lock and
    /// dropping it deletes a file that was left.
    pub fn is_there(base: &Path) -> bool {
        base.with_added_extension("lock").exists()
    }

    /// Whether a run holds the lock of a table.
    pub fn is_taken(base: &Path) -> bool {
        let file = regular::open(&base.with_added_extension("lock"));
        let is_locked = |file: File| matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        file.ok().flatten().is_some_and(is_locked)
    }
}

/// Locks are empty files. One that holds anything belongs to somebody else, and must not go with the lock.
fn own_lock() -> Replace {
    Replace::own("a lock of this program", |path| path.metadata().is_ok_and(|meta| meta.len() == 0))
}

/// Why there is no lock.
fn refusal(error: TryLockError, path: &Path, what: &str) -> TableError {
    let why = match error {
        TryLockError::WouldBlock => format!("another run is at work on this {what}"),
        TryLockError::Error(error) => format!("cannot be locked: {error}"),
    };
    TableError::foreign(path, why)
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // While the lock is still held; a file that cannot be deleted locks nothing once the run is over.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::*;

    #[test]
    fn a_file_that_a_killed_run_left_locks_nothing_and_goes_with_the_next_lock() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("some");
        std::fs::write(folder.path().join("some.lock"), "").unwrap();
        assert!(RunLock::is_there(&base) && !RunLock::is_taken(&base));
        let held = RunLock::take(&base).unwrap();
        assert!(RunLock::is_taken(&base));
        drop(held);
        assert!(!RunLock::is_there(&base));
    }

    #[test]
    fn only_a_lock_that_is_held_speaks_of_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("some");
        let _held = RunLock::take(&base).unwrap();
        let Err(error) = RunLock::take(&base) else { panic!("two locks") };
        assert!(RunLock::is_taken(&base) && !RunLock::is_taken(&folder.path().join("other")));
        assert!(error.to_string().ends_with("some.lock: another run is at work on this table"), "{error}");
        let error = refusal(TryLockError::Error(Error::from(ErrorKind::Unsupported)), Path::new("some.lock"), "table");
        assert_eq!(error.to_string(), "some.lock: cannot be locked: unsupported");
    }
}
