//! Tables made by way of the library.

use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use yomikiri_solve::{Solvable, SolveOptions, pipeline};
use yomikiri_table::{Progress, Silent, Table};

/// A run with a gibibyte of memory that keeps no state on its way.
pub fn job() -> SolveOptions<'static> {
    SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent }
}

/// Makes the table of a whole game in `folder`, audit included, and opens it.
pub fn analyzed<G: Solvable>(game: &G, folder: &Path) -> Table {
    pipeline::analyze(game, None, folder, &job()).unwrap().table
}

/// Does some work on so many threads.
pub fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Stops a search after so many reports of its progress.
pub struct StopAfter {
    left: AtomicU64,
    pub stop: AtomicBool,
}

impl StopAfter {
    pub fn new(reports: u64) -> StopAfter {
        StopAfter { left: AtomicU64::new(reports), stop: AtomicBool::new(false) }
    }
}

impl Progress for StopAfter {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {
        let left = self.left.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(1)));
        self.stop.fetch_or(left == Ok(0), Relaxed);
    }

    fn end(&self, _: &str) {}
}
