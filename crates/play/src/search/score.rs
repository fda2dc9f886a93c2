//! Scores as numbers: guesses in the middle, certain wins and losses outside.

use super::entry::{Bound, Entry};
use crate::player::Score;
use yomikiri_rules::{Outcome, Plies};

/// The score of a game won on the board; a win in `n` plies is worth `n` less.
pub const WIN: i32 = 32_000;

/// Scores from here on are certain wins.
const WON: i32 = WIN - 1_000;

/// Scores down from here are certain losses; between the two are guesses.
const LOST: i32 = -WON;

/// More than any score.
pub const INFINITE: i32 = WIN + 1;

/// The score of a game that ends so many plies from the root.
pub fn decided(outcome: Outcome, plies: usize) -> i32 {
    match outcome {
        Outcome::Win => WIN - plies as i32,
        Outcome::Draw => 0,
        Outcome::Loss => plies as i32 - WIN,
    }
}

/// The score of an entry where it settles a position at `ply` of the path.
pub fn usable(entry: Entry, ply: usize, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
    let stored = i32::from(entry.score);
    let bound = match (u32::from(entry.depth) >= depth, stored) {
        (true, _) => entry.bound,
        // What is won stays won whatever else a deeper look finds, and what is lost lost.
        (false, WON..) if entry.bound != Bound::Upper => Bound::Lower,
        (false, ..=LOST) if entry.bound != Bound::Lower => Bound::Upper,
        _ => return None,
    };
    let score = counted_from_root(stored, ply);
    settles(bound, score, alpha, beta).then_some(score)
}

/// Whether a bound answers the question between `alpha` and `beta`.
pub fn settles(bound: Bound, score: i32, alpha: i32, beta: i32) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    }
}

/// A score with the plies to the end counted from the position, not from the root.
pub fn counted_from_here(score: i32, ply: usize) -> i32 {
    match score {
        WON.. => score + ply as i32,
        ..=LOST => score - ply as i32,
        _ => score,
    }
}

/// Inverse of [`counted_from_here`].
fn counted_from_root(score: i32, ply: usize) -> i32 {
    match score {
        WON.. => score - ply as i32,
        ..=LOST => score + ply as i32,
        _ => score,
    }
}

pub fn as_score(score: i32) -> Score {
    match score {
        WON.. => Score::Won(Plies((WIN - score) as u16)),
        ..=LOST => Score::Lost(Plies((WIN + score) as u16)),
        guess => Score::Guess(guess),
    }
}
