//! Solves one position on all threads, or one position after the other on one thread.

use std::sync::atomic::Ordering;

use super::game::{FullPosition, ProofGame};
use super::numbers::ProofNumbers;
use super::prover::Prover;
use super::search::{Stopped, Worker};
use super::state::ProofState;
use yomikiri_rules::Side;

/// The work between two calls of `go_on` on the calling thread, in expansions. It takes a few hundredths of a second.
const SLICE: u64 = 2000;

/// Solves positions on one thread. The positions must have no [`ProofGame::terminal_value`].
pub struct Solver<'a, P: ProofGame> {
    prover: &'a Prover<P>,
    worker: Worker<'a, P>,
}

impl<'a, P: ProofGame> Solver<'a, P> {
    /// Creates the solver of the thread with this index.
    #[cfg(feature = "write")]
    fn new(prover: &'a Prover<P>, number: usize) -> Solver<'a, P> {
        Solver { prover, worker: Worker::new(prover, number) }
    }

    /// The game whose positions the solver solves.
    pub fn game(&self) -> &'a P {
        &self.prover.game
    }

    /// Looks positions up in the table. For each, returns true if the side to move wins, false if it loses, or `None`
    /// if the table does not know.
    pub fn look_up<'p>(&self, positions: impl Iterator<Item = &'p P::Position>) -> Vec<Option<bool>>
    where
        P::Position: 'p,
    {
        let Prover { game, table, .. } = self.prover;
        let with_key = |position| {
            let key = game.proof_key(&game.reduced(position));
            table.prefetch(key);
            (key, game.side(position))
        };
        let _in_use = self.prover.use_table();
        let keys: Vec<(u64, Side)> = positions.map(with_key).collect();
        keys.into_iter().map(|(key, mover)| table.get(key, mover)?.mover_wins()).collect()
    }

    /// Searches a position. Returns true if the side to move wins, false if it loses, or `None` if the proof number or
    /// the disproof number reaches `threshold` first.
    pub fn search(&mut self, position: &P::Position, threshold: u32) -> Result<Option<bool>, Stopped> {
        loop {
            let in_use = self.prover.use_table();
            let numbers = self.worker.search(position, ProofNumbers { pn: threshold, dn: threshold });
            drop(in_use);
            match numbers {
                Ok(numbers) => return Ok(numbers.mover_wins()),
                Err(Stopped) => self.check_stopped()?,
            }
            // The search stopped so that the table can grow, for this solver or for another one.
            if self.worker.needs_room() {
                self.worker.set_room(self.prover.make_room());
            }
        }
    }

    /// Returns true if a position is so near the end that [`ProofGame::Endgame`] solves it. The search then stores none
    /// of the position's children in the table.
    pub fn is_endgame(&self, position: &P::Position) -> bool {
        self.prover.is_endgame(position)
    }

    /// The work of this solver so far, in expansions.
    pub fn work(&self) -> u64 {
        self.worker.work()
    }

    /// Returns an error if the search has been told to stop.
    pub fn check_stopped(&self) -> Result<(), Stopped> {
        if self.prover.halt.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

impl<P: ProofGame> Prover<P> {
    /// Returns the winner of a position. Returns `None` if `go_on`, which is called several times a second, has
    /// returned false, or if no thread could be started ([`Prover::take_refused`]).
    pub fn winner(
        &mut self,
        position: &FullPosition<P>,
        mut go_on: impl FnMut(&ProofState<'_, P>) -> bool,
    ) -> Option<Side> {
        let prover = &*self;
        prover.decide(&prover.game.compact(position), &mut || go_on(&ProofState::new(prover, position)))
    }

    /// Like [`Prover::winner`], but for a compact position.
    pub(super) fn decide(&self, position: &P::Position, go_on: &mut dyn FnMut() -> bool) -> Option<Side> {
        if let Some(winner) = self.game.terminal_value(position) {
            return Some(winner);
        }
        let numbers =
            if self.uses_calling_thread { self.in_slices(position, go_on) } else { self.on_threads(position, go_on) };
        let (mover, wins) = (self.game.side(position), numbers?.mover_wins()?);
        Some(if wins { mover } else { mover.other() })
    }

    /// Searches a position on all threads. Returns `None` if `go_on` has returned false, or if no thread could be
    /// started. When the table has to grow, the threads stop and start again with the larger table.
    #[cfg(feature = "write")]
    fn on_threads(&self, position: &P::Position, go_on: &mut dyn FnMut() -> bool) -> Option<ProofNumbers> {
        loop {
            let search = |number| move || Worker::new(self, number).search(position, ProofNumbers::INFINITE);
            match self.run((0..self.threads()).map(search), go_on)? {
                Ok(numbers) => return Some(numbers),
                Err(Stopped) => self.table.grow(),
            }
        }
    }

    /// Searches in slices, because builds without `write` start no threads.
    #[cfg(not(feature = "write"))]
    fn on_threads(&self, position: &P::Position, go_on: &mut dyn FnMut() -> bool) -> Option<ProofNumbers> {
        self.in_slices(position, go_on)
    }

    /// Searches on the calling thread, and calls `go_on` after each [`SLICE`]. The next slice continues from the table.
    fn in_slices(&self, position: &P::Position, go_on: &mut dyn FnMut() -> bool) -> Option<ProofNumbers> {
        self.halt.store(false, Ordering::Relaxed);
        let mut worker = Worker::new(self, 0);
        loop {
            worker.set_slice(SLICE);
            if let Ok(numbers) = worker.search(position, ProofNumbers::INFINITE) {
                return Some(numbers);
            }
            if worker.needs_room() {
                self.table.grow();
                worker.set_room(self.room_of_each_thread());
            }
            if !go_on() {
                return None;
            }
        }
    }

    /// Runs a task with a solver on a separate thread. Stops the task once `go_on`, which is called several times a
    /// second, returns false.
    #[cfg(feature = "write")]
    pub fn with_solver<T: Send, E: From<Stopped> + Send>(
        &mut self,
        task: impl FnOnce(Solver<P>) -> Result<T, E> + Send,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<T, E> {
        let prover = &*self;
        let task = || task(Solver::new(prover, 0));
        prover.run(std::iter::once(task), go_on).unwrap_or_else(|| Err(Stopped.into()))
    }

    /// Runs a task on each thread of the prover, each with a solver of its own, until all tasks are done. The first
    /// task that fails stops the others. `go_on` is called several times a second. When it returns false, all tasks are
    /// stopped.
    #[cfg(feature = "write")]
    pub fn with_solvers<E: From<Stopped> + Send>(
        &mut self,
        task: impl Fn(Solver<P>) -> Result<(), E> + Sync,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), E> {
        let (prover, task) = (&*self, &task);
        let run = |number| move || task(Solver::new(prover, number));
        let result = prover.run_until((0..prover.threads()).map(run), Result::is_err, go_on);
        result.unwrap_or_else(|| Err(Stopped.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::binarsi::BinarsiProof;
    use crate::brute;
    use crate::proof::numbers::INFINITE;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::{Game, Notation, Outcome, Value};

    /// The table begins with one bucket, so threads ask for room while others search, look up, or ask, too.
    #[test]
    fn several_solvers_let_the_table_grow() {
        let game = Binarsi::parse("bin3x3").unwrap();
        let values = brute::solve(&game, &game.start());
        let positions: Vec<_> = values.keys().step_by(20).map(|&key| game.unrank(key).unwrap()).collect();
        let mut prover = Prover::new(BinarsiProof::new(&game), 1 << 22, 4);
        prover.set_endgame_plies(0);
        prover.table.shrink_to_one_bucket();
        let (next, wins) = (AtomicUsize::new(0), Mutex::new(vec![None; positions.len()]));
        let solve = |mut solver: Solver<'_, BinarsiProof>| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(position) = positions.get(at) else { return Ok(()) };
                let compact = solver.game().compact(position);
                let found = solver.search(&compact, INFINITE)?;
                assert!([None, found].contains(&solver.look_up([compact].iter())[0]));
                wins.lock().unwrap()[at] = found;
            }
        };
        assert!(prover.with_solvers::<Stopped>(solve, &mut || true).is_ok());
        for (position, wins) in positions.iter().zip(wins.into_inner().unwrap()) {
            let wins_by_brute_force = values[&game.rank(position)].outcome() == Outcome::Win;
            assert_eq!(wins, Some(wins_by_brute_force), "{}", game.position_text(position));
        }
        assert!(prover.table.room().is_none_or(|room| room > 1000), "{:?}", prover.table.room());
    }
}
