//! Tables made by way of the library.

use std::path::Path;
use std::time::Duration;

use yomikiri_solve::{Solvable, SolveOptions, pipeline};
use yomikiri_table::{Silent, Table};

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
