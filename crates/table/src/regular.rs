//! Opens regular files and nothing else: opening a pipe may block, and a device may have no end.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// The error message about a device, a pipe or a socket.
pub const NO_FILE: &str = "is not a regular file";

/// The kind of file with a given name. Symbolic links are not followed.
#[cfg(feature = "write")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Nothing,
    File,
    Folder,
    Link,
    /// A device, a pipe or a socket.
    Other,
}

#[cfg(feature = "write")]
impl FileKind {
    /// The error message about writing to a file of this kind, which must not be a regular file.
    pub fn refusal(self) -> &'static str {
        match self {
            FileKind::Folder => "is a folder",
            FileKind::Link => "is a symbolic link, which would be replaced; name the file that it points to",
            _ => NO_FILE,
        }
    }
}

/// Finds the kind of a file without opening it.
#[cfg(feature = "write")]
pub fn standing(path: &Path) -> io::Result<FileKind> {
    let kind = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FileKind::Nothing),
        found => found?.file_type(),
    };
    Ok(match kind {
        _ if kind.is_file() => FileKind::File,
        _ if kind.is_dir() => FileKind::Folder,
        _ if kind.is_symlink() => FileKind::Link,
        _ => FileKind::Other,
    })
}

/// Returns an error unless `path` is a regular file or does not exist.
#[cfg(feature = "write")]
pub fn check(path: &Path) -> io::Result<()> {
    match standing(path)? {
        FileKind::Nothing | FileKind::File => Ok(()),
        other => Err(io::Error::other(other.refusal())),
    }
}

/// Opens a file for reading without blocking. Follows symbolic links. Returns `None` for a folder, pipe, socket or
/// device.
pub fn open(path: &Path) -> io::Result<Option<File>> {
    open_as(path, OpenOptions::new().read(true))
}

/// Opens a file for writing with the given options. Links, folders, pipes, sockets and devices are errors.
#[cfg(feature = "write")]
pub fn open_to_write(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    check(path)?;
    open_as(path, options)?.ok_or_else(|| io::Error::other(NO_FILE))
}

fn open_as(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    // Checked before opening, because opening some devices has an effect. Checked again afterwards, because another
    // file may have got the name meanwhile.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Ok(None);
    }
    let file = without_waiting(options).open(path)?;
    let is_file = file.metadata()?.is_file();
    Ok(is_file.then_some(file))
}

/// Makes opening a pipe fail or return at once, instead of waiting for its other end. Has no effect on regular files.
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
