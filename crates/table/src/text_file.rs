//! Reads regular files as a whole, up to a length that the caller sets.

use std::io::{ErrorKind, Read};
use std::path::Path;

use super::source::open_file;
use super::{Result, TableError};

/// Returns all bytes of a file, which must not be longer than `most` bytes.
///
/// # Errors
///
/// Returns [`TableError::Foreign`] for a folder, pipe, socket or device, without opening it, and for a longer file,
/// after reading `most` + 1 bytes.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_file(path)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(TableError::io(path))?;
    if bytes.len() as u64 > most {
        return Err(TableError::foreign(path, format!("is longer than {most} bytes")));
    }
    Ok(bytes)
}

/// Returns the text of a file of at most `most` bytes, with the errors of [`read_bytes`]. Text that is not UTF-8 is an
/// error.
pub fn read(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(read_bytes(path, most)?).map_err(|_| TableError::foreign(path, "is not UTF-8"))
}

/// Like [`read`], but returns `None` if the file does not exist.
pub fn read_if_there(path: &Path, most: u64) -> Result<Option<String>> {
    match read(path, most) {
        Err(TableError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        text => text.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read_and_only_to_their_longest_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        assert!(read_if_there(&path, 10).unwrap().is_none() && read(&path, 10).is_err());
        std::fs::write(&path, "0123456789").unwrap();
        assert_eq!(read(&path, 10).unwrap(), "0123456789");
        assert!(read(&path, 9).unwrap_err().to_string().ends_with("text: is longer than 9 bytes"));
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read(&path, 9).unwrap_err().to_string().ends_with("text: is not UTF-8"));
        for other in [folder.path(), Path::new("/dev/zero"), Path::new("/dev/null")] {
            assert!(read(other, 10).unwrap_err().to_string().ends_with(": is not a regular file"));
        }
    }
}
