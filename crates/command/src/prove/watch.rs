//! Monitors a running proof: handles its time limit, signals, checkpoints and display.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use yomikiri_search::position_proof::{PositionProof, ProofProgress};
use yomikiri_search::proof::checkpoint::OfProof;

use super::progress::{Display, ProofClock};
use crate::checkpoints::CheckpointWriter;
use crate::error::Failure;
use crate::signals;
use crate::stop::StopReason;

pub struct ProofMonitor {
    pub clock: ProofClock,
    time: Option<Duration>,
    signal: Arc<AtomicBool>,
    pub keeping: Option<CheckpointWriter<OfProof>>,
    display: Display,
}

impl ProofMonitor {
    /// Starts the clock and installs the signal handlers.
    pub fn new(
        time: Option<Duration>,
        keeping: Option<CheckpointWriter<OfProof>>,
        display: Display,
    ) -> Result<ProofMonitor, Failure> {
        let signal = Arc::default();
        signals::set_on_stop_then_end(&signal)?;
        let clock = ProofClock::begin();
        Ok(ProofMonitor { clock, time, signal, keeping, display })
    }

    /// Resumes from a checkpoint, if there is one. Prints a note about the checkpoint unless `quiet` is true.
    pub fn resume(&mut self, proof: &mut dyn PositionProof, quiet: bool) -> Result<(), Failure> {
        if let Some(keeping) = &mut self.keeping {
            self.clock.before = keeping.resume(|checkpoints| proof.resume(checkpoints), quiet)?;
        }
        Ok(())
    }

    /// Returns the reason to stop, or `None` if the proof may go on.
    pub fn stop(&self) -> Option<StopReason> {
        let over = self.time.filter(|&time| self.clock.here() >= time);
        self.signal.load(Ordering::Relaxed).then_some(StopReason::Signal).or(over.map(StopReason::Time))
    }

    /// Updates the display and writes checkpoints when they are due. Returns false if it is time to stop.
    pub fn look(&mut self, state: &dyn ProofProgress) -> bool {
        if self.stop().is_some() {
            return false;
        }
        self.display.show(state, &self.clock);
        if self.keeping.as_ref().is_some_and(|keeping| keeping.wait().is_zero()) {
            self.keep(state, false);
        }
        true
    }

    /// Sets the question that the display shows. Without this call, the display is about the winner.
    pub fn ask(&mut self, question: &str) {
        self.display.ask(question);
    }

    /// Removes the display.
    pub fn clear(&self) {
        self.display.clear();
    }

    /// Removes the display and writes the last checkpoint.
    pub fn end(&mut self, state: &dyn ProofProgress) {
        self.display.clear();
        self.keep(state, true);
    }

    /// Writes a checkpoint. Unless `last` is set, abandons the checkpoint when it is time to stop.
    fn keep(&mut self, state: &dyn ProofProgress, last: bool) {
        let Some(mut keeping) = self.keeping.take() else { return };
        let (spent, mut go_on) = (self.clock.in_all(), || last || self.stop().is_none());
        let warning = keeping.keep(|checkpoints| state.save(checkpoints, spent, &mut go_on));
        warning.iter().for_each(|warning| self.display.say(warning));
        self.keeping = Some(keeping);
    }
}
