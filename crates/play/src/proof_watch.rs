//! The time and the progress of a proof search within the time for a move.

use std::time::Duration;

use super::player::{Limits, Listener, PlayerReport};
use super::stopwatch::Stopwatch;
use yomikiri_search::DecideProgress;

/// The fraction of a move's time that the proof search may use. Principal variation search gets the rest.
const PROOF_SHARE: f64 = 0.7;

/// The time for the proof search if a move has no time limit.
const PROOF_TIME: Duration = Duration::from_secs(1);

/// The time between two reports of the proof search.
const PROOF_REPORT: Duration = Duration::from_secs(1);

/// Limits the time of a proof search, and reports its progress.
pub struct ProofWatch<'l> {
    begun: Stopwatch,
    /// The time that the proof search may use.
    share: Duration,
    /// The time of the next report.
    next: Duration,
    listener: &'l mut dyn Listener,
}

impl<'l> ProofWatch<'l> {
    /// Begins the time of a proof search for a move with these limits.
    pub fn new(limits: &Limits, listener: &'l mut dyn Listener) -> Self {
        let share = limits.time.map_or(PROOF_TIME, |time| time.mul_f64(PROOF_SHARE));
        ProofWatch { begun: Stopwatch::start(), share, next: PROOF_REPORT, listener }
    }

    /// Returns true if the proof search may go on. Reports its progress once in [`PROOF_REPORT`].
    pub fn go_on(&mut self, &DecideProgress { expansions, refuted, moves }: &DecideProgress) -> bool {
        let time = self.begun.elapsed();
        if time >= self.share || self.listener.should_stop() {
            return false;
        }
        if time >= self.next {
            self.next = time + PROOF_REPORT;
            self.listener.report(PlayerReport::Proving { expansions, time, refuted: [refuted, moves] });
        }
        true
    }
}
