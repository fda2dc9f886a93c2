//! Scores as integers. Estimates are in the middle of the range, certain wins and losses at its ends.

use super::entry::{Bound, PvEntry};
use crate::player::Score;
use yomikiri_rules::{Outcome, Plies};

/// The score of a win in 0 plies. A win in `n` plies has the score `WIN - n`.
pub const WIN: i32 = 32_000;

/// The lowest score of a certain win.
const WON: i32 = WIN - 1_000;

/// The highest score of a certain loss. Scores between `LOST` and `WON` are estimates.
const LOST: i32 = -WON;

/// A bound that is greater than any score.
pub const INFINITE: i32 = WIN + 1;

/// Returns the score of a decided position. `outcome` is the outcome for its side to move. The end of the game is
/// `plies` plies after the root.
pub fn decided(outcome: Outcome, plies: usize) -> i32 {
    match outcome {
        Outcome::Win => WIN - plies as i32,
        Outcome::Draw => 0,
        Outcome::Loss => plies as i32 - WIN,
    }
}

/// Returns the score of an entry if it makes a search of the window from `alpha` to `beta` unnecessary, else `None`.
/// The position is `ply` plies after the root and is to be searched `depth` plies deep.
pub fn usable(entry: PvEntry, ply: usize, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
    let stored = i32::from(entry.score);
    let bound = match (u32::from(entry.depth) >= depth, stored) {
        (true, _) => entry.bound,
        // A certain win or loss holds at any depth.
        (false, WON..) if entry.bound != Bound::Upper => Bound::Lower,
        (false, ..=LOST) if entry.bound != Bound::Lower => Bound::Upper,
        _ => return None,
    };
    let score = counted_from_root(stored, ply);
    settles(bound, score, alpha, beta).then_some(score)
}

/// Returns true if a score makes a search of the window from `alpha` to `beta` unnecessary: if it is exact, a lower
/// bound of at least `beta`, or an upper bound of at most `alpha`.
pub fn settles(bound: Bound, score: i32, alpha: i32, beta: i32) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    }
}

/// Converts the score of a certain win or loss from plies after the root to plies after the current position, as
/// entries store it. Other scores stay the same. The current position is `ply` plies after the root.
pub fn counted_from_here(score: i32, ply: usize) -> i32 {
    match score {
        WON.. => score + ply as i32,
        ..=LOST => score - ply as i32,
        _ => score,
    }
}

/// Converts the score of a certain win or loss from plies after the current position to plies after the root. Other
/// scores stay the same. The current position is `ply` plies after the root.
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
