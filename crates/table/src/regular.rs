//! Opens regular files and nothing else: opening a pipe may block, and a device may have no end.

#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use write::{FileKind, check, open_to_write, standing};

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::platform;

/// The error message about a file that is not regular, such as a device, a pipe or a socket.
pub const NO_FILE: &str = "is not a regular file";

/// Opens a file for reading without blocking. Follows symbolic links. Returns `None` for a folder, pipe, socket or
/// device.
pub fn open(path: &Path) -> io::Result<Option<File>> {
    open_as(path, OpenOptions::new().read(true))
}

fn open_as(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    // Checked before opening, because opening some devices has an effect. Checked again afterwards, because another
    // file may have got the name meanwhile.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Ok(None);
    }
    let file = platform::without_waiting(options).open(path)?;
    Ok(platform::is_regular(&file)?.then_some(file))
}
