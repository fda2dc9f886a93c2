//! Progress reports of long work, independent of how they are shown.

/// The value of `total` for a step that cannot count its units of work. Such a step advances by estimated fractions of
/// this number.
pub const ESTIMATED_TOTAL: u64 = 1 << 24;

/// Receives progress reports about the steps of a run. Calls may come from any thread. The default implementations
/// ignore the reports.
pub trait Progress: Sync {
    /// Begins a step of `total` units of work; 0 means that the number is unknown. The previous step must have ended.
    fn begin(&self, _name: &str, _total: u64) {}
    /// Adds `units` to the work done in this step.
    fn advance(&self, _units: u64) {}
    /// Ends the step. `summary` describes its result.
    fn end(&self, _summary: &str) {}
}

/// Ignores all reports.
pub struct Silent;

impl Progress for Silent {}
