//! Proofs about single komi that a survey keeps in its work folder until the fair komi is known.

use std::path::{Path, PathBuf};

use yomikiri_answer::survey::{Finding, Question, Record};
use yomikiri_table::{Part, Replace, TableError, json_lines, text_file};

use crate::output::{note, shown};

/// Length of the longest file that is read in bytes.
const LONGEST: u64 = 1 << 16;

/// A folder of files with one record each, who wins with the komi of the file's rule code.
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// The folder of a rule code below the work folder of a survey.
    pub fn of(work: &Path, code: &str) -> Kept {
        Kept { folder: work.join(code).with_added_extension("komi") }
    }

    fn file(&self, code: &str) -> PathBuf {
        self.folder.join(code).with_added_extension("json")
    }

    /// The finding about a rule code. What is damaged, or not about that, is proved again, with a note that says so.
    pub fn read(&self, code: &str) -> Option<Finding> {
        let file = self.file(code);
        let text = match text_file::read_if_there(&file, LONGEST) {
            Ok(text) => text?,
            Err(error) => {
                note(&format!("{error}; it is proved again"));
                return None;
            }
        };
        let problem = match json_lines::read::<Record>(text.trim_end_matches('\n')) {
            Ok(record) if is_decided(&record, code) => return Some(record.into_finding()),
            Ok(_) => "is about something else".into(),
            Err(error) => error.to_string(),
        };
        note(&format!("{}: line 1 {problem}; it is proved again", shown(&file)));
        None
    }

    /// Keeps a finding. If that fails, it has to be proved once more after a kill.
    pub fn write(&self, code: &str, finding: &Finding) {
        let write = || -> Result<(), TableError> {
            let Ok(record) = Record::new(code, Question::Winner, finding.clone()) else { return Ok(()) };
            std::fs::create_dir_all(&self.folder).map_err(TableError::io(&self.folder))?;
            Part::write(&self.file(code), (json_lines::write(&record) + "\n").as_bytes(), Replace::AnyFile)
        };
        if let Err(error) = write() {
            note(&format!("{error}; the proof is not kept"));
        }
    }

    /// Deletes the folder; nothing but room is lost where it stays.
    pub fn delete(&self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn is_decided(record: &Record, code: &str) -> bool {
    record.code() == code && record.question() == Question::Winner && record.finding().open.is_none()
}
