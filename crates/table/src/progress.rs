//! How long work tells where it is, without knowing who looks.

/// The total of a step whose units are shares of the work, as far as it can be foreseen, and not things to count.
pub const SHARES: u64 = 1 << 24;

/// Receives the steps of a run. Calls may come from any thread.
pub trait Progress: Sync {
    /// A step of `total` units of work begins; the one before has ended.
    fn begin(&self, name: &str, total: u64);
    /// So many units more are done.
    fn advance(&self, units: u64);
    /// The step is over; `summary` says what came out.
    fn end(&self, summary: &str);
}

/// Says nothing.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self, _: &str) {}
}
