//! The list of certificates and openings that have passed a check. Each folder of certificates or openings has its own
//! list.
//!
//! The list is a file. Each line has the header hash of a certificate or an opening as 16 hexadecimal digits, and its
//! file name at the time of the check.

use std::path::{Path, PathBuf};

use super::text_file;
#[cfg(feature = "write")]
use super::{PartFile, Replaceable, Result, RunLock};

/// File name of the list of checked certificates and openings.
const NAME: &str = "checked";

/// Maximum length in bytes of the list of checked certificates and openings.
const MAX_LENGTH: u64 = 1 << 24;

fn place(path: &Path) -> PathBuf {
    path.with_file_name(NAME)
}

/// Returns the text of the list of checked files at `place`. Returns `None` if the file is missing or is not such a
/// list.
fn list_at(place: &Path) -> Option<String> {
    let is_hash = |word: &str| word.len() == 16 && word.bytes().all(|digit| digit.is_ascii_hexdigit());
    let is_line = |line: &str| line.split_once(' ').is_some_and(|(hash, name)| is_hash(hash) && !name.is_empty());
    text_file::read(place, MAX_LENGTH).ok().filter(|text| text.lines().all(is_line))
}

/// Returns true if a file with this header hash has passed a check, according to the list of checked files in the
/// folder of `path`.
pub fn is_checked(path: &Path, hash: u64) -> bool {
    let hash = format!("{hash:016x}");
    let list = list_at(&place(path)).unwrap_or_default();
    list.lines().any(|line| line.split(' ').next() == Some(&hash))
}

/// Adds the certificate or opening at `path`, which has this header hash, to the list of checked files in its folder.
/// Waits for other processes that add to the same list.
///
/// # Errors
///
/// Returns an error if another kind of file has the name of the list. That file stays as it is.
#[cfg(feature = "write")]
pub fn note_checked(path: &Path, hash: u64) -> Result<()> {
    if is_checked(path, hash) {
        return Ok(());
    }
    let place = place(path);
    // Without a lock two notes at the same moment may lose one, but no note may be lost because there is no lock.
    let _lock = RunLock::wait_for(&place).ok();
    if is_checked(path, hash) {
        return Ok(());
    }
    let name = path.file_name().unwrap_or_default().display().to_string();
    let line = format!("{hash:016x} {}\n", name.escape_debug());
    let own = Replaceable::own("a list of checked certificates", |place| list_at(place).is_some());
    own.check(&place)?;
    let list = list_at(&place).unwrap_or_default();
    let gap = if list.is_empty() || list.ends_with('\n') { "" } else { "\n" };
    PartFile::write(&place, (list + gap + &line).as_bytes(), own)
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

    #[test]
    fn notes_at_the_same_time_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let note = |number: u64| note_checked(&folder.path().join(format!("{number}.proof")), number).unwrap();
        std::thread::scope(|scope| (0..16).for_each(|number| drop(scope.spawn(move || note(number)))));
        assert!((0..16).all(|number| is_checked(&folder.path().join("any.proof"), number)));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "the lock is gone");
    }

    #[test]
    fn a_foreign_file_of_that_name_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (path, place) = (folder.path().join("a.proof"), folder.path().join(NAME));
        std::fs::write(&place, "0000000000000001 a.proof\nto do: water the plants\n").unwrap();
        let error = note_checked(&path, 1).unwrap_err().to_string();
        assert!(error.contains("checked: exists and is not a list of checked certificates"), "{error}");
        assert!(!is_checked(&path, 1) && std::fs::read_to_string(&place).unwrap().ends_with("plants\n"));
    }
}
