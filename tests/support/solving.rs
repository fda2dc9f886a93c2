//! Makes tables through the game.

use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use yomikiri_rules::{AnyGame, Game};
use yomikiri_solve::{Solvable, SolveOptions, Wins, pipeline};
use yomikiri_table::recode::{self, Runs};
use yomikiri_table::{Progress, Silent, Table};

use crate::support::games::any;

/// Returns the options of a run with 1 GiB of memory and no checkpoints.
pub fn job() -> SolveOptions<'static> {
    SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent }
}

/// Analyzes a whole game in `folder`, audits its table, and returns the table. The game is wrapped in `AnyGame`, so
/// that the kernels run as they are compiled, and optimised, in the game.
pub fn analyzed<G: Game>(game: &G, folder: &Path) -> Table {
    pipeline::analyze(&any(&game.code()), None, folder, &job()).unwrap().table
}

/// Rewrites a table of the pyonpyon game in its packed form, also if that does not make it smaller.
pub fn pack_anyway(path: &Path) {
    assert!(recode::to_coded(path, |_| Runs::ALONE, &Silent).unwrap());
}

/// Looks up the positions of a table that leaves out wins, with their keys and bytes, in memory. Wins are computed when
/// the table is loaded or when they are looked up.
pub fn check_in_memory(game: &AnyGame, table: &Table, keys: &[u64], bytes: &[u8]) {
    // Of large tables, some hundred thousand positions are looked up, spread over all of them.
    let step = keys.len() / 400_000 + 1;
    let some = |all: usize| (0..all).step_by(step);
    let keys: Vec<u64> = some(keys.len()).map(|at| keys[at]).collect();
    let bytes: Vec<u8> = some(bytes.len()).map(|at| bytes[at]).collect();
    for wins in [Wins::All, Wins::WhenAsked] {
        let resident = game.load(table, wins).unwrap().expect("wins are left out");
        // The second pass finds the values in memory that the first one computes when they are looked up.
        for _ in 0..2 {
            assert!(game.probe_all(table, Some(&resident), &keys).unwrap() == bytes);
            assert!(keys.iter().zip(&bytes).all(|(&key, &byte)| resident.byte(key) == Some(byte)));
        }
    }
}

/// Runs `work` on a pool with this number of threads.
pub fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    yomikiri_table::threads::pool(threads).unwrap().install(work)
}

/// Sets `stop` at the first progress report after a given number of reports.
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
