//! The search with null windows.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::{AlphaBeta, Bounds, Candidate, Candidates, NO_MOVE, NoMoves};
use crate::search::Run;
use crate::transposition::TranspositionTable;

/// Less than any score.
const NONE: i32 = -i32::MAX;

/// A smaller share of the work is reported in one piece.
const LEAST_SHARE: u64 = 1 << 8;

/// The best of the moves searched.
#[derive(Clone, Copy)]
pub struct Best<M> {
    pub score: i32,
    /// None if none has been searched.
    pub mv: Option<M>,
    /// [`Candidate::code`]
    code: u8,
}

impl<M> Best<M> {
    const NONE: Best<M> = Best { score: NONE, mv: None, code: NO_MOVE };
}

/// A position whose moves several threads search; a chain up to the root.
pub struct Split<'a> {
    above: Above<'a>,
    /// A move was good enough: the others are not wanted any more.
    decided: AtomicBool,
}

/// What else makes the result of a search of no use.
enum Above<'a> {
    Split(&'a Split<'a>),
    /// Set when the whole search is to stop.
    Stop(&'a AtomicBool),
}

impl<'a> Split<'a> {
    /// That of the root, whose search ends when somebody sets `stop`.
    pub fn root(stop: &'a AtomicBool) -> Split<'a> {
        Split { above: Above::Stop(stop), decided: AtomicBool::new(false) }
    }

    fn below(above: &'a Split<'a>) -> Split<'a> {
        Split { above: Above::Split(above), decided: AtomicBool::new(false) }
    }

    fn decide(&self) {
        self.decided.store(true, Ordering::Relaxed);
    }

    /// Whether the result of a search is of no use any more.
    fn is_decided(&self) -> bool {
        self.decided.load(Ordering::Relaxed)
            || match self.above {
                Above::Split(split) => split.is_decided(),
                Above::Stop(stop) => stop.load(Ordering::Relaxed),
            }
    }
}

/// One thread's share of a search.
pub struct Worker<'a, G: AlphaBeta> {
    pub game: &'a G,
    table: &'a TranspositionTable<G::Key, Bounds>,
    /// Whether the result is still wanted.
    split: &'a Split<'a>,
    run: &'a Run<'a>,
    /// Positions looked at.
    pub nodes: u64,
    /// Those of them that the run has counted.
    counted: u64,
    /// 0 for an exact search; else that of a selective one ([`AlphaBeta::selective_levels`]).
    level: u8,
    /// How much of the whole work the next position to be searched is; 0 deep below the root.
    share: u64,
}

impl<'a, G: AlphaBeta> Worker<'a, G> {
    pub fn new(
        game: &'a G,
        table: &'a TranspositionTable<G::Key, Bounds>,
        split: &'a Split<'a>,
        run: &'a Run<'a>,
        share: u64,
        level: u8,
    ) -> Worker<'a, G> {
        Worker { game, table, split, run, nodes: 0, counted: 0, level, share }
    }

    /// The key of what a search of a level finds of a position.
    #[inline(always)]
    fn key(&self, position: &G::Position, plies_left: u32, level: u8) -> G::Key {
        match level > 0 && plies_left >= G::DEPTHS.selective {
            true => self.game.selective_key(position, level),
            false => self.game.key(position),
        }
    }

    /// The best moves of a position: those known, or those of the selective search before this one.
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

    /// Searches with the null window above `alpha`: a result above it is a lower bound of the score, any other an upper
    /// bound. Of no meaning once `Split::is_decided`.
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

    /// [`Worker::search`] with the table and with moves in order.
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
            self.keep((&position, plies_left), known, alpha, best, before);
        }
        best.score
    }

    /// The best score and its move, in the manner of [`Worker::search`], of a position with these moves.
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
            self.keep((&position, plies_left), known, alpha, best, before);
        }
        best
    }

    /// Keeps what a search has found that began after so many nodes.
    #[inline(always)]
    fn keep(
        &self,
        (position, plies_left): (&G::Position, u32),
        known: Option<Bounds>,
        alpha: i32,
        best: Best<G::Move>,
        before: u64,
    ) {
        let bounds = Bounds::after(known, alpha, (best.score, best.code), self.nodes - before);
        self.table.put(self.key(position, plies_left, self.level), bounds);
    }

    /// A score above `alpha` that is known of the position after one of the moves.
    fn looked_up(&self, candidates: &Candidates<G>, alpha: i32) -> Option<i32> {
        candidates.iter().find_map(|candidate| {
            let known = self.table.get(self.key(&candidate.position, candidates.plies_left - 1, self.level))?;
            let score = -i32::from(known.upper);
            (score > alpha).then_some(score)
        })
    }

    /// Moves one after the other or by several threads.
    #[inline(always)]
    fn search_moves(&mut self, candidates: &mut Candidates<G>, alpha: i32, share: u64) -> Best<G::Move> {
        match candidates.plies_left >= G::DEPTHS.split && rayon::current_num_threads() > 1 {
            true => self.search_shared(candidates, alpha, share),
            false => self.search_all(candidates, alpha, share),
        }
    }

    /// All moves one after the other, until one is good enough.
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

    /// As [`Worker::search_all`]: the first move alone, then the others by several threads.
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
        // Threads take the moves in their order, whichever part of the list each is told to work on.
        let next = AtomicUsize::new(0);
        (0..rest.len()).into_par_iter().with_max_len(1).for_each(|_| {
            if split.is_decided() {
                return;
            }
            let candidate = &rest[next.fetch_add(1, Ordering::Relaxed)];
            let mut worker = Worker::new(self.game, self.table, &split, self.run, 0, self.level);
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

    /// Searches a move; `part` is its share of the work.
    #[inline(always)]
    fn search_move(&mut self, candidate: &Candidate<G>, alpha: i32, part: u64) -> i32 {
        let whole = part < LEAST_SHARE;
        self.share = if whole { 0 } else { part };
        let score = -self.search(candidate.position, !alpha);
        if whole {
            self.report(part);
        }
        score
    }

    /// Whether the result is of no use any more; asked only where that saves much.
    #[inline(always)]
    fn is_unwanted(&self, candidates: &Candidates<G>) -> bool {
        candidates.plies_left >= G::DEPTHS.interrupt && self.split.is_decided()
    }

    /// Work done, for the progress.
    fn report(&mut self, share: u64) {
        if share > 0 {
            self.count();
            self.run.progress.advance(share);
        }
    }

    /// Has the run count what was looked at.
    pub fn count(&mut self) {
        let nodes = self.nodes - std::mem::replace(&mut self.counted, self.nodes);
        self.run.nodes.fetch_add(nodes, Ordering::Relaxed);
    }
}
