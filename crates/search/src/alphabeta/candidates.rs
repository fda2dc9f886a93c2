//! The moves of a position in search order.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::AlphaBeta;

/// A move with the position after it.
pub struct Candidate<G: AlphaBeta> {
    /// The move.
    pub mv: G::Move,
    /// The number that stands for the move in table entries. Moves that symmetry maps to each other share a code. Moves
    /// that table entries cannot name have the code [`super::NO_MOVE`]. All other moves have different codes.
    pub code: u8,
    /// The position after the move, from the view of the opponent, who is then to move.
    pub position: G::Position,
    /// Moves of greater priority are searched first.
    pub priority: i32,
}

/// A list that can hold the moves of a position.
pub trait List<T>: Default {
    /// Adds an item at the end.
    fn push(&mut self, item: T);

    /// Removes and returns the item at index `at`. The last item takes its place.
    fn swap_remove(&mut self, at: usize) -> T;

    /// The items, by the index that [`List::swap_remove`] takes.
    fn items(&self) -> &[T];
}

impl<T, const CAPACITY: usize> List<T> for ArrayVec<T, CAPACITY> {
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

/// The moves of a position that have not been searched yet. [`Candidates::pop_best`] takes them out in order of
/// priority.
pub struct Candidates<G: AlphaBeta> {
    left: G::List,
    /// The number of plies left ([`AlphaBeta::plies_left`]) in the position, before any of the moves is made.
    pub plies_left: u32,
    /// An evaluation of the position for [`AlphaBeta::probcut`], computed from evaluations of the positions after the
    /// moves. The game chooses its unit. `None` if the game makes no such evaluation.
    pub estimate: Option<i32>,
}

impl<G: AlphaBeta> Candidates<G> {
    /// Creates an empty list for a position with this number of plies left.
    #[inline(always)]
    pub fn new(plies_left: u32) -> Candidates<G> {
        Candidates { left: G::List::default(), plies_left, estimate: None }
    }

    /// Adds a move. Moves can be added in any order.
    #[inline(always)]
    pub fn push(&mut self, candidate: Candidate<G>) {
        self.left.push(candidate);
    }

    /// The number of moves that have not been taken out.
    pub fn count(&self) -> usize {
        self.left.items().len()
    }

    /// The moves that have not been taken out, in any order.
    pub fn iter(&self) -> impl Iterator<Item = &Candidate<G>> {
        self.left.items().iter()
    }

    /// Removes and returns the move with the highest priority; among equals, the one with the lowest code. Returns
    /// `None` if no moves are left.
    #[inline]
    pub fn pop_best(&mut self) -> Option<Candidate<G>> {
        let left = self.left.items();
        let best = (0..left.len()).max_by_key(|&at| (left[at].priority, Reverse(left[at].code)))?;
        Some(self.left.swap_remove(best))
    }
}
