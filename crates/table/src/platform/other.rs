//! Targets without an operating system, such as WebAssembly.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};

/// Fills `bytes` from the file at `offset`. Returns an error if the file ends before `bytes` is full. Moves the
/// position of the file, so only one thread may read at a time; these targets have only one thread.
pub fn read_exact_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

/// Returns the options unchanged: opening a file cannot block, because these targets have no pipes.
pub fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Returns true if an open file is a regular file.
pub fn is_regular(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.is_file())
}
