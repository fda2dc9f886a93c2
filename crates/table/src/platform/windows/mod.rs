//! Windows.

#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use write::{is_named, retry, sync_folder, try_lock, write_all_at};

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::windows::fs::FileExt;

/// Fills `bytes` from the file at `offset`. Returns an error if the file ends before `bytes` is full. Several threads
/// may read at once, because each read names its offset.
pub fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_read(bytes, offset) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                bytes = &mut bytes[count..];
                offset += count as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns the options unchanged, because opening a pipe does not block on Windows.
pub fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Returns true if an open file is a regular file, not a folder, a pipe, or a device such as `NUL`.
pub fn is_regular(file: &File) -> io::Result<bool> {
    Ok(winapi_util::file::typ(file)?.is_disk() && file.metadata()?.is_file())
}
