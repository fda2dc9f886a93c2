//! Moves in the order in which the best-play files count them.
//!
//! On the board of the key (the smaller one of the two mirror images), squares count from the row nearest to the side
//! to move, in a row from the left. Moves of pieces come first, by the square they leave, then by the one they go to;
//! then drops: elephants, giraffes, chicks, each by square.

use std::ops::ControlFlow;

use super::board::{Board, COLUMN_SQUARES, SQUARES};
use super::moves::Step;
use super::rules::Rules;

/// The boards after each legal move of an undecided position, in the order of candidates, seen by the side to move
/// next.
pub fn candidates(rules: &Rules, board: &Board) -> Vec<Board> {
    let mut moves = Vec::new();
    let _ = board.canonical().rotated().after_moves(rules, |step, next, _| {
        moves.push((place(step), *next));
        ControlFlow::Continue(())
    });
    moves.sort_unstable_by_key(|&(place, _)| place);
    moves.into_iter().map(|(_, next)| next).collect()
}

/// What a step is sorted by.
fn place(step: Step) -> (usize, usize) {
    let from = step.from.map_or(SQUARES + step.kind as usize, count_of);
    (from, count_of(step.to))
}

/// How many squares come before one; squares of steps are seen from the other side.
fn count_of(square: u8) -> usize {
    let (column, row) = (usize::from(square) / COLUMN_SQUARES, usize::from(square) % COLUMN_SQUARES);
    row * (SQUARES / COLUMN_SQUARES) + column
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::animal_shogi::text::board_of_key;

    /// The candidates that the analyser's examples name, with what they lead to.
    #[test]
    fn candidates_are_counted_from_the_lower_left() {
        let rules = Rules::parse("val1n").unwrap();
        for (key, candidate, next) in [
            ("0000b029c41a003", 0, "0000b029c41a030"),
            ("000a0030c41b902", 2, "000a0139c400b02"),
            ("000a9030c41b002", 2, "000a0039c400b12"),
            ("000a9030c41b002", 3, "400a00390c0b012"),
        ] {
            let [board, next] = [key, next].map(|key| board_of_key(key).unwrap());
            let found = candidates(&rules, &board)[candidate];
            assert_eq!(found.canonical(), next.canonical(), "candidate {candidate} of {key}");
        }
    }
}
