//! Adds checksums to files of surveys that an older program wrote.

use std::path::Path;

use yomikiri_table::json_lines::{self, LineError};
use yomikiri_table::{PartFile, RunLock, TableError};

use super::file::{SurveyError, journal_of, read_journal, read_whole, refused, replaceable};
use super::record::Record;

/// Rewrites the file of a survey, and its journal if there is one, with a checksum in each line. A line with a valid
/// checksum does not change. A line without a checksum is accepted only if this program would write the same line,
/// apart from the checksum. Returns the number of lines that got a checksum. On an error in a line, both files stay
/// unchanged.
pub fn upgrade(file: &Path) -> Result<usize, SurveyError> {
    let journal = journal_of(file);
    let missing = || TableError::foreign(file, "does not exist or is empty").into();
    // The lock would make the folder of the file.
    if !file.exists() && !journal.exists() {
        return Err(missing());
    }
    let _lock = RunLock::take_for(file, "survey")?;
    let text = read_whole(file)?;
    let (added, _) = read_journal(&journal)?;
    if text.is_empty() && added.is_empty() {
        return Err(missing());
    }
    let (upgraded, count) = with_sums(file, &text)?;
    let (upgraded_journal, count_in_journal) = with_sums(&journal, &added)?;
    for (path, upgraded, count) in [(file, upgraded, count), (&journal, upgraded_journal, count_in_journal)] {
        if count > 0 {
            PartFile::write(path, upgraded.as_bytes(), replaceable())?;
        }
    }
    Ok(count + count_in_journal)
}

/// Returns `text` with a checksum in each line, and the number of lines that got one.
fn with_sums(path: &Path, text: &str) -> Result<(String, usize), SurveyError> {
    let (mut upgraded, mut count) = (String::new(), 0);
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |error: LineError| refused(path, &format!("line {number} {error}"));
        match json_lines::read::<Record>(line) {
            Ok(_) => upgraded += line,
            Err(LineError::Unsummed) => {
                let record = json_lines::read_plain::<Record>(line).map_err(wrong)?;
                upgraded += &json_lines::write(&record);
                count += 1;
            }
            Err(error) => return Err(wrong(error)),
        }
        upgraded.push('\n');
    }
    Ok((upgraded, count))
}
