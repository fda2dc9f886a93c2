//! Opening files, and nothing but files: a pipe would be waited for, and a device has no end.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// What is said of anything else.
pub const NO_FILE: &str = "is not a file";

/// Opens a file as the options say, at once; `None` if the name stands for a folder, a pipe, a socket or a device.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    // Looked at before, since some devices act when they are opened; and after, since the name may stand for
    // something else by then.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Ok(None);
    }
    let file = without_waiting(options).open(path)?;
    let is_file = file.metadata()?.is_file();
    Ok(is_file.then_some(file))
}

/// Has a pipe without anybody at its other end opened all the same, or refused. Files do not care.
#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32)
}

#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
