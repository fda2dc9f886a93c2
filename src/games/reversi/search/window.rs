//! The search with null windows.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::few::{NONE, turned};
use super::memory::Known;
use super::order::{Candidate, Candidates};
use super::split::Split;
use super::stable::stable_discs;
use super::worker::Worker;
use crate::games::reversi::board::Squares;
use crate::games::reversi::moves::each;

/// From so many empty squares on moves are ordered by what they leave to the other side.
const ORDERED: u32 = 7;
/// From so many on results are kept.
const KEPT: u32 = 9;
/// From so many on the positions after all moves are looked up before any is searched.
const LOOKED_UP: u32 = 11;
/// From so many on threads share the moves of a position.
const SHARED: u32 = 15;
/// A smaller share of the work is reported in one piece.
const LEAST_SHARE: u64 = 1 << 8;

impl Worker<'_> {
    /// Searches with the null window above `alpha`, for the side with the discs `own`: a result above it is a lower
    /// bound of the score, any other an upper bound. Of no meaning once [`Split::is_decided`].
    pub fn search(&mut self, own: Squares, other: Squares, alpha: i32) -> i32 {
        let empty = self.field.empty(own, other);
        let count = empty.count_ones();
        if count < ORDERED {
            let share = std::mem::take(&mut self.share);
            self.report(share);
        }
        match count {
            0..4 => self.search_end(own, other, alpha),
            4 => {
                let odd = self.field.odd(empty);
                self.search_four(own, other, alpha, empty, odd)
            }
            5..ORDERED => {
                let odd = self.field.odd(empty);
                self.search_plain(own, other, alpha, empty, odd)
            }
            _ => self.search_ordered(own, other, alpha, empty),
        }
    }

    /// Fewer than four empty squares, in any order.
    fn search_end(&mut self, own: Squares, other: Squares, alpha: i32) -> i32 {
        self.nodes += 1;
        let legal = self.field.legal(own, other);
        if legal == 0 {
            return match self.field.legal(other, own) {
                0 => self.field.final_score(own, other),
                _ => -self.search_end(other, own, !alpha),
            };
        }
        let mut best = NONE;
        for square in each(legal) {
            let flips = turned(square, own, other);
            best = best.max(-self.search_end(other & !flips, own | flips | 1 << square, !alpha));
            if best > alpha {
                break;
            }
        }
        best
    }

    fn search_four(&mut self, own: Squares, other: Squares, alpha: i32, empty: Squares, odd: Squares) -> i32 {
        let mut squares = [0; 4];
        let order = each(empty & odd).chain(each(empty & !odd));
        squares.iter_mut().zip(order).for_each(|(at, square)| *at = square);
        self.last_four(own, other, alpha, squares)
    }

    /// Few empty squares: squares in quarters with an odd number of them first. `odd` is [`Field::odd`].
    fn search_plain(&mut self, own: Squares, other: Squares, alpha: i32, empty: Squares, odd: Squares) -> i32 {
        if empty.count_ones() == 4 {
            return self.search_four(own, other, alpha, empty, odd);
        }
        self.nodes += 1;
        let legal = self.field.legal(own, other);
        if legal == 0 {
            return match self.field.legal(other, own) {
                0 => self.field.final_score(own, other),
                _ => -self.search_plain(other, own, !alpha, empty, odd),
            };
        }
        let mut best = NONE;
        for squares in [legal & odd, legal & !odd] {
            for square in each(squares) {
                let disc = 1 << square;
                let flips = turned(square, own, other);
                let odd = odd ^ self.field.region(square);
                let score = -self.search_plain(other & !flips, own | flips | disc, !alpha, empty & !disc, odd);
                best = best.max(score);
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// Whether the other side's stable discs leave no score above `alpha`; then what they leave.
    fn bounded_by_stable(&self, own: Squares, other: Squares, alpha: i32) -> Option<i32> {
        let left = |discs: Squares| self.field.area - 2 * discs.count_ones() as i32;
        if left(other) > alpha {
            return None;
        }
        let left = left(stable_discs(self.field, other, own));
        (left <= alpha).then_some(left)
    }

    fn search_ordered(&mut self, own: Squares, other: Squares, alpha: i32, empty: Squares) -> i32 {
        let share = std::mem::take(&mut self.share);
        self.nodes += 1;
        let count = empty.count_ones();
        let known = if count >= KEPT { self.memory.get(own, other) } else { None };
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
            return -self.search_ordered(other, own, !alpha, empty);
        }
        let before = self.nodes;
        let first = known.map_or([Known::NO_MOVE; 2], |known| known.moves);
        let mut candidates = Candidates::new(self.field, own, other, legal, empty, first);
        if count >= LOOKED_UP
            && let Some(bound) = self.looked_up(&candidates, alpha)
        {
            self.report(share);
            return bound;
        }
        let found = self.search_moves(&mut candidates, alpha, share);
        if count >= KEPT && !self.is_unwanted(&candidates) {
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
        let mut candidates = Candidates::new(self.field, own, other, legal, empty, first);
        let before = self.nodes;
        let found = self.search_moves(&mut candidates, alpha, share);
        self.memory.put(own, other, Known::after(known, alpha, found, self.nodes - before));
        found
    }

    /// Moves one after the other or by several threads.
    fn search_moves(&mut self, candidates: &mut Candidates, alpha: i32, share: u64) -> (i32, u8) {
        match candidates.empty_squares() >= SHARED && rayon::current_num_threads() > 1 {
            true => self.search_shared(candidates, alpha, share),
            false => self.search_all(candidates, alpha, share),
        }
    }

    /// Work done, for the progress.
    fn report(&self, share: u64) {
        if share > 0 {
            self.progress.advance(share);
        }
    }

    /// A score above `alpha` that is known of the position after one of the moves.
    fn looked_up(&self, candidates: &Candidates, alpha: i32) -> Option<i32> {
        candidates.iter().find_map(|candidate| {
            let known = self.memory.get(candidate.own, candidate.other)?;
            let score = -i32::from(known.upper);
            (score > alpha).then_some(score)
        })
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

    /// All moves one after the other, until one is good enough: the best score and its square.
    fn search_all(&mut self, candidates: &mut Candidates, alpha: i32, share: u64) -> (i32, u8) {
        let part = share / candidates.left().max(1);
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

    /// Whether the result is of no use any more; asked only where that saves much.
    fn is_unwanted(&self, candidates: &Candidates) -> bool {
        candidates.empty_squares() >= SHARED - 3 && self.split.is_decided()
    }

    /// As [`Worker::search_all`]: the first move alone, then the others by several threads.
    fn search_shared(&mut self, candidates: &mut Candidates, alpha: i32, share: u64) -> (i32, u8) {
        let part = share / candidates.left().max(1);
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
            let mut worker = Worker::new(self.field, self.memory, &split, self.progress, 0);
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
}
