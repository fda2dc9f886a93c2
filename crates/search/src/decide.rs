//! The interface of provers, which find the winners of single positions.

use crate::Result;
use yomikiri_rules::{Game, Side};

/// The progress of a prover with a question about a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecideProgress {
    /// The number of positions expanded for this question so far.
    pub expansions: u64,
    /// The number of moves of the position that are known to lose. Moves to equal positions count once.
    pub refuted: usize,
    /// The number of moves of the position, counted in the same way.
    pub moves: usize,
}

/// A callback that is called several times a second with the progress; it returns false to stop the work.
pub type GoOn<'a> = &'a mut dyn FnMut(&DecideProgress) -> bool;

/// A prover for positions of a game in which no position repeats. It keeps its results, so that the proof of one
/// position helps with the next.
///
/// # Errors
///
/// Every method fails if the system refuses to start a thread. It is not an error if `go_on` returns false. The method
/// then returns the result that it has so far.
pub trait Decide<G: Game>: Send {
    /// Returns the winner of a position; `None` if it is not known yet.
    fn winner(&mut self, position: &G::Position, go_on: GoOn) -> Result<Option<Side>>;

    /// Finds the winner after each of `moves`, which are legal moves of a position. Calls `decided` with the index of a
    /// move and the winner as soon as the winner is known. Begins with the moves that look best.
    fn decide_moves(
        &mut self,
        position: &G::Position,
        moves: &[G::Move],
        go_on: GoOn,
        decided: &mut dyn FnMut(usize, Side),
    ) -> Result<()>;

    /// Returns a move that wins for the side to move; `None` if no move wins, or if no winning move is known yet.
    fn winning_move(&mut self, position: &G::Position, go_on: GoOn) -> Result<Option<G::Move>>;

    /// Returns the value of a nonterminal position that `winner` is known to win, or `None` if the value is not known
    /// yet. The winner ends the game as soon as possible, and the loser delays the end.
    fn value(&mut self, position: &G::Position, winner: Side, go_on: GoOn) -> Result<Option<G::Value>>;
}
