//! The state that the threads of a proof share: the table, the path of each thread, and counts.

#[cfg(feature = "write")]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

#[cfg(feature = "write")]
use super::game::FullPosition;
use super::game::ProofGame;
use super::numbers::ProofNumbers;
#[cfg(feature = "write")]
use super::race::{Task, race};
#[cfg(feature = "write")]
use super::table::Room;
use super::table::TranspositionTable;
#[cfg(feature = "write")]
use yomikiri_rules::Side;
use yomikiri_table::threads::Refused;

/// The work, in expansions, that counts for an endgame solved without proof numbers.
pub const ENDGAME_WORK: u64 = 4;

/// The work that [`SolvedPositions::add`] records for a position, in expansions. The table keeps entries of more work
/// longer.
#[cfg(feature = "write")]
const KNOWN_WORK: u64 = 1 << 20;

/// The number of entries in the path of a thread; a power of two. The path has, for each depth, the key of the position
/// that the thread searches at this depth. Other threads avoid these positions (`Worker::select`). In a search deeper
/// than `PATH_PLIES`, several depths share an entry, so some positions are not avoided.
const PATH_PLIES: usize = 64;

/// Solves positions of one variant. The transposition table is kept from one position to the next.
pub struct Prover<P: ProofGame> {
    pub(super) game: P,
    pub(super) table: TranspositionTable<P>,
    pub(super) endgame_plies: u32,
    /// True if the calling thread does all the work.
    pub(super) uses_calling_thread: bool,
    pub(super) halt: AtomicBool,
    /// The number of solvers that wait for the others to leave the table, so that it can grow.
    pub(super) waiting: AtomicUsize,
    /// Solvers hold it for reading while they use the table, and for writing while the table grows.
    in_use: RwLock<()>,
    /// The keys on the path of each thread, indexed by depth modulo `PATH_PLIES`; `u64::MAX` where there is no key.
    paths: Vec<[AtomicU64; PATH_PLIES]>,
    /// The work, the number of endgames and the number of endgame nodes, for each thread. The last element has the
    /// counts of earlier runs.
    done: Vec<ThreadCounts>,
    /// The error of the system, if it refused to start the first thread.
    #[cfg(feature = "write")]
    pub(super) refused: OnceLock<Refused>,
}

/// Counts that one thread writes often and others read rarely. The counts of each thread have their own cache lines.
#[derive(Default)]
#[repr(align(128))]
struct ThreadCounts([AtomicU64; 3]);

/// The memory of a thread beside the table, in bytes, rounded up: mostly the lists of children that it keeps.
const THREAD_BYTES: u64 = 3 << 20;

impl<P: ProofGame> Prover<P> {
    /// Creates a prover with a table of at most `bytes` bytes. With 0 threads, the calling thread does all the work, in
    /// short slices. Because each thread takes memory of its own, the prover uses no more than one for each 3 MiB of
    /// `bytes`; four are always allowed.
    pub fn new(game: P, bytes: u64, threads: usize) -> Prover<P> {
        let uses_calling_thread = threads == 0;
        let most = usize::try_from(bytes / THREAD_BYTES).unwrap_or(usize::MAX).max(4);
        let threads = threads.clamp(1, most);
        let no_path = || std::array::from_fn(|_| AtomicU64::new(u64::MAX));
        Prover {
            game,
            table: TranspositionTable::new(bytes),
            endgame_plies: P::ENDGAME_PLIES,
            uses_calling_thread,
            halt: AtomicBool::new(false),
            waiting: AtomicUsize::new(0),
            in_use: RwLock::new(()),
            paths: std::iter::repeat_with(no_path).take(threads).collect(),
            done: std::iter::repeat_with(ThreadCounts::default).take(threads + 1).collect(),
            #[cfg(feature = "write")]
            refused: OnceLock::new(),
        }
    }

    /// Makes the prover solve positions with at most `plies` plies left by [`ProofGame::Endgame`], without proof
    /// numbers.
    pub fn set_endgame_plies(&mut self, plies: u32) {
        self.endgame_plies = plies;
    }

    /// Runs each task on a thread of its own and returns the first result. Then tells the other tasks to stop. `go_on`
    /// is called several times a second. When it returns false, all tasks are told to stop, and the result is `None`.
    /// If the system refuses to start a thread, the threads already started do the work. If the system refuses the
    /// first thread, the result is `None` and [`Prover::take_refused`] returns the reason.
    #[cfg(feature = "write")]
    pub(super) fn run<T: Send, W: FnOnce() -> T + Send>(
        &self,
        tasks: impl Iterator<Item = W>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<T> {
        self.run_until(tasks, |_| true, go_on)
    }

    /// Like [`Prover::run`], but returns the first result for which `is_last` returns true. If there is none, returns
    /// the last result.
    #[cfg(feature = "write")]
    pub(super) fn run_until<T: Send, W: FnOnce() -> T + Send>(
        &self,
        tasks: impl Iterator<Item = W>,
        is_last: impl Fn(&T) -> bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<T> {
        let tasks = tasks.map(|task| Box::new(task) as Task<T>).collect();
        race(tasks, &is_last, go_on, &self.halt).unwrap_or_else(|refused| {
            // The cell may hold an earlier refusal, which has the same meaning.
            let _ = self.refused.set(refused);
            None
        })
    }

    /// Returns an error if a search ended without a result because the system refused to start a thread. The prover
    /// forgets the error.
    #[cfg(feature = "write")]
    pub fn take_refused(&mut self) -> Result<(), Refused> {
        self.refused.take().map_or(Ok(()), Err)
    }

    /// Always succeeds, because there are no threads that the system could refuse.
    #[cfg(not(feature = "write"))]
    pub fn take_refused(&mut self) -> Result<(), Refused> {
        Ok(())
    }

    /// The number of free entries that each thread may use before it asks for room.
    pub(super) fn room_of_each_thread(&self) -> u64 {
        self.table.room().map_or(u64::MAX, |room| (room / self.threads() as u64).max(1))
    }

    /// Keeps the table from growing until the result is dropped.
    pub(super) fn use_table(&self) -> RwLockReadGuard<'_, ()> {
        self.in_use.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Grows the table if it is nearly full, once all solvers have left it. Returns the number of free entries that
    /// each thread may use from now on.
    pub(super) fn make_room(&self) -> u64 {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let _alone = self.in_use.write().unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        self.table.grow_if_needed();
        self.room_of_each_thread()
    }

    /// Begins to add positions whose winners the caller knows.
    #[cfg(feature = "write")]
    pub fn begin_adding(&mut self) -> SolvedPositions<'_, P> {
        SolvedPositions { prover: self, room: Room::of(&self.table) }
    }

    /// Removes all positions from the table.
    #[cfg(feature = "write")]
    pub fn forget(&self) {
        self.table.retain(|_, _| false);
    }

    /// Returns true if a position is so near the end that [`ProofGame::Endgame`] solves it.
    pub(crate) fn is_endgame(&self, position: &P::Position) -> bool {
        self.game.plies_left(position) <= self.endgame_plies
    }

    /// Returns the game, including what it has learned. The table is dropped.
    pub fn into_game(self) -> P {
        self.game
    }

    /// The game whose positions the prover solves.
    pub fn game(&self) -> &P {
        &self.game
    }

    /// The number of threads that search a position.
    pub fn threads(&self) -> usize {
        self.paths.len()
    }

    /// Returns the work, the number of endgames and the number of endgame nodes, each summed over all threads and
    /// earlier runs.
    pub(super) fn counts(&self) -> [u64; 3] {
        std::array::from_fn(|at| self.done.iter().map(|ThreadCounts(counts)| counts[at].load(Ordering::Relaxed)).sum())
    }

    /// Adds to the counts of a thread. Only that thread may call this, because the addition is not atomic.
    pub(super) fn count(&self, thread: usize, done: [u64; 3]) {
        for (count, more) in self.done[thread].0.iter().zip(done) {
            count.store(count.load(Ordering::Relaxed) + more, Ordering::Relaxed);
        }
    }

    /// Replaces all counts with those of earlier runs.
    pub(super) fn set_counts(&mut self, done: [u64; 3]) {
        self.done.iter_mut().for_each(|counts| *counts = ThreadCounts::default());
        let earlier = self.threads();
        self.done[earlier] = ThreadCounts(done.map(AtomicU64::new));
    }

    /// Returns the numbers that the table has for a position, or else the position's prior. The caller has applied
    /// [`ProofGame::reduced`].
    pub(super) fn numbers(&self, reduced: &P::Position, key: u64) -> ProofNumbers {
        let known = self.table.get(key, self.game.side(reduced));
        known.unwrap_or_else(|| self.game.prior(reduced, self.endgame_plies))
    }

    /// Returns the path entry of a thread at a depth: the key of the position that the thread searches there.
    pub(super) fn path(&self, thread: usize, depth: usize) -> &AtomicU64 {
        &self.paths[thread][depth % PATH_PLIES]
    }

    /// Returns true if another thread searches the position of this key at this depth.
    pub(super) fn is_on_other_path(&self, thread: usize, depth: usize, key: u64) -> bool {
        let mut others = (0..self.paths.len()).filter(|&other| other != thread);
        others.any(|other| self.path(other, depth).load(Ordering::Relaxed) == key)
    }
}

/// Adds positions to the table of a prover, which grows as they need it.
#[cfg(feature = "write")]
pub struct SolvedPositions<'p, P: ProofGame> {
    prover: &'p Prover<P>,
    room: Room<'p, P>,
}

#[cfg(feature = "write")]
impl<P: ProofGame> SolvedPositions<'_, P> {
    /// Stores a position, with `mover` to move, in the table as a win for `winner`. The caller must know that `winner`
    /// wins it.
    pub fn add(&mut self, position: &FullPosition<P>, mover: Side, winner: Side) {
        let Prover { game, table, .. } = self.prover;
        let numbers = ProofNumbers::solved(mover == winner);
        let key = game.proof_key(&game.reduced(&game.compact_of_mover(position, mover)));
        self.room.used(table.put(key, numbers, KNOWN_WORK));
    }
}
