//! The search with null windows.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::few::NONE;
use super::kernel::Kernel;
use super::memory::Known;
use super::order::{Candidate, Candidates};
use super::outlook::count;
use super::split::Split;
use super::stable::stable_discs;
use super::worker::Worker;
use yomikiri_rules::games::reversi::board::Squares;

/// From so many empty squares on moves are ordered by what they leave to the other side.
const ORDERED: u32 = 7;
/// From so many on results are kept.
const KEPT: u32 = 9;
/// From so many on the positions after all moves are looked up before any is searched.
const LOOKED_UP: u32 = 11;
/// From so many on a thread asks now and then whether its work is still wanted.
const ASKED: u32 = 12;
/// From so many on threads share the moves of a position.
const SHARED: u32 = 15;
/// A smaller share of the work is reported in one piece.
const LEAST_SHARE: u64 = 1 << 8;

impl<K: Kernel> Worker<'_, K> {
    /// Searches with the null window above `alpha`, for the side with the discs `own`: a result above it is a lower
    /// bound of the score, any other an upper bound. Of no meaning once [`Split::is_decided`].
    pub fn search(&mut self, own: Squares, other: Squares, alpha: i32) -> i32 {
        let empty = self.field.empty(own, other);
        let kernel = self.kernel;
        if empty.count_ones() >= ORDERED {
            return kernel.ordered(self, own, other, alpha, empty);
        }
        let share = std::mem::take(&mut self.share);
        let score = match empty.count_ones() {
            0..4 => self.last_of_all(own, other, alpha),
            _ => kernel.plain(self, own, other, alpha, empty, self.field.odd(empty)),
        };
        self.report(share);
        score
    }

    /// What the other side's stable discs leave at most, if that is not above `alpha`.
    #[inline(always)]
    fn bounded_by_stable(&self, own: Squares, other: Squares, alpha: i32) -> Option<i32> {
        let left = |discs: Squares| self.field.area - 2 * count(discs);
        if left(other) > alpha {
            return None;
        }
        let left = left(stable_discs(self.field, other, own));
        (left <= alpha).then_some(left)
    }

    /// [`Worker::search`] with moves in order, for positions with many empty squares.
    #[inline(always)]
    pub fn ordered(&mut self, own: Squares, other: Squares, alpha: i32, empty: Squares) -> i32 {
        let share = std::mem::take(&mut self.share);
        self.nodes += 1;
        let kernel = self.kernel;
        let number = empty.count_ones();
        let known = if number >= KEPT { self.memory.get(own, other) } else { None };
        let bound = known.and_then(|known| known.bound(alpha));
        if let Some(bound) = bound.or_else(|| self.bounded_by_stable(own, other, alpha)) {
            self.report(share);
            return bound;
        }
        let legal = self.field.legal(own, other);
        if legal == 0 {
            if self.field.legal(other, own) == 0 {
                self.report(share);
                return self.field.final_score(own, other);
            }
            self.share = share;
            return -kernel.ordered(self, other, own, !alpha, empty);
        }
        let before = self.nodes;
        let first = known.map_or([Known::NO_MOVE; 2], |known| known.moves);
        let mut candidates = Candidates::new(kernel, self.field, [own, other], legal, empty, first);
        if number > KEPT {
            candidates.iter().for_each(|candidate| self.memory.prefetch(candidate.own, candidate.other));
        }
        if number >= LOOKED_UP
            && let Some(bound) = self.looked_up(&candidates, alpha)
        {
            self.report(share);
            return bound;
        }
        let found = self.search_moves(&mut candidates, alpha, share);
        if number >= KEPT && !self.is_unwanted(&candidates) {
            self.memory.put(own, other, Known::after(known, alpha, found, self.nodes - before));
        }
        found.0
    }

    /// The best score and its square for a position with moves, in the manner of [`Worker::search`].
    pub fn search_root(&mut self, own: Squares, other: Squares, alpha: i32) -> (i32, u8) {
        let share = std::mem::take(&mut self.share);
        self.nodes += 1;
        let known = self.memory.get(own, other);
        let first = known.map_or([Known::NO_MOVE; 2], |known| known.moves);
        let (empty, legal) = (self.field.empty(own, other), self.field.legal(own, other));
        let mut candidates = Candidates::new(self.kernel, self.field, [own, other], legal, empty, first);
        let before = self.nodes;
        let found = self.search_moves(&mut candidates, alpha, share);
        self.memory.put(own, other, Known::after(known, alpha, found, self.nodes - before));
        found
    }

    /// A score above `alpha` that is known of the position after one of the moves.
    fn looked_up(&self, candidates: &Candidates, alpha: i32) -> Option<i32> {
        candidates.iter().find_map(|candidate| {
            let known = self.memory.get(candidate.own, candidate.other)?;
            let score = -i32::from(known.upper);
            (score > alpha).then_some(score)
        })
    }

    /// Moves one after the other or by several threads.
    fn search_moves(&mut self, candidates: &mut Candidates, alpha: i32, share: u64) -> (i32, u8) {
        match candidates.empty >= SHARED && rayon::current_num_threads() > 1 {
            true => self.search_shared(candidates, alpha, share),
            false => self.search_all(candidates, alpha, share),
        }
    }

    /// All moves one after the other, until one is good enough: the best score and its square.
    fn search_all(&mut self, candidates: &mut Candidates, alpha: i32, share: u64) -> (i32, u8) {
        let part = share / candidates.len().max(1);
        let mut rest = share;
        let mut best = (NONE, Known::NO_MOVE);
        while let Some(candidate) = candidates.next() {
            let score = self.search_move(&candidate, alpha, part);
            rest -= part;
            if score > best.0 {
                best = (score, candidate.square);
            }
            if score > alpha || self.is_unwanted(candidates) {
                break;
            }
        }
        self.report(rest);
        best
    }

    /// As [`Worker::search_all`]: the first move alone, then the others by several threads.
    fn search_shared(&mut self, candidates: &mut Candidates, alpha: i32, share: u64) -> (i32, u8) {
        let part = share / candidates.len().max(1);
        let Some(first) = candidates.next() else { return (NONE, Known::NO_MOVE) };
        let score = self.search_move(&first, alpha, part);
        if score > alpha || self.split.is_decided() {
            self.report(share - part);
            return (score, first.square);
        }
        let rest: Vec<Candidate> = std::iter::from_fn(|| candidates.next()).collect();
        let split = Split::below(self.split);
        let (nodes, done) = (AtomicU64::new(0), AtomicU64::new(part));
        let best = Mutex::new((score, first.square));
        rest.par_iter().with_max_len(1).for_each(|candidate| {
            if split.is_decided() {
                return;
            }
            let mut worker = Worker::new(self.kernel, self.field, self.memory, &split, self.progress, 0);
            let score = worker.search_move(candidate, alpha, part);
            nodes.fetch_add(worker.nodes, Ordering::Relaxed);
            done.fetch_add(part, Ordering::Relaxed);
            if !split.is_decided() {
                let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
                *best = (*best).max((score, candidate.square));
                if score > alpha {
                    split.decide();
                }
            }
        });
        self.nodes += nodes.into_inner();
        self.report(share - done.into_inner());
        best.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches a move; `part` is its share of the work.
    fn search_move(&mut self, candidate: &Candidate, alpha: i32, part: u64) -> i32 {
        let whole = part < LEAST_SHARE;
        self.share = if whole { 0 } else { part };
        let score = -self.search(candidate.own, candidate.other, !alpha);
        if whole {
            self.report(part);
        }
        score
    }

    /// Whether the result is of no use any more; asked only where that saves much.
    fn is_unwanted(&self, candidates: &Candidates) -> bool {
        candidates.empty >= ASKED && self.split.is_decided()
    }

    /// Work done, for the progress.
    fn report(&self, share: u64) {
        if share > 0 {
            self.progress.advance(share);
        }
    }
}
