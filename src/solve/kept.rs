//! A search whose state is kept while it is at work.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};

use serde::Serialize;
use yomikiri_rules::Game;
use yomikiri_solve::search::Run;
use yomikiri_solve::search::checkpoint::OfSearch;
use yomikiri_solve::{Bounded, Search, Solution};
use yomikiri_table::threads;

use crate::error::Failure;
use crate::keeping::{self, Keeping};
use crate::output::note;
use crate::progress::TerminalProgress;

pub struct Kept<'a, G: Game> {
    game: &'a G,
    search: &'a dyn Search<G>,
    position: &'a G::Position,
    keeping: Option<Keeping<OfSearch>>,
    /// Positions looked at, and time taken, in earlier runs.
    nodes: u64,
    before: Duration,
}

/// What has come of it.
pub struct Ended<G: Game> {
    pub solved: Result<Solution<G>, Bounded<G::Value>>,
    /// Of all runs.
    pub time: Duration,
    pub kept: Report,
}

/// What is said about checkpoints, if there are any.
#[derive(Serialize)]
pub struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<keeping::Report>,
    /// The command that goes on where nothing was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    go_on: Option<String>,
}

/// An object with what is said about checkpoints.
#[derive(Serialize)]
pub struct With<'a, R> {
    #[serde(flatten)]
    report: R,
    #[serde(flatten)]
    kept: &'a Report,
}

impl<'a, G: Game> Kept<'a, G> {
    /// Goes on from the checkpoint, if there is one, and says so.
    pub fn resume(
        game: &'a G,
        search: &'a dyn Search<G>,
        position: &'a G::Position,
        mut keeping: Option<Keeping<OfSearch>>,
        quiet: bool,
    ) -> Result<Kept<'a, G>, Failure> {
        let before = match &mut keeping {
            None => Duration::ZERO,
            Some(keeping) => keeping.resume(|checkpoints| checkpoints.resume(game, search, position), quiet)?,
        };
        let nodes = keeping.as_ref().and_then(Keeping::from).map_or(0, |counts| counts.nodes);
        Ok(Kept { game, search, position, keeping, nodes, before })
    }

    /// Searches until the value is known or somebody sets `stop`. An error if no thread can be started that keeps
    /// checkpoints.
    pub fn solve(mut self, stop: &AtomicBool) -> Result<Ended<G>, Failure> {
        let (begun, progress, nodes) = (Instant::now(), TerminalProgress::new(true), AtomicU64::new(self.nodes));
        let run = Run { stop, nodes: &nodes, progress: &progress };
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
        let go_on = self.keeping.as_ref().filter(|_| solved.is_err()).and_then(Keeping::go_on);
        let checkpoint = self.keeping.as_ref().map(Keeping::report);
        Ok(Ended { solved, time: self.before + begun.elapsed(), kept: Report { checkpoint, go_on } })
    }

    /// Writes checkpoints when they are due, until the search has ended.
    fn keep_now_and_then(&mut self, nodes: &AtomicU64, begun: Instant, ended: Receiver<()>) {
        while let Some(keeping) = &self.keeping
            && ended.recv_timeout(keeping.wait()) == Err(RecvTimeoutError::Timeout)
        {
            self.keep(nodes, begun, &mut || ended.try_recv() == Err(TryRecvError::Empty));
        }
    }

    /// Writes a checkpoint, unless `go_on` returns false meanwhile.
    fn keep(&mut self, nodes: &AtomicU64, begun: Instant, go_on: &mut dyn FnMut() -> bool) {
        let Some(keeping) = &mut self.keeping else { return };
        let done = (nodes.load(Ordering::Relaxed), self.before + begun.elapsed());
        let warning = keeping.keep(|checkpoints| checkpoints.keep(self.game, self.search, self.position, done, go_on));
        warning.iter().for_each(|warning| note(warning));
    }
}

impl Report {
    pub fn with<R: Serialize>(&self, report: R) -> With<'_, R> {
        With { report, kept: self }
    }

    /// Lines with those about checkpoints behind them.
    pub fn after(&self, text: String) -> String {
        let kept = self.checkpoint.as_ref().map(|kept| format!("\ncheckpoint {}", kept.text()));
        let go_on = self.go_on.as_ref().map(|command| format!("\ngo on with {command}"));
        [Some(text), kept, go_on].into_iter().flatten().collect()
    }
}
