//! Opens files for writing.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::{NO_FILE, open_as};

/// The kind of file with a given name. Symbolic links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Nothing,
    File,
    Folder,
    Link,
    /// A device, a pipe or a socket.
    Other,
}

impl FileKind {
    /// The error message about writing to a file of this kind. The kind must be neither [`FileKind::Nothing`] nor
    /// [`FileKind::File`].
    pub fn refusal(self) -> &'static str {
        match self {
            FileKind::Folder => "is a folder",
            FileKind::Link => "is a symbolic link, which would be replaced; name the file that it points to",
            _ => NO_FILE,
        }
    }
}

/// Finds the kind of a file without opening it.
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
pub fn check(path: &Path) -> io::Result<()> {
    match standing(path)? {
        FileKind::Nothing | FileKind::File => Ok(()),
        other => Err(io::Error::other(other.refusal())),
    }
}

/// Opens a file for writing with the given options. Links, folders, pipes, sockets and devices are errors.
pub fn open_to_write(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    check(path)?;
    open_as(path, options)?.ok_or_else(|| io::Error::other(NO_FILE))
}
