//! Solves one position by all threads, or one position after the other by one thread.

use std::sync::atomic::Ordering;

use super::game::{FullPosition, ProofGame};
use super::numbers::ProofNumbers;
use super::prover::Prover;
use super::search::{Stopped, Worker};
use super::state::State;
use yomikiri_rules::Side;

/// One thread that solves positions without [`ProofGame::terminal_value`].
pub struct Solver<'a, P: ProofGame> {
    prover: &'a Prover<P>,
    worker: Worker<'a, P>,
}

impl<'a, P: ProofGame> Solver<'a, P> {
    pub fn game(&self) -> &'a P {
        &self.prover.game
    }

    /// Whether the side to move wins, if the table has it.
    pub fn look_up(&self, position: &P::Position) -> Option<bool> {
        let game = &self.prover.game;
        let key = game.proof_key(&game.normal(position));
        self.prover.table.get(key, game.side(position))?.mover_wins()
    }

    /// Whether the side to move wins, by a search that gives up once a number reaches `threshold`.
    pub fn search(&mut self, position: &P::Position, threshold: u32) -> Result<Option<bool>, Stopped> {
        Ok(self.worker.search(position, ProofNumbers { pn: threshold, dn: threshold })?.mover_wins())
    }

    /// Whether a position is so near the end that it is solved without its children getting into the table.
    pub fn is_endgame(&self, position: &P::Position) -> bool {
        self.prover.is_endgame(position)
    }

    /// An error if the work is to stop.
    pub fn go_on(&self) -> Result<(), Stopped> {
        if self.prover.halt.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

impl<P: ProofGame> Prover<P> {
    /// Who wins a position; `None` if `go_on`, called several times a second, has returned false, or if no thread could
    /// be started ([`Prover::check_threads`]).
    pub fn winner(&mut self, position: &FullPosition<P>, mut go_on: impl FnMut(&State<'_, P>) -> bool) -> Option<Side> {
        let position = self.game.compact(position);
        let prover = &*self;
        prover.decide(&position, || go_on(&State::new(prover, &position)))
    }

    /// Who wins a position; `None` if `go_on`, called several times a second, has returned false.
    pub(super) fn decide(&self, position: &P::Position, go_on: impl FnMut() -> bool) -> Option<Side> {
        if let Some(winner) = self.game.terminal_value(position) {
            return Some(winner);
        }
        let search = |number| move || Worker::new(self, number).search(position, ProofNumbers::INFINITE);
        let found = self.run((0..self.threads()).map(search), go_on);
        let (mover, wins) = (self.game.side(position), found?.ok()?.mover_wins()?);
        Some(if wins { mover } else { mover.other() })
    }

    /// Runs a task with a solver on a thread of its own, until it is done or `go_on`, called several times a second,
    /// returns false.
    pub fn with_solver<T: Send, E: From<Stopped> + Send>(
        &mut self,
        task: impl FnOnce(Solver<P>) -> Result<T, E> + Send,
        go_on: impl FnMut() -> bool,
    ) -> Result<T, E> {
        let prover = &*self;
        let task = || task(Solver { prover, worker: Worker::new(prover, 0) });
        prover.run(std::iter::once(task), go_on).unwrap_or_else(|| Err(Stopped.into()))
    }
}
