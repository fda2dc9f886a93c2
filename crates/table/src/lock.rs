//! Locks that allow one run at a time on a table.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Replaceable, Result, TableError, disk, local, platform, regular};

/// The beginning of the error message if another run holds the lock.
pub const AT_WORK: &str = "another run is at work on this";

/// The time between two attempts to take a lock that another process holds.
const PAUSE: Duration = Duration::from_millis(5);

/// The number of attempts of [`RunLock::wait_for`]; their pauses take ten seconds.
const ATTEMPTS: u32 = 2_000;

/// The lock of a run on a table or on other work.
///
/// This is an operating system lock on a file, so it ends with the process. Dropping the lock deletes the file. A
/// killed run leaves its file behind. Such a file locks nothing, and is deleted when the next lock of the same name is
/// dropped.
pub struct RunLock {
    path: PathBuf,
    /// The open lock file. Closing it ends the lock.
    _file: File,
}

impl RunLock {
    /// Locks a table with the file `<base>.lock`. Creates the folder of this file if it is missing.
    ///
    /// # Errors
    ///
    /// Returns an error if another run holds the lock, or if the name is taken by anything but an empty file.
    pub fn take(base: &Path) -> Result<RunLock> {
        RunLock::take_for(base, "table")
    }

    /// Like [`RunLock::take`], but locks work other than a table. Error messages call this work `what`.
    pub fn take_for(base: &Path, what: &str) -> Result<RunLock> {
        let held = || TableError::foreign(&base.with_added_extension("lock"), format!("{AT_WORK} {what}"));
        RunLock::try_take(base)?.ok_or_else(held)
    }

    /// Like [`RunLock::take`], but waits up to ten seconds while another process holds the lock. Use it only for work
    /// that takes milliseconds.
    pub fn wait_for(base: &Path) -> Result<RunLock> {
        for _ in 1..ATTEMPTS {
            if let Some(lock) = RunLock::try_take(base)? {
                return Ok(lock);
            }
            std::thread::sleep(PAUSE);
        }
        RunLock::take_for(base, "file")
    }

    /// Takes the lock, or returns `None` if another process holds it.
    fn try_take(base: &Path) -> Result<Option<RunLock>> {
        let path = base.with_added_extension("lock");
        let folder = base.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if folder.exists() && !folder.is_dir() {
            return Err(TableError::foreign(folder, "is not a folder"));
        }
        local::check(&path)?;
        disk::make_folder(folder)?;
        loop {
            own_lock().check(&path)?;
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(false);
            let file = platform::retry(|| regular::open_to_write(&path, &mut options.clone()));
            let file = file.map_err(TableError::io(&path))?;
            if !platform::try_lock(&file).map_err(|error| unlockable(&path, &error))? {
                return Ok(None);
            }
            // Between opening and locking, the last holder may have deleted the file. Then this lock is on a file
            // without a name, which stops no other run. The loop tries again with a new file.
            if platform::is_named(&file, &path).map_err(TableError::io(&path))? {
                return Ok(Some(RunLock { path, _file: file }));
            }
        }
    }

    /// Returns true if a table has a lock file, either held by a run or left by a killed one. Taking and dropping the
    /// lock deletes a file that a killed run left.
    pub fn is_there(base: &Path) -> bool {
        base.with_added_extension("lock").exists()
    }

    /// Returns true if a run holds the lock of a table.
    pub fn is_taken(base: &Path) -> bool {
        let file = regular::open(&base.with_added_extension("lock"));
        let is_locked = |file: File| platform::try_lock(&file).is_ok_and(|mine| !mine);
        file.ok().flatten().is_some_and(is_locked)
    }
}

/// Returns the rule that recognises lock files. Lock files are empty: a file with contents belongs to another program
/// and must not be deleted.
fn own_lock() -> Replaceable {
    Replaceable::own("a lock of this program", |path| path.metadata().is_ok_and(|meta| meta.len() == 0))
}

/// Returns the error for a file that the system cannot lock.
fn unlockable(path: &Path, error: &io::Error) -> TableError {
    TableError::foreign(path, format!("cannot be locked: {error}"))
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // The file is deleted while the lock is still held. If the deletion fails, the remaining file locks nothing.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

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
        let error = unlockable(Path::new("some.lock"), &ErrorKind::Unsupported.into());
        assert_eq!(error.to_string(), "some.lock: cannot be locked: unsupported");
    }
}
