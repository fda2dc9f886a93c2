//! Guesses at what positions are worth.

use crate::game::Game;
use crate::solve::Solvable;
use crate::value::Side;

/// The highest guess, and below zero the lowest; others are cut down to it.
pub const LIMIT: i32 = 20_000;

/// A game with a guess for positions that nobody has read out.
pub trait Evaluate: Game {
    /// How much better the side to move stands, in hundredths of one step or of whatever the game counts; at most
    /// [`LIMIT`] either way. Positions that are equal by symmetry get the same guess.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// What a greedy player counts: the stones of a side, or whatever else people would take for its wealth.
    fn wealth(&self, position: &Self::Position, side: Side) -> i32;

    /// A number by which a search remembers a position, the same for positions that are equal by symmetry. Two others may
    /// have the same number where keys do not fit, but hardly ever do.
    fn fingerprint(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }
}

/// A game that can be solved and played: all of them.
pub trait Playable: Solvable + Evaluate {}

impl<G: Solvable + Evaluate> Playable for G {}
