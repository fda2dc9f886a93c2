//! Errors of reading and writing files.

use std::io;
use std::path::{Path, PathBuf};

use super::address_text::shown;

/// An error about a file, with its path.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A read or a write failed.
    #[error("{}: {source}", shown(path))]
    Io {
        /// The path or address of the file. Messages hide the secrets in an address.
        path: PathBuf,
        /// The error of the operating system, or of the source from which the bytes of the file are read.
        source: io::Error,
    },
    /// The caller supplies the bytes of the file ([`Ranges`](crate::source::Ranges)) and has not yet supplied all bytes
    /// that the call needs. The caller can supply these bytes and repeat the call.
    #[error("{}: {}", shown(path), ReadError::Waiting)]
    Waiting {
        /// The path or address of the file. Messages hide the secrets in an address.
        path: PathBuf,
    },
    /// The contents of the file are inconsistent, such as a checksum that does not match.
    #[error("{}: damaged: {what}", shown(path))]
    Damaged {
        /// The path or address of the file. Messages hide the secrets in an address.
        path: PathBuf,
        /// The damage, worded to follow the path and "damaged:".
        what: String,
    },
    /// The file cannot be used for another reason, such as a different format or rule code, or a name that is taken.
    #[error("{}: {what}", shown(path))]
    Foreign {
        /// The path or address of the file. Messages hide the secrets in an address.
        path: PathBuf,
        /// The reason, worded to follow the path and a colon.
        what: String,
    },
}

/// The result of reading or writing a file.
pub type Result<T, E = TableError> = std::result::Result<T, E>;

impl TableError {
    /// Returns a function that turns an I/O error about the file `path` into [`TableError::Io`].
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> TableError + '_ {
        move |source| TableError::Io { path: path.to_path_buf(), source }
    }

    /// Returns a function that turns an error of reading the bytes of the file `path` into a table error.
    pub fn read(path: &Path) -> impl FnOnce(ReadError) -> TableError + '_ {
        move |error| match error {
            ReadError::Io(source) => TableError::io(path)(source),
            ReadError::Waiting => TableError::Waiting { path: path.to_path_buf() },
        }
    }

    /// Returns true for [`TableError::Waiting`].
    pub fn is_waiting(&self) -> bool {
        matches!(self, TableError::Waiting { .. })
    }

    /// Creates [`TableError::Damaged`].
    pub fn damaged(path: &Path, what: impl Into<String>) -> TableError {
        TableError::Damaged { path: path.to_path_buf(), what: what.into() }
    }

    /// Creates [`TableError::Foreign`].
    pub fn foreign(path: &Path, what: impl Into<String>) -> TableError {
        TableError::Foreign { path: path.to_path_buf(), what: what.into() }
    }
}

/// The reason why a source of bytes ([`ReadAt`](crate::source::ReadAt)) cannot return the bytes of a range.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The read failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The source lacks the bytes; the caller must supply them: see [`Ranges`](crate::source::Ranges).
    #[error("operation would block")]
    Waiting,
}

impl From<io::ErrorKind> for ReadError {
    fn from(kind: io::ErrorKind) -> ReadError {
        ReadError::Io(kind.into())
    }
}
