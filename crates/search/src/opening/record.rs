//! The record of the proof of an opening. The first line names the subject: the rules. Each other line is the result
//! for one group of positions of the same ply, appended when the group is proved. A run that was killed resumes from
//! the record.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::group::{PlyGroup, groups};
use super::levels::{MAX_PLIES, position};
use super::outcomes::Outcomes;
use super::prove::GroupProof;
use yomikiri_rules::{Game, Side, key_text};
use yomikiri_table::json_lines;
use yomikiri_table::line_journal::{self, LineJournal};
use yomikiri_table::{PartFile, Replaceable, RunLock, TableError, text_file};

/// The maximum length of a record in bytes.
const LONGEST: u64 = 1 << 28;

/// The beginning of the first line, a [`Subject`].
const BEGIN: &str = "{\"opening\":";

/// The rules that a record is about. This is the first line of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Subject {
    opening: String,
    rules_revision: u32,
}

/// A record that one run appends to.
pub struct Record<G: Game> {
    game: G,
    path: PathBuf,
    subject: Subject,
    /// The results, by number of plies and by the key of the group's common ancestor, as text.
    proved: BTreeMap<(u32, String), GroupProof>,
    journal: LineJournal,
    /// The length in bytes of an incomplete last line, which was cut off.
    pub cut: usize,
    _lock: RunLock,
}

impl<G: Game> Record<G> {
    /// Opens the record at `path`, or begins one. Returns an error, and leaves the file unchanged, if it is not a
    /// record of this opening.
    pub fn open(game: &G, path: &Path) -> Result<Record<G>, TableError> {
        let lock = RunLock::take_for(path, "opening")?;
        let subject = Subject { opening: game.code(), rules_revision: game.rules_revision() };
        let (lines, cut) = line_journal::read_lines(path, LONGEST, BEGIN)?;
        let text = std::str::from_utf8(&lines).map_err(|_| TableError::foreign(path, "is not text"))?;
        let proved = read(game, path, text, &subject)?;
        let mut journal = LineJournal::open(path, lines.len() as u64)?;
        if lines.is_empty() {
            journal.append(&(json_lines::write(&subject) + "\n"))?;
        }
        let (game, path) = (game.clone(), path.into());
        Ok(Record { game, path, subject, proved, journal, cut, _lock: lock })
    }

    /// Returns the groups after `plies` moves that are not proved yet and whose winners do not all follow from those of
    /// later positions. Groups with the fewest mistakes on a line to their common ancestor come first. A mistake turns a
    /// won position into a lost one (`Outcomes::mistakes`). Groups with equal numbers of mistakes stay in depth-first
    /// order, so that neighbouring groups have many descendants in common.
    pub fn open_groups(&self, plies: u32) -> Vec<PlyGroup> {
        let (mut groups, outcomes) = (groups(&self.game, plies), self.outcomes());
        let at = plies as usize;
        let is_known = |&key: &u64| at < outcomes.levels.len() && outcomes.mover_wins(at, key).is_some();
        groups.retain(|group| {
            !self.proved.contains_key(&(plies, key_text(group.below))) && !group.keys.iter().all(is_known)
        });
        let mistakes = outcomes.mistakes(&self.game);
        groups.sort_by_key(|group| mistakes.get(&group.below).copied());
        groups
    }

    /// The results so far.
    pub fn proved(&self) -> impl Iterator<Item = &GroupProof> {
        self.proved.values()
    }

    /// Appends the result for a group and syncs it to disk.
    pub fn add(&mut self, proved: GroupProof) -> Result<(), TableError> {
        self.journal.append(&(json_lines::write(&proved) + "\n"))?;
        self.proved.insert((proved.plies, proved.below.clone()), proved);
        Ok(())
    }

    /// Returns all winners that are proved or follow from proved winners.
    pub fn outcomes(&self) -> Outcomes {
        let plies = self.proved.keys().map(|&(plies, _)| plies).max().unwrap_or(0);
        let (game, mut won) = (&self.game, HashMap::new());
        for group in (0..=plies).flat_map(|plies| groups(game, plies)) {
            let Some(proved) = self.proved.get(&(group.plies, key_text(group.below))) else { continue };
            for (key, winner) in group.keys.into_iter().zip(proved.winners.chars()) {
                let position = position(game, key);
                won.insert(key, (winner == 'B') == (game.side(&position) == Side::Black));
            }
        }
        Outcomes::of(game, plies, &won)
    }

    /// Rewrites the file with its lines in order: by plies, then in the order of the groups.
    pub fn sort(self) -> Result<(), TableError> {
        let Record { game, path, subject, mut proved, journal, .. } = self;
        let mut lines = json_lines::write(&subject) + "\n";
        for plies in 0..=MAX_PLIES {
            if proved.keys().any(|&(of, _)| of == plies) {
                let here =
                    groups(&game, plies).into_iter().filter_map(|group| proved.remove(&(plies, key_text(group.below))));
                lines.extend(here.map(|proved| json_lines::write(&proved) + "\n"));
            }
        }
        drop(journal);
        PartFile::write(&path, lines.as_bytes(), replaceable(subject))
    }
}

/// Reads the lines of a record about `subject`.
fn read<G: Game>(
    game: &G,
    path: &Path,
    text: &str,
    subject: &Subject,
) -> Result<BTreeMap<(u32, String), GroupProof>, TableError> {
    let mut lines = (1..).zip(text.lines());
    let Some((_, first)) = lines.next() else { return Ok(BTreeMap::new()) };
    match json_lines::read::<Subject>(first) {
        Ok(found) if found == *subject => {}
        Ok(Subject { opening, rules_revision }) => {
            let what = format!(
                "is the record of {opening} with rules revision {rules_revision}, not of this run; move it away"
            );
            return Err(TableError::foreign(path, what));
        }
        Err(_) => return Err(TableError::foreign(path, "is not the record of an opening; move it away")),
    }
    // The number of positions of each group, by number of plies and by the key of the group's common ancestor.
    let mut lengths: HashMap<u32, HashMap<String, usize>> = HashMap::new();
    let mut proved = BTreeMap::new();
    for (number, line) in lines {
        let damaged = |what: String| TableError::damaged(path, format!("line {number} {what}; move the file away"));
        let read = json_lines::read::<GroupProof>(line).map_err(|error| damaged(error.to_string()))?;
        if read.plies > MAX_PLIES {
            return Err(damaged(format!("has {} plies, which is too many", read.plies)));
        }
        let of_ply = lengths.entry(read.plies).or_insert_with(|| {
            groups(game, read.plies).into_iter().map(|group| (key_text(group.below), group.keys.len())).collect()
        });
        let is_whole = of_ply.get(&read.below) == Some(&read.winners.len());
        if !is_whole || !read.winners.bytes().all(|byte| b"BW".contains(&byte)) {
            return Err(damaged(format!("does not have one winner for each position below {}", read.below)));
        }
        if let Some(twice) = proved.insert((read.plies, read.below.clone()), read) {
            return Err(damaged(format!("repeats the group of positions below {}", twice.below)));
        }
    }
    Ok(proved)
}

/// Returns the files that a record may replace: records of the same subject.
fn replaceable(subject: Subject) -> Replaceable {
    Replaceable::own("the record of an opening", move |path| {
        let first = text_file::read(path, LONGEST).ok().and_then(|text| text.lines().next().map(String::from));
        first.is_some_and(|line| json_lines::read::<Subject>(&line).is_ok_and(|found| found == subject))
    })
}
