//! Which certificates have been checked: a file beside them with the hash of each that has passed.
//!
//! A line has the header hash of a file, 16 hexadecimal digits, and the name that it had.

use std::path::{Path, PathBuf};

#[cfg(feature = "write")]
use {
    super::{Part, Result, TableError},
    std::io::Write,
};

/// Name of the file.
const NAME: &str = "checked";

/// Longest file that is read in bytes.
const MAX_LENGTH: u64 = 1 << 24;

fn place(path: &Path) -> PathBuf {
    path.with_file_name(NAME)
}

fn lines(path: &Path) -> String {
    let place = place(path);
    let is_list = place.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= MAX_LENGTH);
    if is_list { std::fs::read_to_string(&place).unwrap_or_default() } else { String::new() }
}

/// Whether a file of this header hash in the folder of `path` has passed a check.
pub fn is_checked(path: &Path, hash: u64) -> bool {
    let hash = format!("{hash:016x}");
    lines(path).lines().any(|line| line.split(' ').next() == Some(&hash))
}

/// Notes that the file at `path`, of this header hash, has passed a check.
#[cfg(feature = "write")]
pub fn note_checked(path: &Path, hash: u64) -> Result<()> {
    if is_checked(path, hash) {
        return Ok(());
    }
    let place = place(path);
    let name = path.file_name().unwrap_or_default().display().to_string();
    let line = format!("{hash:016x} {}\n", name.escape_debug());
    let (part, mut file) = Part::create(&place)?;
    file.write_all((lines(path) + &line).as_bytes()).map_err(TableError::io(&place))?;
    part.finish(&file)
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    #[test]
    fn what_was_checked_is_known_by_its_hash() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["a.proof", "b\n.proof"].map(|name| folder.path().join(name));
        assert!(!is_checked(&first, 1));
        for _ in 0..2 {
            note_checked(&first, 1).unwrap();
            note_checked(&second, u64::MAX).unwrap();
        }
        let text = std::fs::read_to_string(folder.path().join(NAME)).unwrap();
        assert_eq!(text, "0000000000000001 a.proof\nffffffffffffffff b\\n.proof\n");
        assert!(is_checked(&second, 1) && is_checked(&first, u64::MAX) && !is_checked(&first, 2));
    }
}
