//! Errors of reading and writing files.

use std::io;
use std::path::{Path, PathBuf};

use super::address_text::shown;

/// An error about a file, with its path.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A read or a write failed.
    #[error("{}: {}", shown(path), io_text(source))]
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

/// Returns the text of an error of reading or writing. A file that ends before the bytes that are asked for was whole
/// when its length was taken: it has changed since, or the file system lacks a part of it.
pub fn io_text(error: &io::Error) -> String {
    match error.kind() {
        // An error with a text of its own says more.
        io::ErrorKind::UnexpectedEof if error.get_ref().is_none() => {
            "ends too early; it has become shorter while it was read".into()
        }
        _ => error.to_string(),
    }
}

/// The result of reading or writing a file.
pub type Result<T, E = TableError> = std::result::Result<T, E>;

impl TableError {
    /// Returns an error with the same message, to be reported once more.
    pub fn again(&self) -> TableError {
        match self {
            TableError::Io { path, source } => {
                TableError::Io { path: path.clone(), source: io::Error::new(source.kind(), io_text(source)) }
            }
            TableError::Waiting { path } => TableError::Waiting { path: path.clone() },
            TableError::Damaged { path, what } => TableError::Damaged { path: path.clone(), what: what.clone() },
            TableError::Foreign { path, what } => TableError::Foreign { path: path.clone(), what: what.clone() },
        }
    }

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

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_file_that_ends_too_early_is_called_so() {
        let read = [0u8; 3].as_slice().read_exact(&mut [0; 4]).unwrap_err();
        for error in [read, io::ErrorKind::UnexpectedEof.into()] {
            let said = TableError::io(Path::new("x.tbl"))(error).to_string();
            assert_eq!(said, "x.tbl: ends too early; it has become shorter while it was read");
        }
        let own = io::Error::new(io::ErrorKind::UnexpectedEof, "the response ends early");
        assert_eq!(TableError::io(Path::new("x.tbl"))(own).to_string(), "x.tbl: the response ends early");
    }
}
