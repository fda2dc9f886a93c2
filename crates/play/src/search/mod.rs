//! Play without a table: principal variation search with iterative deepening. It uses only the rules and the
//! evaluation.
//!
//! Each iteration searches one ply deeper than the last. It finds all wins and losses within its depth, so the shortest
//! ones are found first. If the game can solve positions near its end (`Evaluate::endgame_solver`), leaves that can be
//! solved get their outcome instead of an evaluation. The search then also finds wins and losses beyond its depth.
//! These are certain, but their number of plies is only an upper bound. If the depth is not limited, the endgame solver
//! also tries the root after each iteration. It may search as many nodes as that iteration did, or `MIN_ENDGAME_NODES`
//! if that is more. Once it finds the exact value, the search is over.
//!
//! A position that repeats one on the current path, or that has occurred twice in the game, is a draw. Results are kept
//! in the transposition table (`entry`), unless they depend on a repetition of a position higher up the path. An
//! iteration may find a win beyond its depth in an entry that a deeper search has left. Helper threads search the same
//! tree and share the table. Every second helper starts one ply deeper. If depth or nodes are limited and time is not,
//! there are no helpers, so the same search gives the same answer each time.
//!
//! `tree` is the search of one iteration, `lines` searches for several best moves or among some moves, and `progress`
//! has the clock and the counts.

mod entry;
mod lines;
mod progress;
mod score;
mod tree;

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use yomikiri_rules::{AnyMove, Game};
use yomikiri_search::Searchable;

use super::player::{Choice, Chosen, Limits, Listener, Player, Score, no_move};
use super::session::Session;
use super::stopwatch::Stopwatch;
use entry::PvEntry;
pub(super) use lines::{RootGroup, RootMoves};
pub use progress::MAX_DEPTH;
use progress::{SearchClock, SharedSearch, improves};
use tree::PvSearch;
use yomikiri_search::transposition::TranspositionTable;
use yomikiri_solve::Result;
use yomikiri_table::threads;

/// Each thread's endgame solver gets the memory of the transposition table divided by this number.
const SOLVER_PART: usize = 4;
/// The maximum memory of an endgame solver in bytes.
const SOLVER_MAX_BYTES: usize = 64 << 20;

/// The least number of nodes that the endgame solver may search when it tries the root after an iteration.
const MIN_ENDGAME_NODES: u64 = 20_000;

/// Plays by principal variation search.
pub struct SearchPlayer {
    table: TranspositionTable<u64, PvEntry>,
    bytes: usize,
    threads: NonZeroUsize,
    /// True if the system has provided the memory of the table ([`SearchPlayer::prepare`]).
    is_prepared: bool,
}

impl SearchPlayer {
    /// Creates a player with a transposition table of at most `bytes` bytes. The table is smaller if the machine has
    /// less memory. If the game has an endgame solver, each thread also takes up to a quarter of `bytes` during a
    /// search.
    pub fn new(bytes: usize) -> SearchPlayer {
        SearchPlayer::with_table(TranspositionTable::new(bytes as u64), bytes)
    }

    /// Does the same as [`SearchPlayer::new`], but returns an error if the machine has less memory than `bytes`.
    pub fn try_new(bytes: usize) -> Result<SearchPlayer> {
        Ok(SearchPlayer::with_table(TranspositionTable::try_new(bytes as u64)?, bytes))
    }

    fn with_table(table: TranspositionTable<u64, PvEntry>, bytes: usize) -> SearchPlayer {
        SearchPlayer { table, bytes, threads: NonZeroUsize::MIN, is_prepared: false }
    }

    /// Takes the memory of the table from the system. Without this, the first searches take it while their time runs,
    /// and with a gigabyte that is more than a second.
    pub fn prepare(&mut self) {
        if !self.is_prepared {
            self.table.clear();
            self.is_prepared = true;
        }
    }

    /// Sets the number of threads. The search uses fewer if the system refuses to start some.
    pub fn set_threads(&mut self, threads: NonZeroUsize) {
        self.threads = threads;
    }

    /// Returns the maximum number of threads of a search. A search that only depth or nodes limit uses one.
    pub fn threads(&self) -> NonZeroUsize {
        self.threads
    }
}

impl Player for SearchPlayer {
    /// Searches at least one ply, even if a limit has already been reached.
    fn choose(&mut self, session: &Session, limits: &Limits, listener: &mut dyn Listener) -> Chosen {
        let mut clock = SearchClock { watch: Stopwatch::start(), limits: *limits, listener };
        let main = |tree: PvSearch, shared: &SharedSearch| main_search(tree, shared, session, &mut clock);
        let best = self.run(session, limits, main, helper_search);
        best.ok_or_else(|| no_move(session))
    }
}

impl SearchPlayer {
    /// Searches only the moves of `root`, and reports as many best moves as it asks for, each with its line. Searches
    /// at least one ply, even if a limit has already been reached.
    pub(super) fn choose_lines(
        &mut self,
        session: &Session,
        root: &RootMoves,
        limits: &Limits,
        listener: &mut dyn Listener,
    ) -> Chosen {
        let mut clock = SearchClock { watch: Stopwatch::start(), limits: *limits, listener };
        let main = |tree: PvSearch, shared: &SharedSearch| lines::search_lines(tree, shared, root, &mut clock);
        let helper = |tree: PvSearch, shared: &SharedSearch, number| lines::help(tree, shared, root, number);
        let best = self.run(session, limits, main, helper);
        best.ok_or_else(|| no_move(session))
    }

    /// Runs a search: `main` on the calling thread, and `helper` on each helper thread until `main` returns. The last
    /// argument of `helper` is the index of the helper thread, counted from 1.
    fn run<T>(
        &mut self,
        session: &Session,
        limits: &Limits,
        main: impl FnOnce(PvSearch, &SharedSearch) -> T,
        helper: impl Fn(PvSearch, &SharedSearch, usize) + Sync,
    ) -> T {
        self.table.forget();
        let shared = SharedSearch::default();
        let evaluator = session.game().evaluator();
        let solver_bytes = (self.bytes / SOLVER_PART).min(SOLVER_MAX_BYTES);
        std::thread::scope(|scope| {
            let must_repeat = limits.time.is_none() && (limits.depth.is_some() || limits.nodes.is_some());
            let threads = if must_repeat { 1 } else { self.threads.get() };
            for number in 1..threads {
                let tree = PvSearch::new(session, &*evaluator, &self.table, solver_bytes);
                let (shared, helper) = (&shared, &helper);
                // Helper threads are optional. The search goes on with the threads that have started.
                if threads::start_scoped(scope, "search", move || helper(tree, shared, number)).is_err() {
                    break;
                }
            }
            let tree = PvSearch::new(session, &*evaluator, &self.table, solver_bytes);
            let result = main(tree, &shared);
            shared.halt.store(true, Ordering::Relaxed);
            result
        })
    }
}

/// Searches one iteration after another and reports each, until the clock ends the search or there is nothing left to
/// find. Returns `None` if the root has no move.
fn main_search(
    mut tree: PvSearch,
    shared: &SharedSearch,
    session: &Session,
    clock: &mut SearchClock,
) -> Option<Choice> {
    let deepest = clock.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let mut best = None;
    for depth in 1..=deepest {
        let before = tree.nodes();
        let mut stop = |nodes: u64| depth > 1 && clock.is_over(nodes + shared.nodes.load(Ordering::Relaxed));
        let whole = !stop(before) && tree.search(depth, &mut stop);
        let Some((score, line)) = tree.best() else { break };
        let choice = line.first().map(|&mv| Choice { mv, score });
        if !whole && !choice.as_ref().is_some_and(|partial| improves(partial, best.as_ref())) {
            break;
        }
        best = choice;
        clock.report(clock.effort(shared, tree.nodes(), depth), score, line);
        if !whole {
            break;
        }
        if score.plies().is_some_and(|plies| u32::from(plies.0) <= depth) {
            break;
        }
        let patience = (tree.nodes() - before).max(MIN_ENDGAME_NODES);
        let solved = clock.limits.depth.is_none().then(|| read_out(&mut tree, shared, session, clock, patience));
        if let Some((score, line)) = solved.flatten() {
            let depth = score.plies().map_or(depth, |plies| plies.0.into());
            best = line.first().map(|&mv| Choice { mv, score });
            clock.report(clock.effort(shared, tree.nodes(), depth), score, line);
            break;
        }
    }
    best
}

/// Solves the session's position with the endgame solver. Returns the exact score and a principal variation. Returns
/// `None` if the game has no endgame solver, if `patience` more nodes do not suffice, or if the clock ends the search.
fn read_out(
    tree: &mut PvSearch,
    shared: &SharedSearch,
    session: &Session,
    clock: &mut SearchClock,
    patience: u64,
) -> Option<(Score, Vec<AnyMove>)> {
    let (game, others) = (session.game(), tree.own_nodes());
    let endgame_solver = tree.endgame_solver.as_mut()?;
    let most = endgame_solver.nodes() + patience;
    let mut stop = |nodes: u64| nodes > most || clock.is_over(others + nodes + shared.nodes.load(Ordering::Relaxed));
    let mut position = *session.position();
    let (mv, value) = endgame_solver.solve(&position, &mut stop)?;
    let mut line = vec![mv];
    position = game.play(&position, mv);
    while game.terminal_value(&position).is_none() {
        let Some((mv, _)) = endgame_solver.solve(&position, &mut stop) else { break };
        line.push(mv);
        position = game.play(&position, mv);
    }
    Some((Score::exact(value), line))
}

/// Searches in parallel with the main thread until `shared.halt` is set. `number` is the index of the helper thread,
/// counted from 1.
fn helper_search(mut tree: PvSearch, shared: &SharedSearch, number: usize) {
    let mut stop = shared.helper_stop();
    for depth in 1 + number as u32 % 2..=MAX_DEPTH {
        if !tree.search(depth, &mut stop) {
            break;
        }
    }
}
