//! The file of a survey. While the survey is at work, records are added to a journal beside it in the order in which
//! they come, so that it can be killed at any time; at the end the file has a line for each variant, in the order of
//! the codes.

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use yomikiri_table::json_lines::{self, LineError};
use yomikiri_table::line_journal::{LineJournal, whole_lines};
use yomikiri_table::{Part, Replace, RunLock, TableError, text_file};

use super::finding::{DecidedBy, Finding, Open, OpenReason, Seconds};
use super::question::Question;
use super::record::{Record, read_lines};

/// Length of the longest file that is read in bytes: millions of records.
const LONGEST: u64 = 1 << 30;

/// Why a file of a survey is not read or not written.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// The file is damaged, or about something else.
    #[error("{}: {what}", path.display())]
    Refused { path: PathBuf, what: String },
    #[error(transparent)]
    File(#[from] TableError),
}

/// A file of a survey with its journal, held by one run.
pub struct SurveyFile {
    file: PathBuf,
    question: Question,
    codes: Vec<String>,
    state: Mutex<State>,
    cut: Option<String>,
    _lock: RunLock,
}

struct State {
    found: HashMap<String, Finding>,
    journal: LineJournal,
}

/// Numbers of variants, by what came of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveySummary {
    pub all: usize,
    /// Black's wins, White's, draws.
    pub won: [usize; 3],
    pub open: usize,
}

impl SurveyFile {
    /// Takes up what is there. An error if any line is damaged, or about anything else than these codes and this
    /// question; then nothing is changed.
    pub fn open(file: &Path, question: Question, codes: &[String]) -> Result<SurveyFile, SurveyError> {
        let lock = RunLock::take_for(file, "survey")?;
        let asked = Asked { question, codes: codes.iter().map(String::as_str).collect() };
        let text = read_whole(file)?;
        let mut found = HashMap::new();
        for (number, record) in (1..).zip(asked.records(file, &text)?) {
            let code = record.code().to_string();
            if found.insert(code, record.into_finding()).is_some() {
                return Err(refused(file, &format!("line {number} answers about a code again; take another file")));
            }
        }
        let path = journal_of(file);
        let (text, torn) = read_journal(&path)?;
        let records = asked.records(&path, &text)?;
        found.extend(records.into_iter().map(|record| (record.code().to_string(), record.into_finding())));
        let journal = LineJournal::open(&path, text.len() as u64)?;
        let cut = (torn > 0).then(|| format!("{}: {}", path.display(), torn_text(torn)));
        let state = Mutex::new(State { found, journal });
        Ok(SurveyFile { file: file.into(), question, codes: codes.to_vec(), state, cut, _lock: lock })
    }

    /// A line about the end of the journal, if a part of a line was cut off there.
    pub fn cut(&self) -> Option<&str> {
        self.cut.as_deref()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The findings about codes of which nothing is left to be asked: all that are decided, and those that stayed open
    /// with at least this time and memory.
    pub fn settled(&self, time: Option<Duration>, memory: u64) -> HashMap<String, Finding> {
        let is_enough =
            |open: &Open| seconds(open.seconds) >= seconds(time.map(Seconds::from)) && open.memory >= memory;
        let mut settled = self.state().found.clone();
        settled.retain(|_, finding| finding.open.as_ref().is_none_or(is_enough));
        settled
    }

    /// Adds findings, all of them or none. An open one never replaces one of a larger budget, unless its bounds are
    /// tighter.
    pub fn add(&self, mut found: Vec<(String, Finding)>) -> Result<(), SurveyError> {
        let mut state = self.state();
        found.retain(|(code, finding)| !state.found.get(code).is_some_and(|before| tells_less(finding, before)));
        let records: Vec<Record> = found.into_iter().map(|(code, finding)| self.record(&code, finding)).collect();
        state.journal.append(&lines(&records))?;
        state.found.extend(records.into_iter().map(|record| (record.code().to_string(), record.into_finding())));
        Ok(())
    }

    /// The record of a finding. One that contradicts itself is none: its variant is open, and asked again.
    fn record(&self, code: &str, finding: Finding) -> Record {
        Record::new(code, self.question, finding).unwrap_or_else(|problem| {
            let failed = Finding::unasked(code, self.question, OpenReason::Said(format!("its answer {problem}")));
            Record::new(code, self.question, failed).expect("a variant that was not asked about is consistent")
        })
    }

    /// Writes the file, deletes the journal, and counts. What has not been found out is open.
    pub fn finish(self) -> Result<SurveySummary, SurveyError> {
        let State { mut found, journal } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let unasked = |code: &str| Finding::unasked(code, self.question, OpenReason::SurveyTime);
        let mut summary = SurveySummary { all: self.codes.len(), won: [0; 3], open: 0 };
        let mut records = Vec::with_capacity(self.codes.len());
        for code in &self.codes {
            let finding = found.remove(code).unwrap_or_else(|| unasked(code));
            summary.count(&finding);
            let record = Record::new(code, self.question, finding);
            records.push(record.map_err(|problem| refused(&self.file, &format!("{code} {problem}")))?);
        }
        Part::write(&self.file, lines(&records).as_bytes(), own())?;
        journal.delete()?;
        Ok(summary)
    }
}

/// The journal of a file of a survey.
pub(super) fn journal_of(file: &Path) -> PathBuf {
    file.with_added_extension("journal")
}

/// The text of a file that was finished, empty if there is none.
pub(super) fn read_whole(file: &Path) -> Result<String, SurveyError> {
    match read_journal(file)? {
        (text, 0) => Ok(text),
        _ => Err(refused(file, "ends within a line; take another file")),
    }
}

/// The whole lines of a journal, and the length of the part of a line behind them in bytes.
pub(super) fn read_journal(path: &Path) -> Result<(String, usize), SurveyError> {
    let mut bytes = match text_file::read_bytes(path, LONGEST) {
        Err(TableError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Vec::new(),
        bytes => bytes?,
    };
    // A part of a line may end within a letter.
    let whole = whole_lines(&bytes);
    let torn = bytes.len() - whole;
    bytes.truncate(whole);
    let text = String::from_utf8(bytes).map_err(|error| {
        let lines = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        refused(path, &format!("line {} is not UTF-8; take another file", lines + 1))
    })?;
    Ok((text, torn))
}

/// The note about the end of a journal.
pub(super) fn torn_text(bytes: usize) -> String {
    format!("its last line was incomplete; {bytes} bytes are cut off, and what they told is asked again")
}

/// The files that may be replaced: those that begin with a record.
pub(super) fn own() -> Replace {
    Replace::own("a record of yomikiri survey", |path| {
        let text = text_file::read(path, LONGEST).unwrap_or_default();
        let is_record =
            |line: &str| json_lines::read::<Record>(line).is_ok() || json_lines::read_plain::<Record>(line).is_ok();
        text.lines().next().is_some_and(is_record)
    })
}

/// The lines of records, each with its line break.
pub(super) fn lines(records: &[Record]) -> String {
    records.iter().map(|record| json_lines::write(record) + "\n").collect()
}

pub(super) fn refused(path: &Path, what: &str) -> SurveyError {
    SurveyError::Refused { path: path.into(), what: what.into() }
}

/// The subject of a survey.
struct Asked<'a> {
    question: Question,
    codes: HashSet<&'a str>,
}

impl Asked<'_> {
    /// All records of a text, which are about what is asked.
    fn records(&self, path: &Path, text: &str) -> Result<Vec<Record>, SurveyError> {
        let wrong = |number: usize, what: String| refused(path, &format!("line {number} {what}"));
        let record = |(number, read): (usize, Result<Record, (usize, LineError)>)| {
            let record = read.map_err(|(number, error)| wrong(number, advice(path, &error)))?;
            if record.question() != self.question || !self.codes.contains(record.code()) {
                let what = format!("answers something about {} that is not asked; take another file", record.code());
                return Err(wrong(number, what));
            }
            Ok(record)
        };
        (1..).zip(read_lines(text)).map(record).collect()
    }
}

/// The problem of a line, and the remedy.
fn advice(path: &Path, error: &LineError) -> String {
    match error {
        LineError::Unsummed => {
            let file = if path.extension().is_some_and(|end| end == "journal") {
                path.with_extension("")
            } else {
                path.into()
            };
            let file = file.display();
            format!("{error}; if an older version wrote the file: yomikiri survey --upgrade {file}")
        }
        _ => format!("{error}; delete the line to have its variant asked about again"),
    }
}

/// Time in thousandths; no limit is more than any.
fn seconds(time: Option<Seconds>) -> f64 {
    time.map_or(f64::INFINITY, f64::from)
}

/// Returns true if a variant is still open, after less time or with less memory than before, and within no narrower
/// bounds.
fn tells_less(finding: &Finding, before: &Finding) -> bool {
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
    /// A variant that was not asked about, for a reason.
    fn unasked(code: &str, question: Question, why: OpenReason) -> Finding {
        let open = Open { why, seconds: Some(Seconds::default()), ..Open::default() };
        let command = format!("yomikiri survey {code} --answer {} --out {code}.jsonl", question.name());
        Finding { open: Some(open), by: DecidedBy::None, command, ..Finding::default() }
    }
}
