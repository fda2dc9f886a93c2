//! Linux, macOS and other Unix systems.

#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use write::{is_named, retry, sync_folder, try_lock, write_all_at};

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use rustix::fs::OFlags;

/// Fills `bytes` from the file at `offset`. Returns an error if the file ends before `bytes` is full. Several threads
/// may read at once.
pub fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(bytes, offset)
}

/// Makes opening a pipe fail or return at once, instead of waiting for its other end. Has no effect on regular files.
pub fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32)
}

/// Returns true if an open file is a regular file, not a folder, a device or a pipe.
pub fn is_regular(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.is_file())
}
