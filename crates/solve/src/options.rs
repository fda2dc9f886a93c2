//! The options and the costs of a run.

use std::time::Duration;

use yomikiri_table::Progress;

/// The options of a run, apart from the game.
#[derive(Clone, Copy)]
pub struct SolveOptions<'a> {
    /// Bytes of memory that the run may use.
    pub memory: u64,
    /// True to discard the unfinished work of earlier runs, and to make a table even if it exists already.
    pub force: bool,
    /// The time from one saved state to the next, for retrograde analysis and for the audit of tiers.
    pub checkpoint: Duration,
    /// The receiver of progress reports.
    pub progress: &'a dyn Progress,
}

/// Measured costs of a run. docs/perf has the measurements.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Bytes of the finished table, per position in which the game is not over.
    pub table: f64,
    /// Bytes of the work files beside the table, per position in which the game is not over.
    pub work: f64,
    /// The number of positions that two cores enumerate, solve and audit per second. Positions in which the game is
    /// over do not count.
    pub rate: f64,
}
