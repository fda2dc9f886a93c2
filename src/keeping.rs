//! The checkpoints of a proof or of a search, as somebody sees them who waits for it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use yomikiri_rules::visible;
use yomikiri_solve::checkpoint::{Checkpoints, Details, Header, Kept, Kind, Resumed};
use yomikiri_table::TableError;

use crate::analyze::program;
use crate::error::Failure;
use crate::output::{bytes, grouped, note};
use crate::progress::clock_text;
use crate::settings::{parse_memory, parse_time};

/// Where the state is kept.
#[derive(Args)]
pub struct Place {
    /// Keep the state in this folder, and go on from the one that is there
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,

    /// Time between two checkpoints
    #[arg(long, value_name = "T", default_value = "5m", requires = "checkpoint", value_parser = parse_time)]
    every: Duration,

    /// Room that each of two checkpoints may take; what took least work is left out
    #[arg(long, value_name = "SIZE", default_value = "1G", requires = "checkpoint", value_parser = parse_memory)]
    checkpoint_size: u64,
}

pub struct Keeping<K: Kind> {
    folder: PathBuf,
    checkpoints: Checkpoints<K>,
    every: Duration,
    /// When the last one was tried.
    last: Instant,
    /// The last one written, and whether writing failed after that.
    kept: Option<Kept>,
    failed: bool,
    /// Where this run began.
    from: Option<Header<K::Details>>,
}

impl<K: Kind> Keeping<K> {
    /// `None` if nothing is to be kept.
    pub fn open(place: Place) -> Result<Option<Keeping<K>>, Failure> {
        let Some(folder) = place.checkpoint else { return Ok(None) };
        let checkpoints = Checkpoints::open(&folder, place.checkpoint_size)?;
        let (every, last) = (place.every, Instant::now());
        Ok(Some(Keeping { folder, checkpoints, every, last, kept: None, failed: false, from: None }))
    }

    /// Goes on from the checkpoint that `take_up` reads, if there is one, and says so; returns the time that earlier
    /// runs have taken.
    pub fn resume(
        &mut self,
        take_up: impl FnOnce(&mut Checkpoints<K>) -> Result<Option<Resumed<K>>, TableError>,
        quiet: bool,
    ) -> Result<Duration, Failure> {
        let resumed = take_up(&mut self.checkpoints).map_err(unusable)?;
        self.last = Instant::now();
        let Some(Resumed { header, entries, damaged }) = resumed else { return Ok(Duration::ZERO) };
        if let Some(error) = damaged {
            note(&format!("warning: {error}; the one before it is taken"));
        }
        if !quiet {
            note(&format!("{}: {}", self.folder.display(), begun_before(&header, entries)));
        }
        let before = Duration::try_from_secs_f64(header.seconds).unwrap_or_default();
        self.from = Some(header);
        Ok(before)
    }

    /// How far it was where this run began.
    pub fn from(&self) -> Option<&K::Details> {
        self.from.as_ref().map(|header| &header.details)
    }

    /// The command that goes on, if there is anything to go on from.
    pub fn go_on(&self) -> Option<String> {
        (self.kept.is_some() || self.from.is_some()).then(same_command)
    }

    /// How long it is until the next one is due.
    pub fn wait(&self) -> Duration {
        self.every.saturating_sub(self.last.elapsed())
    }

    /// Has `write` write a checkpoint; returns a warning if that fails and did not fail before.
    pub fn keep(
        &mut self,
        write: impl FnOnce(&mut Checkpoints<K>) -> Result<Option<Kept>, TableError>,
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
                is_news.then(|| format!("warning: no checkpoint was written, the {what} goes on: {error}"))
            }
        }
    }

    pub fn report(&self) -> Report {
        Report {
            folder: self.folder.display().to_string(),
            resumed: self.from.is_some(),
            entries: self.kept.map(|kept| kept.entries),
            bytes: self.kept.map(|kept| kept.bytes),
            failed: self.failed,
        }
    }
}

/// What was kept.
#[derive(Serialize)]
pub struct Report {
    folder: String,
    /// Whether this run went on from it.
    resumed: bool,
    /// Of the last one this run has written.
    entries: Option<u64>,
    bytes: Option<u64>,
    /// Whether the last one could not be written.
    failed: bool,
}

impl Report {
    /// "proof: 1,234 entries, 5.6 KB".
    pub fn text(&self) -> String {
        let size = match (self.failed, self.entries, self.bytes) {
            (true, ..) => "could not be written".into(),
            (_, Some(entries), Some(size)) => format!("{} entries, {}", grouped(entries), bytes(size as f64)),
            _ => "as it was".into(),
        };
        format!("{}: {size}", visible(&self.folder))
    }
}

/// Why nothing can be made of what is there.
fn unusable(error: TableError) -> Failure {
    match error {
        TableError::Foreign { .. } => Failure::Request(format!("{error}; take another folder")),
        error => Failure::Work(format!("{error}; to begin anew, delete the checkpoints of this folder")),
    }
}

/// "goes on from 2026-03-01 12:00, after 1,234 expansions in 0:12:34 (567 entries)".
fn begun_before<D: Details>(header: &Header<D>, entries: u64) -> String {
    let written = i64::try_from(header.written).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    let written = written.unwrap_or(Timestamp::MAX);
    let written = written.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string();
    let spent = clock_text(Duration::try_from_secs_f64(header.seconds).unwrap_or_default());
    let ((work, unit), entries) = (header.details.work(), grouped(entries));
    format!("goes on from {written}, after {} {unit} in {spent} ({entries} entries)", grouped(work))
}

/// The command that was given.
fn same_command() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default();
    format!("{} {words}", program())
}
