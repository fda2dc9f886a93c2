//! The moves of a position, in the order in which they are searched.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::AlphaBeta;

/// A move and the position after it, seen by the other side.
pub struct Candidate<G: AlphaBeta> {
    pub mv: G::Move,
    /// The number by which the table keeps the move: the same for moves that symmetry makes equal, else different,
    /// but for [`super::NO_MOVE`], whose moves are not kept.
    pub code: u8,
    pub position: G::Position,
    /// The greater, the sooner searched.
    pub priority: i32,
}

/// Room for the moves of a position.
pub trait List<T>: Default {
    fn push(&mut self, item: T);

    /// Takes an item out; the last takes its place.
    fn swap_remove(&mut self, at: usize) -> T;

    fn items(&self) -> &[T];
}

impl<T, const MOST: usize> List<T> for ArrayVec<T, MOST> {
    #[inline(always)]
    fn push(&mut self, item: T) {
        self.push(item);
    }

    #[inline(always)]
    fn swap_remove(&mut self, at: usize) -> T {
        self.swap_remove(at)
    }

    #[inline(always)]
    fn items(&self) -> &[T] {
        self
    }
}

impl<T> List<T> for Vec<T> {
    fn push(&mut self, item: T) {
        self.push(item);
    }

    fn swap_remove(&mut self, at: usize) -> T {
        self.swap_remove(at)
    }

    fn items(&self) -> &[T] {
        self
    }
}

/// The moves of a position, handed out by priority.
pub struct Candidates<G: AlphaBeta> {
    left: G::List,
    /// Plies left before the move.
    pub plies_left: u32,
    /// An evaluation of the position that comes of those of the moves, in the game's own units; see
    /// [`AlphaBeta::probcut`].
    pub estimate: Option<i32>,
}

impl<G: AlphaBeta> Candidates<G> {
    #[inline(always)]
    pub fn new(plies_left: u32) -> Candidates<G> {
        Candidates { left: G::List::default(), plies_left, estimate: None }
    }

    #[inline(always)]
    pub fn push(&mut self, candidate: Candidate<G>) {
        self.left.push(candidate);
    }

    /// How many moves have not been handed out yet.
    pub fn count(&self) -> usize {
        self.left.items().len()
    }

    /// The moves that have not been handed out yet, in any order.
    pub fn iter(&self) -> impl Iterator<Item = &Candidate<G>> {
        self.left.items().iter()
    }

    /// The move of the highest priority that is left; of equals that with the lowest code.
    #[inline]
    pub fn pop_best(&mut self) -> Option<Candidate<G>> {
        let left = self.left.items();
        let best = (0..left.len()).max_by_key(|&at| (left[at].priority, Reverse(left[at].code)))?;
        Some(self.left.swap_remove(best))
    }
}
