//! A search that writes checkpoints.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};

use serde::Serialize;
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue};
use yomikiri_search::exact::SearchRun;
use yomikiri_search::exact::checkpoint::{SearchKind, SearchTotals};
use yomikiri_search::{Bounded, Search, Solution};
use yomikiri_table::threads;

use crate::checkpoints::{self, CheckpointWriter};
use crate::error::Failure;
use crate::output::note;
use crate::progress::TerminalProgress;

pub struct CheckpointedSearch<'a> {
    game: &'a AnyGame,
    search: &'a dyn Search<AnyGame>,
    position: &'a AnyPosition,
    keeping: Option<CheckpointWriter<SearchKind>>,
    /// The number of positions that earlier runs searched. `before` is the time that these runs took.
    nodes: u64,
    before: Duration,
}

/// The result of a search.
pub struct SearchResult {
    pub solved: Result<Solution<AnyGame>, Bounded<AnyValue>>,
    /// The time that all runs took.
    pub time: Duration,
    pub kept: CheckpointFields,
}

/// The JSON fields about checkpoints.
#[derive(Serialize)]
pub struct CheckpointFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<checkpoints::CheckpointReport>,
    /// The command that resumes an undecided search, or `None` if the value is known or there is no checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    go_on: Option<String>,
}

/// A report with the fields about checkpoints added.
#[derive(Serialize)]
pub struct WithCheckpoint<'a, R> {
    #[serde(flatten)]
    report: R,
    #[serde(flatten)]
    kept: &'a CheckpointFields,
}

impl<'a> CheckpointedSearch<'a> {
    /// Prepares a search. If `keeping` has a checkpoint, resumes the search from it. Prints a note about the checkpoint
    /// unless `quiet` is true.
    pub fn resume(
        game: &'a AnyGame,
        search: &'a dyn Search<AnyGame>,
        position: &'a AnyPosition,
        mut keeping: Option<CheckpointWriter<SearchKind>>,
        quiet: bool,
    ) -> Result<CheckpointedSearch<'a>, Failure> {
        let before = match &mut keeping {
            None => Duration::ZERO,
            Some(keeping) => keeping.resume(|checkpoints| checkpoints.resume(game, search, position), quiet)?,
        };
        let nodes = keeping.as_ref().and_then(CheckpointWriter::from).map_or(0, |counts| counts.nodes);
        Ok(CheckpointedSearch { game, search, position, keeping, nodes, before })
    }

    /// Searches until the value is known or `stop` is set.
    ///
    /// # Errors
    /// If the thread that writes checkpoints cannot be started.
    pub fn solve(mut self, stop: &AtomicBool) -> Result<SearchResult, Failure> {
        let (begun, progress, nodes) = (Instant::now(), TerminalProgress::new(true), AtomicU64::new(self.nodes));
        let run = SearchRun { stop, nodes: &nodes, progress: &progress };
        let (search, position) = (self.search, self.position);
        let solved = std::thread::scope(|scope| {
            let (at_work, ended) = channel::<()>();
            if self.keeping.is_some() {
                threads::start_scoped(scope, "checkpoints", || self.keep_now_and_then(&nodes, begun, ended))?;
            }
            let solved = search.solve_until(position, &run);
            drop(at_work);
            Ok::<_, Failure>(solved)
        })?;
        self.keep(&nodes, begun, &mut || true);
        let go_on = self.keeping.as_ref().filter(|_| solved.is_err()).and_then(CheckpointWriter::resume_command);
        let checkpoint = self.keeping.as_ref().map(CheckpointWriter::report);
        Ok(SearchResult { solved, time: self.before + begun.elapsed(), kept: CheckpointFields { checkpoint, go_on } })
    }

    /// Writes checkpoints when they are due, until the search has ended.
    fn keep_now_and_then(&mut self, nodes: &AtomicU64, begun: Instant, ended: Receiver<()>) {
        while let Some(keeping) = &self.keeping
            && ended.recv_timeout(keeping.wait()) == Err(RecvTimeoutError::Timeout)
        {
            self.keep(nodes, begun, &mut || ended.try_recv() == Err(TryRecvError::Empty));
        }
    }

    /// Writes a checkpoint. Abandons the checkpoint if `go_on` returns false before it is complete.
    fn keep(&mut self, nodes: &AtomicU64, begun: Instant, go_on: &mut dyn FnMut() -> bool) {
        let Some(keeping) = &mut self.keeping else { return };
        let totals = SearchTotals { nodes: nodes.load(Ordering::Relaxed), spent: self.before + begun.elapsed() };
        let warning =
            keeping.keep(|checkpoints| checkpoints.keep(self.game, self.search, self.position, totals, go_on));
        warning.iter().for_each(|warning| note(warning));
    }
}

impl CheckpointFields {
    pub fn with<R: Serialize>(&self, report: R) -> WithCheckpoint<'_, R> {
        WithCheckpoint { report, kept: self }
    }

    /// Appends the lines about checkpoints to a text.
    pub fn after(&self, text: String) -> String {
        let kept = self.checkpoint.as_ref().map(|kept| format!("\ncheckpoint {}", kept.text()));
        let go_on = self.go_on.as_ref().map(|command| format!("\nresume with {command}"));
        [Some(text), kept, go_on].into_iter().flatten().collect()
    }
}
