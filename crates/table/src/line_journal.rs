//! A file of lines that grows at its end while a run is at work.
//!
//! Whole lines are added, all of a call or none: what a failed write has left of a line is cut off again, and where even
//! that fails nothing more is added, so that no line stands behind a part of one. A killed run, or a loss of power, can
//! leave such a part at the end all the same; [`whole_lines`] tells what is before it. Lines are synced as they are
//! added: of several that were not, a loss of power could take one in the middle.

use std::io;
use std::path::{Path, PathBuf};

use super::disk::{self, DiskFile};
use super::{Result, TableError};

/// The file, open for one writer.
pub struct LineJournal {
    path: PathBuf,
    file: DiskFile,
    /// Bytes of whole lines.
    length: u64,
    /// Set when a failed write could not be undone.
    is_broken: bool,
}

/// Length of the whole lines at the beginning of a text in bytes; what follows is part of a line.
pub fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

impl LineJournal {
    /// Opens the file, or makes an empty one, to add lines behind the first `length` bytes; the rest is cut off.
    pub fn open(path: &Path, length: u64) -> Result<LineJournal> {
        let file = DiskFile::open(path).map_err(TableError::io(path))?;
        let journal = LineJournal { path: path.into(), file, length, is_broken: false };
        if journal.file.length().map_err(TableError::io(path))? != length {
            journal.file.set_len(length).map_err(TableError::io(path))?;
        }
        Ok(journal)
    }

    /// Adds whole lines, each with its line break, and has them on the disk: all of them or none.
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

    /// Deletes the file, when its lines are kept elsewhere.
    pub fn delete(self) -> Result<()> {
        disk::remove(&self.path).map_err(|error| self.named(error))
    }

    fn named(&self, error: io::Error) -> TableError {
        TableError::io(&self.path)(error)
    }
}

#[cfg(all(test, feature = "faults"))]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::disk::faults::{Change, Fault, Watch};

    const LINES: usize = 40;

    /// Has two threads add lines while the write of this number fails; returns the text of the file and how many lines
    /// were said to be added.
    fn with_a_failing_write(number: usize, fault: Fault) -> (String, usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let watch = Watch::new(folder.path(), Some((number, fault)));
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
        for fault in [Fault::Error, Fault::Short, Fault::Death] {
            // The file is opened, and each line is a write and a sync.
            for number in 0..1 + 2 * LINES {
                let (text, added) = with_a_failing_write(number, fault);
                let whole = &text[..whole_lines(text.as_bytes())];
                assert!(text == whole, "{fault:?} at {number}: {text:?}");
                assert!(
                    whole.lines().all(|line| line.starts_with("line ") && line.contains(" of thread ")),
                    "{text:?}"
                );
                let lines = whole.lines().count();
                // Of a line whose sync fails because the program dies nobody can cut anything off.
                let is_left = fault == Fault::Death && number > 0 && number % 2 == 0;
                assert_eq!(lines, added + usize::from(is_left), "{fault:?} at {number}");
                assert!(fault == Fault::Death || number == 0 || added == LINES - 1, "{fault:?} at {number}: {added}");
            }
        }
    }

    /// Where the part of a line cannot be cut off, nothing is added any more, and the next run finds whole lines.
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
        let watch = Watch::new(folder.path(), None);
        let mut journal = LineJournal::open(&path, whole_lines(&text) as u64).unwrap();
        assert!(watch.changes().iter().any(|change| matches!(change, Change::Length { length: 4, .. })));
        journal.append("two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        journal.delete().unwrap();
        assert!(!path.exists());
    }
}
