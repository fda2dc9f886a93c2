//! A file to which a run appends lines.
//!
//! A call appends all of its lines or none. If a write fails, the part that was written is cut off. If this fails too,
//! the journal accepts no more lines, so that no line follows a torn (incomplete) one. A killed run or a power loss can
//! still leave a torn line at the end of the file; [`whole_lines`] finds the lines before it. Each append is synced,
//! because otherwise a power loss could lose a line in the middle.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::disk::{self, DiskFile};
use super::{Result, TableError, text_file};

/// A file to which one writer appends lines.
pub struct LineJournal {
    path: PathBuf,
    file: DiskFile,
    /// Length in bytes of the whole lines in the file, which is the offset of the next line.
    length: u64,
    /// True if a failed write could not be undone.
    is_broken: bool,
}

/// Returns the length in bytes of the whole lines at the start of a text. The rest is a torn line.
pub fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

/// Reads a file of at most `most` bytes. Returns the bytes of all whole lines, and the length in bytes of the torn line
/// at the end (0 if there is none). A missing file has no lines. `begin` is the beginning of every first line.
///
/// # Errors
///
/// Returns an error if the file has more than `most` bytes, or if it has only a torn line that a run of this program
/// cannot have left: a line that does not begin as `begin` says, and does not consist of zeros.
pub fn read_lines(path: &Path, most: u64, begin: &str) -> Result<(Vec<u8>, usize)> {
    let mut bytes = match text_file::read_bytes(path, most) {
        Err(TableError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Vec::new(),
        bytes => bytes?,
    };
    // A torn line may end within a character, so it is cut off before the text is decoded.
    let whole = whole_lines(&bytes);
    let torn = bytes.len() - whole;
    let is_own = bytes.iter().zip(begin.bytes()).all(|(&byte, own)| byte == own) || bytes.iter().all(|&byte| byte == 0);
    if whole == 0 && !is_own {
        return Err(TableError::foreign(path, "exists and is not a file of this program; move it away"));
    }
    bytes.truncate(whole);
    Ok((bytes, torn))
}

impl LineJournal {
    /// Opens or creates the file, keeps its first `length` bytes and cuts off the rest.
    pub fn open(path: &Path, length: u64) -> Result<LineJournal> {
        let file = DiskFile::open(path).map_err(TableError::io(path))?;
        let journal = LineJournal { path: path.into(), file, length, is_broken: false };
        if journal.file.length().map_err(TableError::io(path))? != length {
            journal.file.set_len(length).map_err(TableError::io(path))?;
        }
        Ok(journal)
    }

    /// Appends whole lines, each with its line break, and syncs them: all of them or none.
    pub fn append(&mut self, lines: &str) -> Result<()> {
        if self.is_broken {
            return Err(self.named(io::Error::other("an earlier write failed and could not be undone")));
        }
        let written = self.file.write_all_at(lines.as_bytes(), self.length).and_then(|()| self.file.sync());
        if let Err(error) = written {
            self.is_broken = self.file.set_len(self.length).is_err();
            return Err(self.named(error));
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Deletes the file.
    pub fn delete(self) -> Result<()> {
        disk::remove(&self.path).map_err(|error| self.named(error))
    }

    fn named(&self, error: io::Error) -> TableError {
        TableError::io(&self.path)(error)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::disk::faults::{FileChange, FolderWatch, InjectedFault};

    const LINES: usize = 40;

    /// Lets two threads append lines, and makes the file change with this number fail. Returns the text of the file and
    /// the number of appends that succeeded.
    fn with_a_failing_write(number: usize, fault: InjectedFault) -> (String, usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let watch = FolderWatch::new(folder.path(), Some((number, fault)));
        let added = AtomicUsize::new(0);
        if let Ok(journal) = LineJournal::open(&path, 0) {
            let journal = Mutex::new(journal);
            std::thread::scope(|scope| {
                for thread in 0..2 {
                    let (journal, added) = (&journal, &added);
                    scope.spawn(move || {
                        for line in 0..LINES / 2 {
                            if journal.lock().unwrap().append(&format!("line {line} of thread {thread}\n")).is_ok() {
                                added.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    });
                }
            });
        }
        drop(watch);
        (std::fs::read_to_string(&path).unwrap_or_default(), added.into_inner())
    }

    #[test]
    fn nobody_adds_a_line_behind_a_part_of_one() {
        for fault in [InjectedFault::Error, InjectedFault::Short, InjectedFault::Death] {
            // The first change opens the file. Then each line takes two: a write and a sync.
            for number in 0..=2 * LINES {
                let (text, added) = with_a_failing_write(number, fault);
                let whole = &text[..whole_lines(text.as_bytes())];
                assert!(text == whole, "{fault:?} at {number}: {text:?}");
                assert!(
                    whole.lines().all(|line| line.starts_with("line ") && line.contains(" of thread ")),
                    "{text:?}"
                );
                let lines = whole.lines().count();
                // If the program dies in a sync, the line that was written stays in the file.
                let is_left = fault == InjectedFault::Death && number > 0 && number % 2 == 0;
                assert_eq!(lines, added + usize::from(is_left), "{fault:?} at {number}");
                assert!(
                    fault == InjectedFault::Death || number == 0 || added == LINES - 1,
                    "{fault:?} at {number}: {added}"
                );
            }
        }
    }

    #[test]
    fn a_torn_line_of_another_program_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        for (text, is_own) in
            [("", true), ("{\"a", true), ("{\"a\":1", true), ("\0\0", true), ("notes", false), ("{}", false)]
        {
            std::fs::write(&path, text).unwrap();
            let read = read_lines(&path, 100, "{\"a\":");
            assert_eq!(read.is_ok_and(|(lines, torn)| lines.is_empty() && torn == text.len()), is_own, "{text}");
        }
        std::fs::write(&path, "{\"a\":1}\nno").unwrap();
        assert_eq!(read_lines(&path, 100, "{\"a\":").unwrap(), (b"{\"a\":1}\n".to_vec(), 2));
    }

    /// If a torn line cannot be cut off, nothing more is appended, and the next run finds whole lines.
    #[test]
    fn what_cannot_be_cut_off_ends_the_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = LineJournal::open(&path, 0).unwrap();
        journal.append("one\n").unwrap();
        std::fs::write(&path, "one\ntw").unwrap();
        journal.is_broken = true;
        assert!(journal.append("three\n").unwrap_err().to_string().ends_with("could not be undone"));
        let text = std::fs::read(&path).unwrap();
        let watch = FolderWatch::new(folder.path(), None);
        let mut journal = LineJournal::open(&path, whole_lines(&text) as u64).unwrap();
        assert!(watch.changes().iter().any(|change| matches!(change, FileChange::Length { length: 4, .. })));
        journal.append("two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        journal.delete().unwrap();
        assert!(!path.exists());
    }
}
