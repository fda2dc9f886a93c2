//! Makes tables through the library.

use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use yomikiri_rules::Game;
use yomikiri_solve::retrograde::{self, Cyclic};
use yomikiri_solve::{Solvable, SolveOptions, Wins, pipeline};
use yomikiri_table::recode::{self, Runs};
use yomikiri_table::{Progress, Silent, Table};

use crate::support::games::any;

/// Returns the options of a run with 1 GiB of memory and no checkpoints.
pub fn job() -> SolveOptions<'static> {
    SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent }
}

/// Analyzes a whole game in `folder`, audits its table, and returns the table. The game is wrapped in `AnyGame`, so
/// that the kernels run as they are compiled, and optimised, in the library.
pub fn analyzed<G: Game>(game: &G, folder: &Path) -> Table {
    pipeline::analyze(&any(&game.code()), None, folder, &job()).unwrap().table
}

/// Rewrites a table of the pyonpyon game in its packed form, also if that does not make it smaller.
pub fn pack_anyway(path: &Path) {
    assert!(recode::to_coded(path, |_| Runs::ALONE, &Silent).unwrap());
}

/// Compares a table that leaves out wins with all its keys and bytes, in the reading that takes little memory and in
/// memory. There, wins are computed when the table is loaded or when they are looked up.
pub fn check_in_memory<G: Cyclic>(game: &G, table: &Table, keys: &[u64], bytes: &[u8]) {
    let (set, ranked) = retrograde::read_ranked(game, table).unwrap();
    assert!((0..).zip(keys).all(|(place, &key)| set.place(key) == Some(place)) && ranked[..] == *bytes);
    let library = any(&game.code());
    for wins in [Wins::All, Wins::WhenAsked] {
        let resident = library.load(table, wins).unwrap().expect("wins are left out");
        // The second pass finds the values in memory that the first one computes when they are looked up.
        for _ in 0..2 {
            assert!(library.probe_all(table, Some(&resident), keys).unwrap() == bytes);
            assert!(keys.iter().zip(bytes).all(|(&key, &byte)| resident.byte(key) == Some(byte)));
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
