//! The checkpoints of a proof, as somebody sees them who waits for it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use yomikiri_solve::proof::checkpoint::{Checkpoints, Header, Kept, Resumed};
use yomikiri_solve::proof::{FullPosition, ProofGame, Prover, State};
use yomikiri_table::TableError;

use super::progress::clock_text;
use crate::error::Failure;
use crate::output::{grouped, note};

pub struct Keeping {
    pub folder: PathBuf,
    checkpoints: Checkpoints,
    every: Duration,
    /// When the last one was tried.
    last: Instant,
    /// The last one written, and whether writing failed after that.
    pub kept: Option<Kept>,
    pub failed: bool,
    /// Where this run began.
    pub from: Option<Header>,
}

impl Keeping {
    pub fn open(folder: &Path, most: u64, every: Duration) -> Result<Keeping, Failure> {
        let checkpoints = Checkpoints::open(folder, most)?;
        let (folder, last) = (folder.to_path_buf(), Instant::now());
        Ok(Keeping { folder, checkpoints, every, last, kept: None, failed: false, from: None })
    }

    /// Goes on from the checkpoint, if there is one, and says so; returns the time that earlier runs have taken.
    pub fn resume<P: ProofGame>(
        &mut self,
        prover: &mut Prover<P>,
        position: &FullPosition<P>,
        quiet: bool,
    ) -> Result<Duration, Failure> {
        let resumed = self.checkpoints.resume(prover, position).map_err(|error| self.unusable(error))?;
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

    /// Why nothing can be made of what is there.
    fn unusable(&self, error: TableError) -> Failure {
        match error {
            TableError::Foreign { .. } => Failure::Request(format!("{error}; take another folder")),
            error => Failure::Work(format!("{error}; to begin anew, delete the checkpoints of this folder")),
        }
    }

    /// Whether there is anything to go on from.
    pub fn has_state(&self) -> bool {
        self.kept.is_some() || self.from.is_some()
    }

    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// Writes a checkpoint; returns a warning if that fails and did not fail before.
    pub fn keep<P: ProofGame>(
        &mut self,
        state: &State<'_, P>,
        position: &FullPosition<P>,
        spent: Duration,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<String> {
        let kept = self.checkpoints.keep(state, position, spent, go_on);
        self.last = Instant::now();
        match kept {
            Ok(kept) => {
                self.kept = kept.or(self.kept);
                self.failed &= kept.is_none();
                None
            }
            Err(error) => {
                let is_news = !std::mem::replace(&mut self.failed, true);
                is_news.then(|| format!("warning: no checkpoint was written, the proof goes on: {error}"))
            }
        }
    }
}

/// "goes on from 2026-03-01 12:00, after 1,234 expansions in 0:12:34 (567 entries)".
fn begun_before(header: &Header, entries: u64) -> String {
    let written = i64::try_from(header.written).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    let written = written.unwrap_or(Timestamp::MAX);
    let written = written.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string();
    let spent = clock_text(Duration::try_from_secs_f64(header.seconds).unwrap_or_default());
    let (work, entries) = (grouped(header.details.expansions), grouped(entries));
    format!("goes on from {written}, after {work} expansions in {spent} ({entries} entries)")
}
