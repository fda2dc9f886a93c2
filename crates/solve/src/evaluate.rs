//! Guesses at what positions are worth, and what else a search asks of a game.

use std::ops::ControlFlow;

use crate::Solvable;
use yomikiri_rules::{Game, Outcome, Plies, Side};

/// The highest guess, and below zero the lowest; others are cut down to it.
pub const LIMIT: i32 = 20_000;

/// A game with a guess for positions that nobody has read out.
pub trait Evaluate: Game {
    /// Whether a position can come again in a game.
    const REPEATS: bool = true;

    /// How much better the side to move stands, in hundredths of one step or of whatever the game counts; at most
    /// [`LIMIT`] either way. Positions that are equal by symmetry get the same guess.
    /// The default knows nothing.
    fn evaluate(&self, _position: &Self::Position) -> i32 {
        0
    }

    /// What a greedy player counts: the stones of a side, or whatever else people would take for its wealth. The
    /// default counts nothing.
    fn wealth(&self, _position: &Self::Position, _side: Side) -> i32 {
        0
    }

    /// A number by which a search remembers a position, the same for positions that are equal by symmetry. Two others
    /// may have the same number where keys do not fit, but hardly ever do.
    fn fingerprint(&self, position: &Self::Position) -> u64 {
        self.rank(position)
    }

    /// Calls `visit` with legal moves and the positions after them, until told to stop. Every position that a move
    /// leads to is met; of moves that lead to the same one, all but one may be left out.
    fn children(
        &self,
        position: &Self::Position,
        visit: &mut dyn FnMut(Self::Move, Self::Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let moves = self.legal_moves(position);
        moves.into_iter().try_for_each(|mv| visit(mv, self.play(position, mv)))
    }

    /// What reads out positions near the end faster than a search by the rules, remembering what fits into so many
    /// bytes; `None` if the game has nothing of the kind.
    fn reader(&self, _bytes: usize) -> Option<Box<dyn Reader<Self>>> {
        None
    }
}

/// Reads out positions near the end of the game, and remembers what it has seen. Positions given to it are not over.
pub trait Reader<G: Game>: Send {
    /// How the game ends for the side to move, and a number of plies within which the winner can end it; `None` if the
    /// position is too far from the end for an answer in a fraction of a millisecond.
    fn outcome(&mut self, position: &G::Position) -> Option<(Outcome, Plies)>;

    /// A best move and the exact value of a position, the winner hurrying and the loser delaying; `None` if the
    /// position is hopelessly far from the end, or if `stop`, which is asked now and then with [`Reader::nodes`], says
    /// so. Asking again goes on from what was found before.
    fn solve(&mut self, position: &G::Position, stop: &mut dyn FnMut(u64) -> bool) -> Option<(G::Move, G::Value)>;

    /// Positions looked at so far.
    fn nodes(&self) -> u64;
}

/// A game that can be solved and played: all of them.
pub trait Playable: Solvable + Evaluate {}

impl<G: Solvable + Evaluate> Playable for G {}
