//! The checkpoints of a proof or of a search, with the messages about them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use yomikiri_answer::shell;
use yomikiri_rules::visible;
use yomikiri_search::checkpoint::{Checkpoints, Header, Kind, ProgressCounts, Resumed, SavedCheckpoint};
use yomikiri_table::{TableError, local};

use crate::error::Failure;
use crate::output::{bytes, grouped, note, shown};
use crate::progress::clock_text;
use crate::settings::{parse_memory, parse_time, path_beside_position};
use crate::suggest::program;

/// The options for checkpoints.
#[derive(Args)]
pub struct CheckpointOptions {
    /// Keep the state in this folder, and resume from the state that is there
    #[arg(long, value_name = "DIR", value_parser = path_beside_position())]
    checkpoint: Option<PathBuf>,

    /// Time between two checkpoints
    #[arg(long, value_name = "T", default_value = "5m", requires = "checkpoint", value_parser = parse_time)]
    every: Duration,

    /// Maximum size of each of the two checkpoints; if it is too small, the entries of the least work are left out
    #[arg(long, value_name = "SIZE", default_value = "1G", requires = "checkpoint", value_parser = parse_memory)]
    checkpoint_size: u64,
}

pub struct CheckpointWriter<K: Kind> {
    folder: PathBuf,
    checkpoints: Checkpoints<K>,
    every: Duration,
    /// The time from which `every` counts: the last attempt to write a checkpoint. Before the first attempt, it is the
    /// time at which the run resumed or opened the checkpoints.
    last: Instant,
    /// The last checkpoint that this run has written, or `None` if it has written none. `failed` is true if the latest
    /// attempt to write one failed. An attempt that gives up before the checkpoint is complete changes neither field.
    kept: Option<SavedCheckpoint>,
    failed: bool,
    /// The header of the checkpoint that this run resumed from, or `None` if it did not resume.
    from: Option<Header<K::Counts>>,
}

impl<K: Kind> CheckpointWriter<K> {
    /// Opens the folder of checkpoints that `place` names. Returns `None` if `place` names no folder.
    pub fn open(place: CheckpointOptions) -> Result<Option<CheckpointWriter<K>>, Failure> {
        let Some(folder) = place.checkpoint else { return Ok(None) };
        local::check(&folder).map_err(Failure::request)?;
        let checkpoints = Checkpoints::open(&folder, place.checkpoint_size)?;
        let (every, last) = (place.every, Instant::now());
        Ok(Some(CheckpointWriter { folder, checkpoints, every, last, kept: None, failed: false, from: None }))
    }

    /// Resumes from the checkpoint that `take_up` reads, if there is one. Prints a note about the checkpoint unless
    /// `quiet` is true. Returns the time that earlier runs took, or zero if there is no checkpoint.
    pub fn resume(
        &mut self,
        take_up: impl FnOnce(&mut Checkpoints<K>) -> Result<Option<Resumed<K>>, TableError>,
        quiet: bool,
    ) -> Result<Duration, Failure> {
        let resumed = take_up(&mut self.checkpoints).map_err(unusable)?;
        self.last = Instant::now();
        let Some(Resumed { header, entries, damaged }) = resumed else { return Ok(Duration::ZERO) };
        if let Some(error) = damaged {
            note(&format!("warning: {error}; resuming from the previous checkpoint"));
        }
        if !quiet {
            note(&format!("{}: {}", shown(&self.folder), begun_before(&header, entries)));
        }
        let before = Duration::try_from_secs_f64(header.seconds).unwrap_or_default();
        self.from = Some(header);
        Ok(before)
    }

    /// Returns the counts of progress, such as the number of nodes, in the checkpoint that this run resumed from.
    /// Returns `None` if it did not resume.
    pub fn from(&self) -> Option<&K::Counts> {
        self.from.as_ref().map(|header| &header.details)
    }

    /// Returns the command that resumes the work, or `None` if there is no checkpoint to resume from.
    pub fn resume_command(&self) -> Option<String> {
        (self.kept.is_some() || self.from.is_some()).then(same_command)
    }

    /// Returns the time until the next checkpoint is due, or zero if a checkpoint is due now.
    pub fn wait(&self) -> Duration {
        self.every.saturating_sub(self.last.elapsed())
    }

    /// Calls `write` to write a checkpoint. `write` returns `Ok(None)` if it gives up before the checkpoint is
    /// complete. A failure does not stop the run. Returns a warning at the first failure since the last checkpoint was
    /// written, otherwise `None`.
    pub fn keep(
        &mut self,
        write: impl FnOnce(&mut Checkpoints<K>) -> Result<Option<SavedCheckpoint>, TableError>,
    ) -> Option<String> {
        let kept = write(&mut self.checkpoints);
        self.last = Instant::now();
        match kept {
            Ok(kept) => {
                self.kept = kept.or(self.kept);
                self.failed &= kept.is_none();
                None
            }
            Err(error) => {
                let is_news = !std::mem::replace(&mut self.failed, true);
                let what = K::NAME;
                is_news.then(|| format!("warning: could not write a checkpoint: {error}; the {what} continues"))
            }
        }
    }

    pub fn report(&self) -> CheckpointReport {
        CheckpointReport {
            folder: self.folder.display().to_string(),
            resumed: self.from.is_some(),
            entries: self.kept.map(|kept| kept.entries),
            bytes: self.kept.map(|kept| kept.bytes),
            failed: self.failed,
        }
    }
}

/// The checkpoints of a run, as JSON.
#[derive(Serialize, Deserialize)]
pub struct CheckpointReport {
    folder: String,
    /// True if this run resumed from a checkpoint.
    resumed: bool,
    /// The number of entries in the last checkpoint that this run has written, or `None` if it has written none.
    entries: Option<u64>,
    /// The size of the last checkpoint in bytes, or `None` if this run has written none.
    bytes: Option<u64>,
    /// True if the last attempt to write a checkpoint failed.
    failed: bool,
}

impl CheckpointReport {
    /// Formats the folder and the state of the last checkpoint: "proof: 1,234 entries, 5.6 kB".
    pub fn text(&self) -> String {
        let size = match (self.failed, self.entries, self.bytes) {
            (true, ..) => "could not be written".into(),
            (_, Some(entries), Some(size)) => format!("{} entries, {}", grouped(entries), bytes(size as f64)),
            _ => "unchanged".into(),
        };
        format!("{}: {size}", visible(&self.folder))
    }
}

/// Converts an error of an attempt to resume to a failure. If the checkpoints are at fault, the failure has advice.
fn unusable(error: TableError) -> Failure {
    match error {
        TableError::Foreign { .. } => Failure::request(error).followed_by("; use another folder"),
        // The checkpoints are not at fault: memory was refused, or a file cannot be opened.
        TableError::Io { .. } | TableError::Waiting { .. } => Failure::work(error),
        TableError::Damaged { .. } => {
            Failure::work(error).followed_by("; to start anew, delete the checkpoints in this folder")
        }
    }
}

/// Describes the checkpoint that a run resumes from: "resumed from 2026-03-01 12:00, after 1,234 expansions in 0:12:34
/// (567 entries)".
fn begun_before<D: ProgressCounts>(header: &Header<D>, entries: u64) -> String {
    let written = i64::try_from(header.written).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    let written = written.unwrap_or(Timestamp::MAX);
    let written = written.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string();
    let spent = clock_text(Duration::try_from_secs_f64(header.seconds).unwrap_or_default());
    let ((work, unit), entries) = (header.details.work(), grouped(entries));
    format!("resumed from {written}, after {} {unit} in {spent} ({entries} entries)", grouped(work))
}

/// Returns the command line of this process, quoted for a shell.
fn same_command() -> String {
    let words = std::env::args_os().skip(1).map(|word| shell::word(&word.to_string_lossy()));
    format!("{} {}", program(), words.collect::<Vec<_>>().join(" "))
}
