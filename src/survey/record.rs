//! The file of a survey. While it is made, answers are added to a journal beside it, in the order in which they come,
//! so that a survey can be killed at any time; at the end the file has a line for each variant, in the order of the
//! codes.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_table::{Part, RunLock, TableError};

use super::answer::Answer;
use super::ways::{Found, Open};
use crate::error::Failure;
use crate::output::{grouped, shown};

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    code: String,
    answer: Answer,
    #[serde(flatten)]
    found: Found,
}

pub struct Record {
    file: PathBuf,
    journal: PathBuf,
    answer: Answer,
    codes: Vec<String>,
    state: Mutex<State>,
    _lock: RunLock,
}

struct State {
    found: HashMap<String, Found>,
    journal: File,
}

/// How many variants there are, and what has come of them.
pub struct Summary {
    all: usize,
    /// Black's wins, White's, draws.
    won: [usize; 3],
    pub open: usize,
}

impl Record {
    /// Takes up what is there. An error if it is about anything else than these codes and this question.
    pub fn open(file: &Path, answer: Answer, codes: &[String]) -> Result<Record, Failure> {
        let lock = RunLock::take_for(file, "survey")?;
        let journal = file.with_added_extension("journal");
        let (asked, mut found) = (codes.iter().map(String::as_str).collect::<HashSet<_>>(), HashMap::new());
        for path in [file, &journal] {
            let text = text_of(path)?;
            // A killed survey can leave half of a line at the end of its journal.
            let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
            if path == file && whole.len() < text.len() {
                return Err(Failure::Request(format!("{}: ends within a line; take another file", shown(path))));
            }
            for (number, line) in (1..).zip(whole.lines()) {
                let wrong = |what: String| {
                    Failure::Request(format!("{}: line {number} {what}; take another file", shown(path)))
                };
                let line: Line = serde_json::from_str(line).map_err(|_| wrong("is none of a survey".into()))?;
                if line.answer != answer || !asked.contains(line.code.as_str()) {
                    return Err(wrong(format!("answers something about {} that is not asked", line.code)));
                }
                found.insert(line.code, line.found);
            }
            if path == journal && whole.len() < text.len() {
                let cut = OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole.len() as u64));
                cut.map_err(TableError::io(path))?;
            }
        }
        let opened = OpenOptions::new().create(true).append(true).open(&journal).map_err(TableError::io(&journal))?;
        let state = Mutex::new(State { found, journal: opened });
        Ok(Record { file: file.into(), journal, answer, codes: codes.to_vec(), state, _lock: lock })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of the codes about which nothing is left to be asked: all that are decided, and those open after
    /// so much time with so many bytes of memory.
    pub fn settled(&self, time: Option<Duration>, memory: u64) -> HashMap<String, Found> {
        // No limit of time is more than any.
        let time = time.map_or(f64::INFINITY, |time| time.as_secs_f64());
        let is_settled = |found: &Found| {
            let is_enough = |open: &Open| open.seconds.unwrap_or(f64::INFINITY) >= time && open.memory >= memory;
            found.open.as_ref().is_none_or(is_enough)
        };
        let mut settled = self.state().found.clone();
        settled.retain(|_, found| is_settled(found));
        settled
    }

    /// Adds what has been found out, all of it or nothing. What is open stays as it was if it had more time then.
    pub fn add(&self, mut found: Vec<(String, Found)>) -> Result<(), Failure> {
        let mut state = self.state();
        found.retain(|(code, found)| !state.found.get(code).is_some_and(|before| tells_less(found, before)));
        let lines: String = found.iter().map(|(code, found)| self.line(code, found)).collect();
        let written = state.journal.write_all(lines.as_bytes()).and_then(|()| state.journal.flush());
        written.map_err(TableError::io(&self.journal))?;
        state.found.extend(found);
        Ok(())
    }

    fn line(&self, code: &str, found: &Found) -> String {
        let line = Line { code: code.into(), answer: self.answer, found: found.clone() };
        serde_json::to_string(&line).map_or(String::new(), |line| line + "\n")
    }

    /// Writes the file, deletes the journal, and counts. What has not been found out is open.
    pub fn finish(self) -> Result<Summary, Failure> {
        let state = self.state();
        let mut summary = Summary { all: self.codes.len(), won: [0; 3], open: 0 };
        let mut text = String::new();
        for code in &self.codes {
            let found = state.found.get(code).cloned().unwrap_or_else(|| Found::unasked(code, self.answer));
            text += &self.line(code, &found);
            match found.winner.as_deref() {
                _ if found.open.is_some() => summary.open += 1,
                Some("black") => summary.won[0] += 1,
                Some("white") => summary.won[1] += 1,
                _ => summary.won[2] += 1,
            }
        }
        Part::write(&self.file, text.as_bytes())?;
        std::fs::remove_file(&self.journal).map_err(TableError::io(&self.journal))?;
        Ok(summary)
    }
}

impl Summary {
    /// "12 variants: Black wins 3, White 8, 1 open".
    pub fn text(&self) -> String {
        let Summary { all, won: [black, white, draws], open } = *self;
        let noun = if all == 1 { "variant" } else { "variants" };
        let mut text = format!("{} {noun}: Black wins {}, White {}", count(all), count(black), count(white));
        for (number, what) in [(draws, "drawn"), (open, "open")] {
            if number > 0 {
                text += &format!(", {} {what}", count(number));
            }
        }
        text
    }
}

/// Whether a variant is still open, after less time or with less memory than before, and within no narrower bounds.
fn tells_less(found: &Found, before: &Found) -> bool {
    let (Some(open), Some(before)) = (&found.open, &before.open) else { return false };
    let seconds = |open: &Open| open.seconds.unwrap_or(f64::INFINITY);
    let had_less = seconds(open) < seconds(before) || open.memory < before.memory;
    let most = |open: &Open| open.at_most.unwrap_or(i64::MAX);
    had_less && open.at_least <= before.at_least && most(open) >= most(before)
}

fn count(number: usize) -> String {
    grouped(number as u64)
}

/// The text of a file; nothing if it is not there.
fn text_of(path: &Path) -> Result<String, Failure> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Err(Failure::Request(format!("{}: is no text; take another file", shown(path))))
        }
        read => Ok(read.map_err(TableError::io(path))?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An open variant after so many seconds, with its bounds.
    fn open(seconds: f64, at_least: Option<i64>, at_most: Option<i64>) -> Found {
        let open = Open { seconds: Some(seconds), at_least, at_most, ..Open::default() };
        Found { open: Some(open), ..Found::default() }
    }

    #[test]
    fn less_time_tells_less_unless_bounds_are_narrower() {
        let before = open(60.0, Some(-2), None);
        for (found, less) in [
            (open(10.0, Some(-2), None), true),
            (open(10.0, None, None), true),
            (open(60.0, None, None), false),
            (open(10.0, Some(0), None), false),
            (open(10.0, Some(-2), Some(8)), false),
            (Found::default(), false),
        ] {
            assert_eq!(tells_less(&found, &before), less, "{found:?}");
        }
        assert!(tells_less(&open(10.0, None, Some(9)), &open(60.0, None, Some(8))));
        assert!(!tells_less(&before, &Found::default()), "what was not open is asked about no more");
    }
}
