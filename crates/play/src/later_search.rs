//! A search that begins after other work on a move: it has the rest of the time, and its reports count all of it.

use std::time::Duration;

use super::player::{Limits, LineOrigin, Listener, PlayerReport, RankedLine};

/// Passes the reports of a search on. Their times also count the time that the player took before the search.
pub struct Later<'l> {
    pub before: Duration,
    pub listener: &'l mut dyn Listener,
}

impl<'l> Later<'l> {
    /// Returns the limits of a search that begins after the time `before` of a move, with its listener.
    pub fn after(before: Duration, limits: &Limits, listener: &'l mut dyn Listener) -> (Limits, Later<'l>) {
        let time = limits.time.map(|time| time.saturating_sub(before));
        (Limits { time, ..*limits }, Later { before, listener })
    }
}

impl Listener for Later<'_> {
    fn report(&mut self, mut report: PlayerReport) {
        match &mut report {
            PlayerReport::Searched { time, .. } => *time += self.before,
            PlayerReport::Line(RankedLine { origin: LineOrigin::Search(effort), .. }) => effort.time += self.before,
            _ => {}
        }
        self.listener.report(report);
    }

    fn should_stop(&mut self) -> bool {
        self.listener.should_stop()
    }
}
