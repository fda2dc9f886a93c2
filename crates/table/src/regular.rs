//! Opening files, and nothing but files: a pipe would be waited for, and a device has no end.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// The problem with a device, a pipe or a socket.
pub const NO_FILE: &str = "is not a file";

/// What a name stands for, itself and not what it may point to.
#[cfg(feature = "write")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Nothing,
    File,
    Folder,
    Link,
    /// A device, a pipe or a socket.
    Other,
}

#[cfg(feature = "write")]
impl Standing {
    /// The problem with anything that is not a file, where one is written.
    pub fn refusal(self) -> &'static str {
        match self {
            Standing::Folder => "is a folder",
            Standing::Link => "is a symbolic link, which would be replaced; name the file that it points to",
            _ => NO_FILE,
        }
    }
}

/// Looks at a name without opening anything.
#[cfg(feature = "write")]
pub fn standing(path: &Path) -> io::Result<Standing> {
    let kind = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Standing::Nothing),
        found => found?.file_type(),
    };
    Ok(match kind {
        _ if kind.is_file() => Standing::File,
        _ if kind.is_dir() => Standing::Folder,
        _ if kind.is_symlink() => Standing::Link,
        _ => Standing::Other,
    })
}

/// Returns an error unless the name stands for a regular file or for nothing.
#[cfg(feature = "write")]
pub fn check(path: &Path) -> io::Result<()> {
    match standing(path)? {
        Standing::Nothing | Standing::File => Ok(()),
        other => Err(io::Error::other(other.refusal())),
    }
}

/// Opens a file for reading, at once, also through a link; `None` if the name stands for a folder, a pipe, a socket or a
/// device.
pub fn open(path: &Path) -> io::Result<Option<File>> {
    open_as(path, OpenOptions::new().read(true))
}

/// Opens a file for writing as the options say. Links, folders, pipes, sockets and devices are errors.
#[cfg(feature = "write")]
pub fn open_to_write(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    check(path)?;
    open_as(path, options)?.ok_or_else(|| io::Error::other(NO_FILE))
}

fn open_as(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
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
