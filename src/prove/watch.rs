//! Looks after a proof while it runs: the time, signals, checkpoints, and what is shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use yomikiri_solve::proof::checkpoint::OfProof;
use yomikiri_solve::proof::{FullPosition, ProofGame, Prover, State};

use super::progress::{Clock, Display};
use crate::error::Failure;
use crate::keeping::Keeping;
use crate::signals;
use crate::stop::Stop;

pub struct Watch {
    pub clock: Clock,
    time: Option<Duration>,
    signal: Arc<AtomicBool>,
    pub keeping: Option<Keeping<OfProof>>,
    display: Display,
}

impl Watch {
    /// Begins to count the time, and to listen to signals.
    pub fn new(time: Option<Duration>, keeping: Option<Keeping<OfProof>>, display: Display) -> Result<Watch, Failure> {
        let signal = Arc::default();
        signals::set_on_stop_then_end(&signal)?;
        let clock = Clock::begin();
        Ok(Watch { clock, time, signal, keeping, display })
    }

    /// Goes on from a checkpoint, if there is one.
    pub fn resume<P: ProofGame>(
        &mut self,
        prover: &mut Prover<P>,
        position: &FullPosition<P>,
        quiet: bool,
    ) -> Result<(), Failure> {
        if let Some(keeping) = &mut self.keeping {
            self.clock.before = keeping.resume(|checkpoints| checkpoints.resume(prover, position), quiet)?;
        }
        Ok(())
    }

    /// Whether and why it is time to stop.
    pub fn stop(&self) -> Option<Stop> {
        let over = self.time.filter(|&time| self.clock.here() >= time);
        self.signal.load(Ordering::Relaxed).then_some(Stop::Signal).or(over.map(Stop::Time))
    }

    /// Does what is due; false if it is time to stop.
    pub fn look<P: ProofGame>(&mut self, state: &State<'_, P>, position: &FullPosition<P>) -> bool {
        if self.stop().is_some() {
            return false;
        }
        self.display.show(state, &self.clock);
        if self.keeping.as_ref().is_some_and(|keeping| keeping.wait().is_zero()) {
            self.keep(state, position, false);
        }
        true
    }

    /// Says what is asked, where that is not who wins.
    pub fn ask(&mut self, question: &str) {
        self.display.ask(question);
    }

    /// Makes room for what is printed next.
    pub fn clear(&self) {
        self.display.clear();
    }

    /// Writes the last checkpoint, and makes room for what is printed next.
    pub fn end<P: ProofGame>(&mut self, state: &State<'_, P>, position: &FullPosition<P>) {
        self.display.clear();
        self.keep(state, position, true);
    }

    /// Writes a checkpoint; unless it is the last one, not if it is time to stop meanwhile.
    fn keep<P: ProofGame>(&mut self, state: &State<'_, P>, position: &FullPosition<P>, last: bool) {
        let Some(mut keeping) = self.keeping.take() else { return };
        let (spent, mut go_on) = (self.clock.in_all(), || last || self.stop().is_none());
        let warning = keeping.keep(|checkpoints| checkpoints.keep(state, position, spent, &mut go_on));
        warning.iter().for_each(|warning| self.display.say(warning));
        self.keeping = Some(keeping);
    }
}
