//! The file of a survey. During the survey, records are appended to a journal beside the file as they are found, so
//! that the survey can be killed at any time. At the end the file has one line for each variant, in the order of the
//! rule codes given to [`SurveyFile::open`].

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use yomikiri_table::json_lines::{self, LineError};
use yomikiri_table::line_journal::{self, LineJournal};
use yomikiri_table::{PartFile, Replaceable, RunLock, TableError, text_file};

use super::finding::{DecidedBy, Finding, Open, OpenReason, Seconds};
use super::question::Question;
use super::record::{Record, read_lines};
use crate::shell;

/// The maximum length in bytes of a file that is read. Millions of records fit in it.
const LONGEST: u64 = 1 << 30;

/// The beginning of each line.
const BEGIN: &str = "{\"code\":";

/// An error about the file of a survey.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// The file is damaged, or is about other variants or another question.
    #[error("{}: {what}", path.display())]
    Refused {
        /// The path of the file or of its journal.
        path: PathBuf,
        /// The problem, as the rest of a sentence about the file.
        what: String,
    },
    /// The file cannot be read, written or locked.
    #[error(transparent)]
    File(#[from] TableError),
}

/// The file of a survey with its journal, locked so that only one process at a time uses them.
pub struct SurveyFile {
    file: PathBuf,
    question: Question,
    codes: Vec<String>,
    state: Mutex<SurveyState>,
    cut: Option<String>,
    _lock: RunLock,
}

struct SurveyState {
    found: HashMap<String, Finding>,
    journal: LineJournal,
}

/// The number of variants with each result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveySummary {
    /// The total number of variants.
    pub all: usize,
    /// The numbers of variants that Black wins, that White wins, and that are drawn, in this order.
    pub won: [usize; 3],
    /// The number of variants that are not decided.
    pub open: usize,
}

impl SurveyFile {
    /// Opens the file and the journal, and reads their records. Returns an error, and changes nothing, if a line is
    /// damaged or is not about one of `codes` and this question.
    pub fn open(file: &Path, question: Question, codes: &[String]) -> Result<SurveyFile, SurveyError> {
        let lock = RunLock::take_for(file, "survey")?;
        let asked = SurveySubject { question, codes: codes.iter().map(String::as_str).collect() };
        let text = read_whole(file)?;
        let mut found = HashMap::new();
        for (number, record) in (1..).zip(asked.records(file, &text)?) {
            let code = record.code().to_string();
            if found.insert(code, record.into_finding()).is_some() {
                return Err(refused(file, &format!("line {number} repeats a rule code; use another file")));
            }
        }
        let path = journal_of(file);
        let (text, torn) = read_journal(&path)?;
        let records = asked.records(&path, &text)?;
        found.extend(records.into_iter().map(|record| (record.code().to_string(), record.into_finding())));
        let journal = LineJournal::open(&path, text.len() as u64)?;
        let cut = (torn > 0).then(|| format!("{}: {}", path.display(), torn_text(torn)));
        let state = Mutex::new(SurveyState { found, journal });
        Ok(SurveyFile { file: file.into(), question, codes: codes.to_vec(), state, cut, _lock: lock })
    }

    /// Returns a note if an incomplete last line of the journal was cut off, else `None`.
    pub fn truncation_note(&self) -> Option<&str> {
        self.cut.as_deref()
    }

    fn state(&self) -> MutexGuard<'_, SurveyState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the findings, by rule code, that need no further work in a survey with these limits for each variant.
    /// They are all decided findings, and the open findings whose limits of time and memory were at least as large.
    /// `memory` is in bytes. If `time` is `None`, the time is not limited.
    pub fn settled(&self, time: Option<Duration>, memory: u64) -> HashMap<String, Finding> {
        let is_enough =
            |open: &Open| seconds(open.seconds) >= seconds(time.map(Seconds::from)) && open.memory >= memory;
        let mut settled = self.state().found.clone();
        settled.retain(|_, finding| finding.open.as_ref().is_none_or(is_enough));
        settled
    }

    /// Adds findings, all of them or none. An open finding does not replace an earlier open finding that had more time
    /// or more memory, unless the new finding has a tighter bound.
    pub fn add(&self, mut found: Vec<(String, Finding)>) -> Result<(), SurveyError> {
        let mut state = self.state();
        found.retain(|(code, finding)| !state.found.get(code).is_some_and(|before| is_weaker(finding, before)));
        let records: Vec<Record> = found.into_iter().map(|(code, finding)| self.record(&code, finding)).collect();
        state.journal.append(&lines(&records))?;
        state.found.extend(records.into_iter().map(|record| (record.code().to_string(), record.into_finding())));
        Ok(())
    }

    /// Makes the record of a finding. If the finding contradicts itself, the record says that the variant is open, and
    /// the next survey asks about it again.
    fn record(&self, code: &str, finding: Finding) -> Record {
        Record::new(code, self.question, finding).unwrap_or_else(|problem| {
            let failed = Finding::unasked(code, self.question, OpenReason::Said(format!("its answer {problem}")));
            Record::new(code, self.question, failed)
                .expect("an open finding without numbers does not contradict itself")
        })
    }

    /// Writes the file, deletes the journal and returns the counts. Variants without a finding are recorded as open.
    pub fn finish(self) -> Result<SurveySummary, SurveyError> {
        let SurveyState { mut found, journal } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let unasked = |code: &str| Finding::unasked(code, self.question, OpenReason::SurveyTime);
        let mut summary = SurveySummary { all: self.codes.len(), won: [0; 3], open: 0 };
        let mut records = Vec::with_capacity(self.codes.len());
        for code in &self.codes {
            let finding = found.remove(code).unwrap_or_else(|| unasked(code));
            summary.count(&finding);
            let record = Record::new(code, self.question, finding);
            records.push(record.map_err(|problem| refused(&self.file, &format!("{code} {problem}")))?);
        }
        PartFile::write(&self.file, lines(&records).as_bytes(), replaceable())?;
        journal.delete()?;
        Ok(summary)
    }
}

/// Reads the records of a survey, finished or not. A record of the journal replaces that of the file. Returns an error
/// if a line is damaged, or if there are no records.
pub fn read_records(file: &Path) -> Result<Vec<Record>, SurveyError> {
    let mut records: Vec<Record> = Vec::new();
    let journal = journal_of(file);
    for (path, text) in [(file, read_whole(file)?), (&journal, read_journal(&journal)?.0)] {
        for read in read_lines(&text) {
            let wrong = |(number, error)| refused(path, &format!("line {number} {}", advice(path, &error)));
            let record = read.map_err(wrong)?;
            match records.iter_mut().find(|known| known.code() == record.code()) {
                Some(known) => *known = record,
                None => records.push(record),
            }
        }
    }
    match records.is_empty() {
        true => Err(TableError::foreign(file, "does not exist or is empty").into()),
        false => Ok(records),
    }
}

/// Returns the path of the journal of a file.
pub(super) fn journal_of(file: &Path) -> PathBuf {
    file.with_added_extension("journal")
}

/// Returns the text of a finished file, or an empty text if the file does not exist.
pub(super) fn read_whole(file: &Path) -> Result<String, SurveyError> {
    match read_journal(file)? {
        (text, 0) => Ok(text),
        _ => Err(refused(file, "ends within a line; use another file")),
    }
}

/// Returns the complete lines of a journal, and the length in bytes of an incomplete line after them (0 if there is
/// none).
pub(super) fn read_journal(path: &Path) -> Result<(String, usize), SurveyError> {
    let (bytes, torn) = line_journal::read_lines(path, LONGEST, BEGIN)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let lines = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        refused(path, &format!("line {} is not UTF-8; use another file", lines + 1))
    })?;
    Ok((text, torn))
}

/// Returns the note that `bytes` bytes of an incomplete line were cut off.
pub(super) fn torn_text(bytes: usize) -> String {
    format!("its last line was incomplete: {bytes} bytes are cut off, and that variant is asked about again")
}

/// Returns the test that a file must pass before it is replaced: it must be empty or begin with a record.
pub(super) fn replaceable() -> Replaceable {
    Replaceable::own("a record of yomikiri survey", |path| {
        let Ok(text) = text_file::read(path, LONGEST) else { return false };
        let is_record =
            |line: &str| json_lines::read::<Record>(line).is_ok() || json_lines::read_plain::<Record>(line).is_ok();
        text.lines().next().is_none_or(is_record)
    })
}

/// Writes records as lines, each with its line break.
pub(super) fn lines(records: &[Record]) -> String {
    records.iter().map(|record| json_lines::write(record) + "\n").collect()
}

pub(super) fn refused(path: &Path, what: &str) -> SurveyError {
    SurveyError::Refused { path: path.into(), what: what.into() }
}

/// The question and the codes that records may be about.
struct SurveySubject<'a> {
    question: Question,
    codes: HashSet<&'a str>,
}

impl SurveySubject<'_> {
    /// Reads all records of a text. A record about another question or another variant is an error.
    fn records(&self, path: &Path, text: &str) -> Result<Vec<Record>, SurveyError> {
        let wrong = |number: usize, what: String| refused(path, &format!("line {number} {what}"));
        let record = |(number, read): (usize, Result<Record, (usize, LineError)>)| {
            let record = read.map_err(|(number, error)| wrong(number, advice(path, &error)))?;
            if record.question() != self.question || !self.codes.contains(record.code()) {
                let what = format!("answers another question or another variant ({}); use another file", record.code());
                return Err(wrong(number, what));
            }
            Ok(record)
        };
        (1..).zip(read_lines(text)).map(record).collect()
    }
}

/// Describes the problem of a line, and how to solve it.
fn advice(path: &Path, error: &LineError) -> String {
    match error {
        LineError::Unsummed => {
            let file = if path.extension().is_some_and(|end| end == "journal") {
                path.with_extension("")
            } else {
                path.into()
            };
            let file = shell::path(&file);
            format!("{error}; if an older version wrote the file, run \"yomikiri survey --upgrade {file}\"")
        }
        _ => format!("{error}; delete the line to ask about its variant again"),
    }
}

/// Returns a time in seconds; infinity if there is no limit.
fn seconds(time: Option<Seconds>) -> f64 {
    time.map_or(f64::INFINITY, f64::from)
}

/// Returns true if both findings leave the variant open, and `finding` had less time or less memory than `before` and
/// has no tighter bound.
fn is_weaker(finding: &Finding, before: &Finding) -> bool {
    let (Some(open), Some(before)) = (&finding.open, &before.open) else { return false };
    let had_less = seconds(open.seconds) < seconds(before.seconds) || open.memory < before.memory;
    let most = |open: &Open| open.at_most.unwrap_or(i64::MAX);
    had_less && open.at_least <= before.at_least && most(open) >= most(before)
}

impl SurveySummary {
    fn count(&mut self, finding: &Finding) {
        match finding.winner {
            Some(winner) if finding.open.is_none() => self.won[winner as usize] += 1,
            _ => self.open += 1,
        }
    }
}

impl Finding {
    /// Creates the finding of a variant that was not asked about.
    fn unasked(code: &str, question: Question, why: OpenReason) -> Finding {
        let open = Open { why, seconds: Some(Seconds::default()), ..Open::default() };
        let command = format!("yomikiri survey {code} --answer {} --out {code}.jsonl", question.name());
        Finding { open: Some(open), by: DecidedBy::None, command, ..Finding::default() }
    }
}
