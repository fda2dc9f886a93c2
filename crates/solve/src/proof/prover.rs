//! What the threads of a proof share: the table, where each of them is, and counts.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::game::ProofGame;
use super::numbers::ProofNumbers;
use super::table::TranspositionTable;
use yomikiri_table::threads::{self, Refused};

/// Work of an endgame solved exactly, in expansions.
pub const ENDGAME_WORK: u64 = 4;

/// Time between two calls of `go_on`.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Plies of a path that are told apart, a power of two. Where games last longer, two plies share a place, and virtual
/// proof numbers are missing now and then.
const PATH_PLIES: usize = 64;

/// Solves positions of one variant; keeps its table from one to the next.
pub struct Prover<P: ProofGame> {
    pub(super) game: P,
    pub(super) table: TranspositionTable<P>,
    pub(super) endgame_plies: u32,
    pub(super) halt: AtomicBool,
    /// The keys on the path from the root to where each thread is, by depth; `u64::MAX` where none is.
    paths: Vec<[AtomicU64; PATH_PLIES]>,
    /// Work, endgames, nodes of endgames: of each thread, and of earlier provers.
    done: Vec<Counts>,
    /// Why no thread could be started.
    refused: OnceLock<Refused>,
}

/// Numbers that one thread writes often and others read now and then, in cache lines of their own.
#[derive(Default)]
#[repr(align(128))]
struct Counts([AtomicU64; 3]);

impl<P: ProofGame> Prover<P> {
    /// A prover with a table of at most so many bytes, and so many threads.
    pub fn new(game: P, bytes: u64, threads: usize) -> Prover<P> {
        let no_path = || std::array::from_fn(|_| AtomicU64::new(u64::MAX));
        Prover {
            game,
            table: TranspositionTable::new(bytes),
            endgame_plies: P::ENDGAME_PLIES,
            halt: AtomicBool::new(false),
            paths: std::iter::repeat_with(no_path).take(threads.max(1)).collect(),
            done: std::iter::repeat_with(Counts::default).take(threads.max(1) + 1).collect(),
            refused: OnceLock::new(),
        }
    }

    /// Has positions with at most so many plies left solved exactly instead of expanded.
    pub fn set_endgame_plies(&mut self, plies: u32) {
        self.endgame_plies = plies;
    }

    /// Runs each task on a thread of its own, and returns the first result; all others are told to stop then, and
    /// when `go_on`, called several times a second, returns false. If the system refuses a thread, those that were
    /// started do the work; if it refuses the first, the result is `None` and [`Prover::check_threads`] says why.
    pub(super) fn run<T: Send, W: FnOnce() -> T + Send>(
        &self,
        tasks: impl Iterator<Item = W>,
        mut go_on: impl FnMut() -> bool,
    ) -> Option<T> {
        self.halt.store(false, Ordering::Relaxed);
        let (sender, results) = channel();
        let (mut is_started, mut are_refused) = (false, None);
        let result = std::thread::scope(|scope| {
            for task in tasks {
                let sender = sender.clone();
                if let Err(refused) = threads::start_scoped(scope, "proof", move || sender.send(task())) {
                    are_refused = Some(refused);
                    break;
                }
                is_started = true;
            }
            drop(sender);
            let result = loop {
                match results.recv_timeout(POLL_INTERVAL) {
                    Ok(result) => break Some(result),
                    Err(RecvTimeoutError::Timeout) if go_on() => {}
                    Err(_) => break None,
                }
            };
            self.halt.store(true, Ordering::Relaxed);
            result
        });
        if let Some(refused) = are_refused.filter(|_| !is_started) {
            // An earlier refusal says the same.
            let _ = self.refused.set(refused);
        }
        result
    }

    /// Returns an error if a search ended without a result because the system refused to start a thread.
    pub fn check_threads(&self) -> Result<(), &Refused> {
        self.refused.get().map_or(Ok(()), Err)
    }

    /// Whether a position is so near the end that it is solved exactly.
    pub(super) fn is_endgame(&self, position: &P::Position) -> bool {
        self.game.plies_left(position) <= self.endgame_plies
    }

    /// The game, with what has been learned about it; the table goes.
    pub fn into_game(self) -> P {
        self.game
    }

    /// The game whose positions it solves.
    pub fn game(&self) -> &P {
        &self.game
    }

    /// Threads that work on a position.
    pub fn threads(&self) -> usize {
        self.paths.len()
    }

    /// Work, endgames, nodes of endgames.
    pub(super) fn done(&self) -> [u64; 3] {
        std::array::from_fn(|at| self.done.iter().map(|Counts(counts)| counts[at].load(Ordering::Relaxed)).sum())
    }

    /// Adds to the counts of a thread, which alone does so.
    pub(super) fn count(&self, thread: usize, done: [u64; 3]) {
        for (count, more) in self.done[thread].0.iter().zip(done) {
            count.store(count.load(Ordering::Relaxed) + more, Ordering::Relaxed);
        }
    }

    /// Goes on from the counts of earlier provers.
    pub(super) fn set_done(&mut self, done: [u64; 3]) {
        self.done.iter_mut().for_each(|counts| *counts = Counts::default());
        let earlier = self.threads();
        self.done[earlier] = Counts(done.map(AtomicU64::new));
    }

    /// The numbers of a position, after [`ProofGame::normal`], from the table or the prior.
    pub(super) fn numbers(&self, normal: &P::Position, key: u64) -> ProofNumbers {
        let known = self.table.get(key, self.game.side(normal));
        known.unwrap_or_else(|| self.game.prior(normal, self.endgame_plies))
    }

    /// Where a thread keeps the key of the position it searches at a depth.
    pub(super) fn path(&self, thread: usize, depth: usize) -> &AtomicU64 {
        &self.paths[thread][depth % PATH_PLIES]
    }

    /// Whether another thread searches a position at this depth.
    pub(super) fn is_on_other_path(&self, thread: usize, depth: usize, key: u64) -> bool {
        let mut others = (0..self.paths.len()).filter(|&other| other != thread);
        others.any(|other| self.path(other, depth).load(Ordering::Relaxed) == key)
    }
}
