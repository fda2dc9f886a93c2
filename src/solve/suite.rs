//! Files of positions, one a line, solved one after the other.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use yomikiri_answer::CheckedSearchReport;
use yomikiri_play::input::Lines;
use yomikiri_rules::{Game, Value};
use yomikiri_solve::{Search, Solvable};
use yomikiri_table::source::open_file;

use super::found::{Found, short, warn_if_long, work};
use crate::Done;
use crate::error::Failure;
use crate::output::{print, print_json};
use crate::progress::TerminalProgress;

/// Bytes of the longest file: some million positions. And of the longest line.
const LONGEST_FILE: u64 = 64 << 20;
const LONGEST_LINE: u64 = 64 << 10;

/// Where positions come from.
pub enum Source {
    File(PathBuf),
    StandardInput,
}

impl Source {
    /// A file, or standard input for `-`.
    pub fn of(path: &Path) -> Source {
        if path.as_os_str() == "-" { Source::StandardInput } else { Source::File(path.to_path_buf()) }
    }

    fn open(&self) -> Result<Box<dyn BufRead>, Failure> {
        Ok(match self {
            Source::File(path) => Box::new(BufReader::new(open_file(path)?)),
            Source::StandardInput => Box::new(std::io::stdin().lock()),
        })
    }

    /// Calls `take` with each line and its number, as far as a file may go.
    fn for_each_line(&self, mut take: impl FnMut(&[u8], u64) -> Result<(), Failure>) -> Done {
        let (mut lines, mut length) = (Lines::new(self.open()?, LONGEST_LINE), 0);
        for number in 1.. {
            let read = lines.read_bytes().map_err(|error| Failure::Work(format!("{self}: {error}")))?;
            let Some(line) = read else { break };
            length += line.len() as u64 + 1;
            if lines.is_cut {
                return Err(Failure::Request(format!("{self}:{number}: is longer than {LONGEST_LINE} bytes")));
            }
            if length > LONGEST_FILE {
                return Err(Failure::Request(format!("{self}: is longer than {LONGEST_FILE} bytes")));
            }
            take(&line, number)?;
        }
        Ok(())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => path.display().fmt(f),
            Source::StandardInput => f.write_str("standard input"),
        }
    }
}

/// A position of a file.
pub struct Entry<G: Game> {
    position: G::Position,
    /// The value that its line says it has.
    expected: Option<G::Value>,
}

/// What is printed of each position.
#[derive(Clone, Copy)]
pub struct Form {
    /// Best play to the end.
    pub line: bool,
    pub json: bool,
}

/// Reads all positions; the first bad line is an error that names file, line and problem.
pub fn read<G: Game>(game: &G, source: &Source) -> Result<Vec<Entry<G>>, Failure> {
    let mut entries = Vec::new();
    source.for_each_line(|line, number| {
        let bad = |problem: String| Failure::Request(format!("{source}:{number}: {problem}"));
        // Remarks may hold any bytes.
        let told = line.split(|&byte| byte == b'%').next().unwrap_or_default();
        if told.trim_ascii().is_empty() || told.trim_ascii().starts_with(b"#") {
            return Ok(());
        }
        let text = std::str::from_utf8(told).map_err(|_| bad("is no UTF-8 text".into()))?.trim();
        let (position, expected) = game.parse_suite_line(text).map_err(|error| bad(error.to_string()))?;
        entries.push(Entry { position, expected });
        Ok(())
    })?;
    if entries.is_empty() {
        return Err(Failure::Request(format!("{source}: has no positions")));
    }
    Ok(entries)
}

/// Solves all positions and prints each; values that are not those of their lines make an error at the end.
pub fn solve<G: Solvable>(game: &G, search: &dyn Search<G>, source: &Source, entries: &[Entry<G>], form: Form) -> Done {
    let progress = TerminalProgress::new(false);
    let mut sum = Sum { positions: entries.len(), nodes: 0, time: Duration::ZERO, checked: 0, differ: 0 };
    for entry in entries {
        warn_if_long(game, search, &entry.position);
        let found = Found::search(game, search, &entry.position, form.line, &progress)?;
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
        _ => Err(Failure::Work(format!("{source}: checked {}, {} differ", sum.checked, sum.differ))),
    }
}

/// What a row says after a value that is not the expected one.
fn differing<V: Value>(expected: Option<V>, agrees: Option<bool>) -> String {
    match (expected, agrees) {
        (Some(expected), Some(false)) => format!("  differs: {} expected", short(expected)),
        _ => String::new(),
    }
}

/// All positions of a file together.
struct Sum {
    positions: usize,
    nodes: u64,
    time: Duration,
    /// Positions whose line says their value, and those of them that have another.
    checked: usize,
    differ: usize,
}

impl Sum {
    fn add<G: Game>(&mut self, found: &Found<G>, agrees: Option<bool>) {
        self.nodes += found.nodes;
        self.time += found.time;
        self.checked += usize::from(agrees.is_some());
        self.differ += usize::from(agrees == Some(false));
    }

    fn text(&self) -> String {
        let positions = if self.positions == 1 { "1 position".into() } else { format!("{} positions", self.positions) };
        let checked = match self.checked {
            0 => String::new(),
            checked => format!("\nchecked {checked}, {} differ", self.differ),
        };
        format!("{positions}, nodes {}{checked}", work(self.nodes, self.time))
    }
}
