//! Solves the positions of a file, one for each line or recorded game.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use yomikiri_answer::CheckedSearchReport;
use yomikiri_play::input::Lines;
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue, Archived, Notation, Value};
use yomikiri_search::Search;
use yomikiri_table::source::open_file;

use super::solved_position::{SolvedPosition, short, warn_if_long, work};
use crate::CommandResult;
use crate::archive::{self, ArchiveReader};
use crate::error::Failure;
use crate::output::{counted, note, print, print_json, shown};
use crate::progress::TerminalProgress;

/// The maximum length of a file in bytes. A file of this length holds about a million positions. `LONGEST_LINE` is the
/// maximum length of a line in bytes.
const LONGEST_FILE: u64 = 64 << 20;
const LONGEST_LINE: u64 = 64 << 10;

/// The source of positions.
pub enum SuiteSource {
    File(PathBuf),
    StandardInput,
}

impl SuiteSource {
    /// Returns standard input for `-`, otherwise the file.
    pub fn of(path: &Path) -> SuiteSource {
        if path.as_os_str() == "-" { SuiteSource::StandardInput } else { SuiteSource::File(path.to_path_buf()) }
    }

    /// Returns the name of the file, or an empty text for standard input.
    fn name(&self) -> String {
        match self {
            SuiteSource::File(path) => path.to_string_lossy().into_owned(),
            SuiteSource::StandardInput => String::new(),
        }
    }

    fn open(&self) -> Result<Box<dyn BufRead>, Failure> {
        Ok(match self {
            SuiteSource::File(path) => Box::new(BufReader::new(open_file(path)?)),
            SuiteSource::StandardInput => Box::new(std::io::stdin().lock()),
        })
    }

    /// Calls `take` with each line and its number, counted from 1. It is an error if a line or the whole input is too
    /// long.
    fn for_each_line(
        &self,
        reader: impl BufRead,
        mut take: impl FnMut(&[u8], u64) -> Result<(), Failure>,
    ) -> CommandResult {
        let (mut lines, mut length) = (Lines::new(reader, LONGEST_LINE), 0);
        for number in 1.. {
            let read = lines.read_bytes().map_err(|error| Failure::work(error).named(self))?;
            let Some(line) = read else { break };
            length += line.len() as u64 + 1;
            if lines.is_cut {
                return Err(Failure::request(format!("{self}:{number}: is longer than {LONGEST_LINE} bytes")));
            }
            if length > LONGEST_FILE {
                return Err(Failure::request(format!("{self}: is longer than {LONGEST_FILE} bytes")));
            }
            take(&line, number)?;
        }
        Ok(())
    }
}

impl fmt::Display for SuiteSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteSource::File(path) => shown(path).fmt(f),
            SuiteSource::StandardInput => f.write_str("standard input"),
        }
    }
}

/// A position of a file.
pub struct SuiteEntry {
    position: AnyPosition,
    /// The value that the file gives for the position, or `None` if it gives none.
    expected: Option<AnyValue>,
}

/// The form of the output for each position.
#[derive(Clone, Copy)]
pub struct SuiteForm {
    /// True if best play to the end is printed.
    pub line: bool,
    pub json: bool,
}

/// Reads all positions. The first bad line or game is an error that names the file, the line or game, and the problem.
pub fn read(game: &AnyGame, source: &SuiteSource) -> Result<Vec<SuiteEntry>, Failure> {
    let mut reader = source.open()?;
    let unreadable = |error: std::io::Error| Failure::work(error).named(source);
    let is_archive = archive::is_archive(game, &source.name(), &mut reader).map_err(unreadable)?;
    let entries = if is_archive { read_games(game, source, reader)? } else { read_lines(game, source, reader)? };
    if entries.is_empty() {
        return Err(Failure::request(format!("{source}: has no positions")));
    }
    Ok(entries)
}

/// Reads one position of each recorded game: the position for which the record has a score. Skips games whose moves end
/// before that position. A note names the first skipped game and gives the number of the others.
fn read_games(game: &AnyGame, source: &SuiteSource, reader: impl BufRead) -> Result<Vec<SuiteEntry>, Failure> {
    let mut games = ArchiveReader::open(game, source.to_string(), reader, LONGEST_FILE)?;
    let (mut entries, mut broken_off) = (Vec::new(), Vec::new());
    while let Some(found) = games.next()? {
        match found.map_err(|error| Failure::request(error).named(source))? {
            Archived::Scored(position, expected) => entries.push(SuiteEntry { position, expected }),
            Archived::EndedEarly(empties) => broken_off.push((games.number, empties)),
        }
    }
    if let Some(reason) = &games.head.why_not_comparable {
        note(&format!("{source}: {reason}"));
    }
    if let Some(&(number, empties)) = broken_off.first() {
        let others = match broken_off.len() - 1 {
            0 => String::new(),
            more => format!("; {more} others were skipped too"),
        };
        let reason = archive::broken_off(empties, &games.head);
        note(&format!("{source}: game {number} was skipped, because it {reason}{others}"));
    }
    Ok(entries)
}

/// Reads the position of each line. Comments and empty lines are skipped.
fn read_lines(game: &AnyGame, source: &SuiteSource, reader: impl BufRead) -> Result<Vec<SuiteEntry>, Failure> {
    let mut entries = Vec::new();
    source.for_each_line(reader, |line, number| {
        let bad = |problem: String| Failure::request(format!("{source}:{number}: {problem}"));
        // Cuts off the comment first, because it need not be UTF-8 text.
        let told = line.split(|&byte| byte == b'%').next().unwrap_or_default();
        if told.trim_ascii().is_empty() || told.trim_ascii().starts_with(b"#") {
            return Ok(());
        }
        let text = std::str::from_utf8(told).map_err(|_| bad("is not UTF-8 text".into()))?.trim();
        let (position, expected) = game.parse_suite_line(text).map_err(|error| bad(error.to_string()))?;
        entries.push(SuiteEntry { position, expected });
        Ok(())
    })?;
    Ok(entries)
}

/// Solves all positions and prints each result. After the last position, returns an error if any value differs from the
/// value in the file.
pub fn solve(
    game: &AnyGame,
    search: &dyn Search<AnyGame>,
    source: &SuiteSource,
    entries: &[SuiteEntry],
    form: SuiteForm,
) -> CommandResult {
    let progress = TerminalProgress::new(false);
    let mut sum = SuiteTotals { positions: entries.len(), nodes: 0, time: Duration::ZERO, checked: 0, differ: 0 };
    for entry in entries {
        warn_if_long(game, search, &entry.position);
        let found = SolvedPosition::search(game, search, &entry.position, form.line, &progress)?;
        let agrees = entry.expected.map(|expected| expected == found.value);
        sum.add(&found, agrees);
        match form.json {
            true => {
                let expected = entry.expected.map(Value::measure);
                print_json(&CheckedSearchReport { found: found.report(game), expected, agrees })?;
            }
            false => print(&format!("{}{}", found.row(game), differing(entry.expected, agrees)))?,
        }
    }
    if !form.json {
        print(&sum.text())?;
    }
    match sum.differ {
        0 => Ok(()),
        _ => Err(Failure::work(format!("{source}: checked {}, {} differ", sum.checked, sum.differ))),
    }
}

/// Formats the end of an output line: the expected value if the computed value differs from it, otherwise an empty
/// text.
fn differing<V: Value>(expected: Option<V>, agrees: Option<bool>) -> String {
    match (expected, agrees) {
        (Some(expected), Some(false)) => format!("  differs: expected {}", short(expected)),
        _ => String::new(),
    }
}

/// The totals of a file.
struct SuiteTotals {
    positions: usize,
    nodes: u64,
    time: Duration,
    /// The number of positions with an expected value. `differ` is the number of these positions whose computed value
    /// differs from the expected one.
    checked: usize,
    differ: usize,
}

impl SuiteTotals {
    fn add(&mut self, found: &SolvedPosition, agrees: Option<bool>) {
        self.nodes += found.nodes;
        self.time += found.time;
        self.checked += usize::from(agrees.is_some());
        self.differ += usize::from(agrees == Some(false));
    }

    fn text(&self) -> String {
        let positions = counted(self.positions as u64, "position");
        let checked = match self.checked {
            0 => String::new(),
            checked => format!("\nchecked {checked}, {} differ", self.differ),
        };
        format!("{positions}, nodes {}{checked}", work(self.nodes, self.time))
    }
}
