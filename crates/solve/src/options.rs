//! What a run is asked to do, and what it takes.

use std::time::Duration;

use yomikiri_table::Progress;

/// What a run is asked to do, beside the game.
#[derive(Clone, Copy)]
pub struct SolveOptions<'a> {
    /// Bytes the run may keep in memory.
    pub memory: u64,
    /// Drop unfinished work first.
    pub force: bool,
    /// How often retrograde analysis, and the audit of tiers, keep what is known.
    pub checkpoint: Duration,
    pub progress: &'a dyn Progress,
}

/// What a run takes per undecided position, measured (docs/perf).
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Bytes of the finished table, and of work files beside it.
    pub table: f64,
    pub work: f64,
    /// Positions a second on two cores, audit included.
    pub rate: f64,
}
