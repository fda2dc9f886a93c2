//! One thread that answers for one position after the other, by what the prover remembers and by more of its search.

use std::sync::atomic::Ordering;

use super::place;
use super::prover::{Numbers, Prover};
use super::search::{Stopped, Worker};
use crate::games::binarsi::game::Binarsi;
use crate::games::binarsi::kernel::CompactPosition;
use crate::value::Side;

/// Answers who wins. Positions given to it are not decided by targets.
pub struct Judge<'a> {
    prover: &'a Prover,
    worker: Worker<'a>,
}

impl Judge<'_> {
    /// Whether the side to move wins, if that is remembered.
    pub fn remembers(&self, field: &CompactPosition) -> Option<bool> {
        self.prover.table.get(place::key(&self.prover.game, field), Side::at_ply(field.ply()))?.decided()
    }

    /// Whether the side to move wins, by a search that gives up once it is `bound` positions from a proof.
    pub fn searches(&mut self, field: &CompactPosition, bound: u32) -> Result<Option<bool>, Stopped> {
        Ok(self.worker.search(field, Numbers { wins: bound, loses: bound })?.decided())
    }

    /// Whether a position is so near the end that it is read out, and nothing remembered of the positions after its moves.
    pub fn reads_out(&self, field: &CompactPosition) -> bool {
        self.prover.is_near(field)
    }

    /// An error if the work is to stop.
    pub fn go_on(&self) -> Result<(), Stopped> {
        if self.prover.halt.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

impl Prover {
    /// The game it proves positions of.
    pub fn game(&self) -> &Binarsi {
        &self.game
    }

    /// Has work done with a judge, on a thread of its own, until it is done or `go_on`, which is asked several times a second,
    /// has said no.
    pub(in crate::games::binarsi) fn consult<T: Send, E: From<Stopped> + Send>(
        &mut self,
        work: impl FnOnce(Judge) -> Result<T, E> + Send,
        go_on: impl FnMut() -> bool,
    ) -> Result<T, E> {
        let prover = &*self;
        let judged = || work(Judge { prover, worker: Worker::new(prover, 0) });
        prover.attend(std::iter::once(judged), go_on).unwrap_or_else(|| Err(Stopped.into()))
    }
}
