//! Keeps the winners that have been proved for single values of komi. They are kept in a folder below the work folder
//! of a survey until the fair komi is known.

use std::path::{Path, PathBuf};

use yomikiri_answer::survey::{Finding, Question, Record};
use yomikiri_table::{PartFile, Replaceable, TableError, disk, json_lines, text_file};

use crate::output::{note, shown};

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 16;

/// A folder with a file for each komi. The file holds one record, the winner with that komi.
pub struct KomiProofs {
    folder: PathBuf,
}

impl KomiProofs {
    /// Returns the folder for the board with the rule code `code`, below the work folder of a survey. Does not create
    /// it.
    pub fn of(work: &Path, code: &str) -> KomiProofs {
        KomiProofs { folder: work.join(code).with_added_extension("komi") }
    }

    fn file(&self, code: &str) -> PathBuf {
        self.folder.join(code).with_added_extension("json")
    }

    /// Reads the finding about a rule code. Returns `None` if there is none. If the file is damaged or has no winner
    /// for this code, prints a note and returns `None`, so that the proof is repeated.
    pub fn read(&self, code: &str) -> Option<Finding> {
        let file = self.file(code);
        let text = match text_file::read_if_there(&file, LONGEST) {
            Ok(text) => text?,
            Err(error) => {
                note(&format!("{error}; proving the winner of {code} again"));
                return None;
            }
        };
        let problem = match json_lines::read::<Record>(text.trim_end_matches('\n')) {
            Ok(record) if is_decided(&record, code) => return Some(record.into_finding()),
            Ok(_) => "is about something else".into(),
            Err(error) => error.to_string(),
        };
        note(&format!("{}: line 1 {problem}; proving the winner of {code} again", shown(&file)));
        None
    }

    /// Writes a finding. If that fails, prints a note that the proof was not saved.
    pub fn write(&self, code: &str, finding: &Finding) {
        let write = || -> Result<(), TableError> {
            let Ok(record) = Record::new(code, Question::Winner, finding.clone()) else { return Ok(()) };
            disk::make_folder(&self.folder)?;
            PartFile::write(&self.file(code), (json_lines::write(&record) + "\n").as_bytes(), Replaceable::AnyFile)
        };
        if let Err(error) = write() {
            note(&format!("{error}; the proof was not saved"));
        }
    }

    /// Deletes the folder. A folder that cannot be deleted only takes up room.
    pub fn delete(&self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn is_decided(record: &Record, code: &str) -> bool {
    record.code() == code && record.question() == Question::Winner && record.finding().open.is_none()
}
