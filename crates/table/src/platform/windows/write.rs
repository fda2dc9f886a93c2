//! Writing to files, locks on files, and names of files.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::windows::fs::FileExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use std::time::Duration;

use windows_sys::Win32::Foundation::{ERROR_LOCK_VIOLATION, ERROR_SHARING_VIOLATION};
use windows_sys::Win32::Storage::FileSystem::{LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx};
use windows_sys::Win32::System::IO::OVERLAPPED;

/// Writes all of `bytes` at `offset`. Extends the file if it is too short.
pub fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_write(bytes, offset) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => {
                bytes = &bytes[count..];
                offset += count as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Tries to lock a file against other runs. Returns false if another open file holds the lock. The lock ends when the
/// file is closed, at the latest when the process ends.
///
/// Windows denies other file handles access to locked bytes. `File::try_lock` would lock all bytes and so block reads
/// and writes. This function locks only one byte, at an offset that no file reaches. So the lock is advisory, as a lock
/// on Unix is.
#[allow(unsafe_code)]
pub fn try_lock(file: &File) -> io::Result<bool> {
    const OFFSET: u64 = i64::MAX as u64 - 1;
    let mut place = OVERLAPPED::default();
    place.Anonymous.Anonymous.Offset = OFFSET as u32;
    place.Anonymous.Anonymous.OffsetHigh = (OFFSET >> 32) as u32;
    let flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the handle is open as long as `file` is borrowed, and `place` outlives the call, which returns at once
    // because the file was not opened for overlapped use.
    if unsafe { LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &mut place) } != 0 {
        return Ok(true);
    }
    match io::Error::last_os_error() {
        error if error.raw_os_error() == Some(ERROR_LOCK_VIOLATION as i32) => Ok(false),
        error => Err(error),
    }
}

/// Returns true if `path` is a name of this open file. A file that another run has deleted has no name.
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    let identity =
        |file: &File| winapi_util::file::information(file).map(|file| (file.volume_serial_number(), file.file_index()));
    let mine = identity(file)?;
    Ok(File::open(path).and_then(|named| identity(&named)).is_ok_and(|named| named == mine))
}

/// Does nothing: the file system journals changes to names, and Windows cannot sync folders.
pub fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Runs `change`, which opens, renames or deletes a file. Retries it for about 0.2 seconds while another program, such
/// as a virus scanner, has the file open, or while a file of the same name is being deleted.
pub fn retry<T>(change: impl Fn() -> io::Result<T>) -> io::Result<T> {
    const TRIES: usize = 20;
    const PAUSE: Duration = Duration::from_millis(10);
    for _ in 1..TRIES {
        match change() {
            Err(error) if is_in_use(&error) => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
    change()
}

fn is_in_use(error: &io::Error) -> bool {
    error.kind() == ErrorKind::PermissionDenied || error.raw_os_error() == Some(ERROR_SHARING_VIOLATION as i32)
}
