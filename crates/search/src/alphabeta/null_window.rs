//! The null-window search.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{AlphaBeta, Bounds, Candidate, Candidates, NO_MOVE, NoMoves};
use crate::exact::SearchRun;
use crate::transposition::TranspositionTable;
use yomikiri_table::parallel;

/// A value below every score.
const NONE: i32 = -i32::MAX;

/// The smallest share of a search's progress, in units of progress, that a position divides among its moves. A position
/// with a smaller share reports the whole share when its search ends.
const MIN_SHARE: u64 = 1 << 8;

/// The best move searched so far.
#[derive(Clone, Copy)]
pub struct Best<M> {
    pub score: i32,
    /// The move; `None` if no move has been searched.
    pub mv: Option<M>,
    /// The [`Candidate::code`] of the move.
    code: u8,
}

impl<M> Best<M> {
    const NONE: Best<M> = Best { score: NONE, mv: None, code: NO_MOVE };
}

/// A position whose moves are divided among threads. Splits form a chain up to the root.
pub struct Split<'a> {
    above: Above<'a>,
    /// Set once the results of the remaining moves are no longer needed: a move has scored above `alpha`, or the search
    /// ends because the table has to grow.
    decided: AtomicBool,
}

/// The next split towards the root; for the split at the root, the stop flag of the search.
enum Above<'a> {
    Split(&'a Split<'a>),
    /// The stop flag. It is set to stop the whole search.
    Stop(&'a AtomicBool),
}

impl<'a> Split<'a> {
    /// Creates the split at the root of a search. The search ends when `stop` is set.
    pub fn root(stop: &'a AtomicBool) -> Split<'a> {
        Split { above: Above::Stop(stop), decided: AtomicBool::new(false) }
    }

    fn below(above: &'a Split<'a>) -> Split<'a> {
        Split { above: Above::Split(above), decided: AtomicBool::new(false) }
    }

    fn decide(&self) {
        self.decided.store(true, Ordering::Relaxed);
    }

    /// Ends the whole search, whose result is then meaningless.
    fn end(&self) {
        match self.above {
            Above::Split(split) => split.end(),
            Above::Stop(_) => self.decide(),
        }
    }

    /// Returns true if the moves of this split need not be searched any more: their results are no longer needed, or
    /// the whole search ends.
    pub fn is_decided(&self) -> bool {
        self.decided.load(Ordering::Relaxed)
            || match self.above {
                Above::Split(split) => split.is_decided(),
                Above::Stop(stop) => stop.load(Ordering::Relaxed),
            }
    }
}

/// The state of one thread in a search.
pub struct Worker<'a, G: AlphaBeta> {
    /// The game that is searched.
    pub game: &'a G,
    table: &'a TranspositionTable<G::Key, Bounds>,
    /// The nearest split towards the root. It tells whether the result is still needed.
    split: &'a Split<'a>,
    run: &'a SearchRun<'a>,
    /// The number of nodes searched by this worker.
    pub nodes: u64,
    /// The number of nodes of this worker that [`SearchRun::nodes`] already includes.
    counted: u64,
    /// The level of a selective search ([`AlphaBeta::selective_levels`]); 0 for an exact search.
    level: u8,
    /// The units of progress that the next search reports in total. It is 0 far from the root, where searches report
    /// nothing.
    share: u64,
    /// The search ends once the run has searched more than this number of nodes ([`SearchRun::nodes`]), because the
    /// table has to grow.
    room: u64,
}

impl<'a, G: AlphaBeta> Worker<'a, G> {
    /// Creates a worker for searches of level `level` ([`AlphaBeta::selective_levels`]); level 0 is exact. Its first
    /// search reports `share` units of progress in total. If the game's table
    /// [grows at once](AlphaBeta::GROWS_AT_ONCE), the search ends once the run has visited more than `room` nodes, so
    /// that the table can grow.
    pub fn new(
        game: &'a G,
        table: &'a TranspositionTable<G::Key, Bounds>,
        split: &'a Split<'a>,
        run: &'a SearchRun<'a>,
        share: u64,
        level: u8,
        room: u64,
    ) -> Worker<'a, G> {
        Worker { game, table, split, run, nodes: 0, counted: 0, level, share, room }
    }

    /// Returns the key under which a search of level `level` stores its bounds for a position.
    #[inline(always)]
    fn key(&self, position: &G::Position, plies_left: u32, level: u8) -> G::Key {
        match level > 0 && plies_left >= G::DEPTHS.selective {
            true => self.game.selective_key(position, level),
            false => self.game.key(position),
        }
    }

    /// Returns the codes of the moves to try first: the best moves in the table entry `known`, or else the best moves
    /// that the preceding selective search has found.
    #[inline(always)]
    fn first_moves(&self, position: &G::Position, plies_left: u32, known: Option<Bounds>) -> [u8; 2] {
        let known = match known {
            None if plies_left >= G::DEPTHS.selective => {
                self.table.get(self.game.selective_key(position, self.level + 1))
            }
            _ => known,
        };
        known.map_or([NO_MOVE; 2], |known| known.moves)
    }

    /// Searches a position with the null window above `alpha`: a result above `alpha` is a lower bound of the score,
    /// any other result an upper bound. The result is meaningless once `Split::is_decided` returns true.
    #[inline(always)]
    pub fn search(&mut self, position: G::Position, alpha: i32) -> i32 {
        if self.game.plies_left(&position) >= G::DEPTHS.ordering {
            return G::search_node(self, position, alpha);
        }
        let share = std::mem::take(&mut self.share);
        let score = G::endgame(self, position, alpha);
        self.report(share);
        score
    }

    /// Like [`Worker::search`], but never leaves the position itself to [`AlphaBeta::endgame`].
    #[inline(always)]
    pub fn search_node(&mut self, position: G::Position, alpha: i32) -> i32 {
        let share = std::mem::take(&mut self.share);
        self.nodes += 1;
        let game = self.game;
        if let Some(bound) = game.quick_bound(&position, alpha) {
            self.report(share);
            return bound;
        }
        let plies_left = game.plies_left(&position);
        let known = if plies_left >= G::DEPTHS.table {
            self.table.get(self.key(&position, plies_left, self.level))
        } else {
            None
        };
        let settled = known.and_then(|known| known.settle(alpha));
        if let Some(bound) = settled.or_else(|| game.bound(&position, alpha)) {
            self.report(share);
            return bound;
        }
        let legal = match game.legal(&position) {
            Ok(legal) => legal,
            Err(NoMoves::Terminal(score)) => {
                self.report(share);
                return score;
            }
            Err(NoMoves::Pass(passed)) => {
                self.share = share;
                return -G::search_node(self, passed, !alpha);
            }
        };
        let before = self.nodes;
        let first = self.first_moves(&position, plies_left, known);
        let mut candidates = game.candidates(&position, legal, first, &mut self.nodes);
        if self.level > 0
            && plies_left >= G::DEPTHS.selective
            && let Some(score) = game.probcut(self.level, &candidates, alpha)
        {
            self.report(share);
            return score;
        }
        if plies_left > G::DEPTHS.table {
            let key = |candidate: &Candidate<G>| self.key(&candidate.position, plies_left - 1, self.level);
            candidates.iter().for_each(|candidate| self.table.prefetch(key(candidate)));
        }
        if plies_left >= G::DEPTHS.lookahead
            && let Some(bound) = self.looked_up(&candidates, alpha)
        {
            self.report(share);
            return bound;
        }
        let best = self.search_moves(&mut candidates, alpha, share);
        if plies_left >= G::DEPTHS.table && !self.is_unwanted(&candidates) {
            let bounds = known.unwrap_or(Bounds::NONE).after(alpha, best.score, best.code, self.nodes - before);
            self.table.put(self.key(&position, plies_left, self.level), bounds);
        }
        best.score
    }

    /// Searches a position whose legal moves are `legal`. Returns the best score and its move; the score is a bound as
    /// in [`Worker::search`].
    pub fn search_root(&mut self, position: G::Position, legal: G::Legal, alpha: i32) -> Best<G::Move> {
        let share = std::mem::take(&mut self.share);
        self.nodes += 1;
        let plies_left = self.game.plies_left(&position);
        let known = self.table.get(self.key(&position, plies_left, self.level));
        let first = self.first_moves(&position, plies_left, known);
        let mut candidates = self.game.candidates(&position, legal, first, &mut self.nodes);
        let before = self.nodes;
        let best = self.search_moves(&mut candidates, alpha, share);
        if !self.split.is_decided() {
            let bounds = known.unwrap_or(Bounds::NONE).after(alpha, best.score, best.code, self.nodes - before);
            self.table.put(self.key(&position, plies_left, self.level), bounds);
        }
        best
    }

    /// Returns a score above `alpha`, if the table entry of a child guarantees one.
    fn looked_up(&self, candidates: &Candidates<G>, alpha: i32) -> Option<i32> {
        candidates.iter().find_map(|candidate| {
            let known = self.table.get(self.key(&candidate.position, candidates.plies_left - 1, self.level))?;
            let score = -i32::from(known.upper);
            (score > alpha).then_some(score)
        })
    }

    /// Searches the moves one by one, or on several threads if enough plies are left.
    #[inline(always)]
    fn search_moves(&mut self, candidates: &mut Candidates<G>, alpha: i32, share: u64) -> Best<G::Move> {
        match candidates.plies_left >= G::DEPTHS.split && parallel::thread_count() > 1 {
            true => self.search_shared(candidates, alpha, share),
            false => self.search_all(candidates, alpha, share),
        }
    }

    /// Searches the moves one by one until one scores above `alpha`.
    #[inline(always)]
    fn search_all(&mut self, candidates: &mut Candidates<G>, alpha: i32, share: u64) -> Best<G::Move> {
        let part = share / (candidates.count() as u64).max(1);
        let mut rest = share;
        let mut best = Best::NONE;
        while let Some(candidate) = candidates.pop_best() {
            let score = self.search_move(&candidate, alpha, part);
            rest -= part;
            if score > best.score {
                best = Best { score, mv: Some(candidate.mv), code: candidate.code };
            }
            if score > alpha || self.is_unwanted(candidates) {
                break;
            }
        }
        self.report(rest);
        best
    }

    /// Like [`Worker::search_all`], but searches only the first move alone, and then all others on several threads
    /// ("young brothers wait").
    fn search_shared(&mut self, candidates: &mut Candidates<G>, alpha: i32, share: u64) -> Best<G::Move> {
        let part = share / (candidates.count() as u64).max(1);
        let Some(first) = candidates.pop_best() else { return Best::NONE };
        let score = self.search_move(&first, alpha, part);
        let best = Best { score, mv: Some(first.mv), code: first.code };
        if score > alpha || self.split.is_decided() {
            self.report(share - part);
            return best;
        }
        let rest: Vec<Candidate<G>> = std::iter::from_fn(|| candidates.pop_best()).collect();
        let split = Split::below(self.split);
        let (nodes, done) = (AtomicU64::new(0), AtomicU64::new(part));
        let best = Mutex::new(best);
        // Each task takes the next move from a counter. The searches of the moves thus begin in order, even if the
        // threads begin the tasks in another order.
        let next = AtomicUsize::new(0);
        parallel::each_task(rest.len(), |_| {
            if split.is_decided() {
                return;
            }
            let candidate = &rest[next.fetch_add(1, Ordering::Relaxed)];
            let mut worker = Worker::new(self.game, self.table, &split, self.run, 0, self.level, self.room);
            let score = worker.search_move(candidate, alpha, part);
            worker.count();
            nodes.fetch_add(worker.nodes, Ordering::Relaxed);
            done.fetch_add(part, Ordering::Relaxed);
            if !split.is_decided() {
                let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
                if (score, candidate.code) > (best.score, best.code) {
                    *best = Best { score, mv: Some(candidate.mv), code: candidate.code };
                }
                if score > alpha {
                    split.decide();
                }
            }
        });
        let nodes = nodes.into_inner();
        self.nodes += nodes;
        self.counted += nodes;
        self.report(share - done.into_inner());
        best.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches a move; `part` is its share of the work, in units of progress.
    #[inline(always)]
    fn search_move(&mut self, candidate: &Candidate<G>, alpha: i32, part: u64) -> i32 {
        let whole = part < MIN_SHARE;
        self.share = if whole { 0 } else { part };
        let score = -self.search(candidate.position, !alpha);
        if whole {
            self.report(part);
        }
        score
    }

    /// Returns true if the result is no longer needed, or if the search ends because the table has to grow. With fewer
    /// than `Depths::interrupt` plies left, returns false without checking this.
    #[inline(always)]
    fn is_unwanted(&self, candidates: &Candidates<G>) -> bool {
        if candidates.plies_left < G::DEPTHS.interrupt {
            return false;
        }
        if G::GROWS_AT_ONCE && self.run.nodes.load(Ordering::Relaxed) + self.nodes - self.counted > self.room {
            self.split.end();
        }
        self.split.is_decided()
    }

    /// Reports `share` units of progress as done.
    fn report(&mut self, share: u64) {
        if share > 0 {
            self.count();
            self.run.progress.advance(share);
        }
    }

    /// Adds the nodes that were searched since the last call of this method to [`SearchRun::nodes`].
    pub fn count(&mut self) {
        let nodes = self.nodes - std::mem::replace(&mut self.counted, self.nodes);
        self.run.nodes.fetch_add(nodes, Ordering::Relaxed);
    }
}
