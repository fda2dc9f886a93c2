//! Searches for the exact values of single positions. A caller can stop each search.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::limits::ProofLimits;
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Game, Outcome, Value};
use yomikiri_search::exact::SearchRun;
use yomikiri_search::{Bounded, Search, Searchable, Solution};
use yomikiri_table::threads::{self, Refused, ThreadPool};
use yomikiri_table::{Progress, Silent};

/// A callback that is called many times a second; it returns false to stop the search.
type GoOn<'a> = &'a mut dyn FnMut() -> bool;

/// The time between two calls of the caller's function `go_on` while other threads search.
const POLL: Duration = Duration::from_millis(20);

/// The number of nodes between two calls of the caller's function `go_on` when the calling thread searches.
const SLICE: u64 = 100_000;

/// The maximum number of entries in each of the maps `solved` and `unfinished` of [`ValueSearch`]. A full map is
/// cleared.
const KEPT: usize = 1 << 12;

/// The value of a position for the side to move, and a move that keeps the value. The move is `None` if no such move is
/// known.
pub(super) type SolvedPosition = (AnyValue, Option<AnyMove>);

/// The bounds of a value that unfinished searches have found, for the side to move. A bound is `None` as long as only
/// the rules limit the value.
#[derive(Clone, Copy, Default)]
pub(super) struct SearchBounds {
    /// The lower bound, inclusive.
    pub at_least: Option<AnyValue>,
    /// The upper bound, inclusive.
    pub at_most: Option<AnyValue>,
}

impl SearchBounds {
    /// Returns the outcome, if the bounds determine it.
    pub fn outcome(self) -> Option<Outcome> {
        let of = |bound: Option<AnyValue>, outcome| bound.map(Value::outcome).filter(|&found| found == outcome);
        of(self.at_least, Outcome::Win).or_else(|| of(self.at_most, Outcome::Loss))
    }

    /// Narrows the bounds by those of another search of the same position.
    fn narrow(&mut self, found: &Bounded<AnyValue>) {
        if found.is_raised {
            self.at_least = self.at_least.max(Some(found.at_least));
        }
        if found.is_lowered {
            self.at_most = Some(self.at_most.map_or(found.at_most, |known| known.min(found.at_most)));
        }
    }
}

/// The work that unfinished searches of a position have done.
#[derive(Clone, Copy, Default)]
struct Unfinished {
    /// The number of nodes that searches on the calling thread have visited.
    nodes: u64,
    bounds: SearchBounds,
}

/// The search of a game. Its transposition table is kept from one position to the next.
pub(super) struct ValueSearch {
    search: Box<dyn Search<AnyGame>>,
    /// The values found since the last clearing, by canonical position. A caller that asks again about the same
    /// position with a longer time limit gets its value from here without a new search.
    solved: HashMap<AnyPosition, SolvedPosition>,
    /// The work of unfinished searches, by canonical position.
    unfinished: HashMap<AnyPosition, Unfinished>,
    /// The threads that search, or `None` if the calling thread works alone.
    threads: Option<ThreadPool>,
}

/// A [`Progress`] that ends a slice of a search. It sets `stop` once the search has visited `end` nodes.
struct Slice<'a> {
    stop: &'a AtomicBool,
    nodes: &'a AtomicU64,
    end: u64,
}

impl Progress for Slice<'_> {
    fn advance(&self, _: u64) {
        if self.nodes.load(Ordering::Relaxed) >= self.end {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl ValueSearch {
    /// Creates the search of a game. Returns `None` if the game has none.
    pub fn new(game: &AnyGame, limits: ProofLimits) -> Result<Option<ValueSearch>, Refused> {
        let Some(search) = game.searcher(limits.memory) else { return Ok(None) };
        let threads = (limits.threads > 0).then(|| threads::pool(limits.threads)).transpose()?;
        Ok(Some(ValueSearch { search, solved: HashMap::new(), unfinished: HashMap::new(), threads }))
    }

    /// Returns true if the game has a search, and the search of `position` is not likely to take hours.
    pub fn suits(game: &AnyGame, position: &AnyPosition) -> bool {
        game.searcher(0).is_some_and(|search| !search.takes_hours(position))
    }

    /// Returns the value of a position of `game`, with a move that keeps the value if one is known. If `go_on` returns
    /// false before the value is found, returns the bounds that are known by then as the error. `go_on` is called on the
    /// calling thread, many times a second.
    pub fn solve(
        &mut self,
        game: &AnyGame,
        position: &AnyPosition,
        go_on: GoOn,
    ) -> Result<SolvedPosition, SearchBounds> {
        let canonical = game.canonical(position);
        if let Some(&(value, best)) = self.solved.get(&canonical) {
            return Ok((value, best.filter(|_| canonical == *position)));
        }
        let mut unfinished = self.unfinished.remove(&canonical).unwrap_or_default();
        let solution = match &self.threads {
            Some(threads) => self.solve_on(threads, position, &mut unfinished, go_on),
            None => self.solve_in_slices(position, &mut unfinished, go_on),
        };
        let Some(solution) = solution else {
            if self.unfinished.len() == KEPT {
                self.unfinished.clear();
            }
            self.unfinished.insert(canonical, unfinished);
            return Err(unfinished.bounds);
        };
        if self.solved.len() == KEPT {
            self.solved.clear();
        }
        // The move is kept only for a position that is canonical itself. In a mirror image, the best move is another
        // one.
        let best = solution.best.filter(|_| canonical == *position);
        self.solved.insert(canonical, (solution.value, best));
        Ok((solution.value, solution.best))
    }

    /// Searches on other threads. Meanwhile the calling thread calls `go_on` every [`POLL`].
    fn solve_on(
        &self,
        threads: &ThreadPool,
        position: &AnyPosition,
        unfinished: &mut Unfinished,
        go_on: GoOn,
    ) -> Option<Solution<AnyGame>> {
        let (stop, nodes, (sender, solved)) = (AtomicBool::new(false), AtomicU64::new(0), channel());
        threads.in_place_scope(|tasks| {
            tasks.spawn(|_| {
                let run = SearchRun { stop: &stop, nodes: &nodes, progress: &Silent };
                // The receiver outlives this task, so sending cannot fail.
                let _ = sender.send(self.search.solve_until(position, &run));
            });
            loop {
                match solved.recv_timeout(POLL) {
                    Ok(solution) => {
                        return solution.map_err(|bounded| unfinished.bounds.narrow(&bounded)).ok();
                    }
                    Err(RecvTimeoutError::Timeout) if go_on() => {}
                    Err(RecvTimeoutError::Timeout) => stop.store(true, Ordering::Relaxed),
                    // The search panicked. The scope passes the panic on.
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            }
        })
    }

    /// Searches on this thread in slices of [`SLICE`] nodes until the value is found or `go_on` returns false. Each
    /// slice starts the search again and uses the bounds that earlier slices have stored in the transposition table. A
    /// later call for the same position uses these bounds too. Before each slice, the table grows so that it has room
    /// for the bounds of all earlier slices. In a smaller table, each slice would overwrite the bounds of the slice
    /// before it.
    fn solve_in_slices(
        &self,
        position: &AnyPosition,
        unfinished: &mut Unfinished,
        go_on: GoOn,
    ) -> Option<Solution<AnyGame>> {
        let nodes = AtomicU64::new(unfinished.nodes);
        while go_on() {
            let (stop, before) = (AtomicBool::new(false), nodes.load(Ordering::Relaxed));
            self.search.make_room(position, before);
            let progress = Slice { stop: &stop, nodes: &nodes, end: before + SLICE };
            let run = SearchRun { stop: &stop, nodes: &nodes, progress: &progress };
            match self.search.solve_until(position, &run) {
                Ok(solution) => return Some(solution),
                Err(bounded) => unfinished.bounds.narrow(&bounded),
            }
        }
        unfinished.nodes = nodes.into_inner();
        None
    }
}
