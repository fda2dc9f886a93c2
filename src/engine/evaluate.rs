//! Guesses at what positions are worth.

use crate::game::Game;

/// The highest guess, and below zero the lowest; others are cut down to it.
pub const LIMIT: i32 = 20_000;

/// A game with a guess for positions that nobody has read out.
pub trait Evaluate: Game {
    /// How much better the side to move stands, in hundredths of one step or of whatever the game counts; at most
    /// [`LIMIT`] either way. Positions that are equal by symmetry get the same guess.
    fn evaluate(&self, position: &Self::Position) -> i32;
}
