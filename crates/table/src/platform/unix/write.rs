//! Writing to files, locks on files, and names of files.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

/// Writes all of `bytes` at `offset`. Extends the file if it is too short.
pub fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// Tries to lock a file against other runs. Returns false if another open file holds the lock. The lock ends when the
/// file is closed, at the latest when the process ends. Reading and writing need no lock.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Returns true if `path` is a name of this open file. A file that another run has deleted has no name.
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    let mine = file.metadata()?;
    Ok(std::fs::metadata(path).is_ok_and(|named| (named.dev(), named.ino()) == (mine.dev(), mine.ino())))
}

/// Syncs a folder, so that changes to names in it are on the disk.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Runs `change`, which opens, renames or deletes a file, once. No retry is needed: unlike on Windows, `change` does
/// not fail because another program has the file open.
pub fn retry<T>(change: impl Fn() -> io::Result<T>) -> io::Result<T> {
    change()
}
