//! Lists the moves of a position in candidate order, the order in which best-play files number them. These files export
//! a table as text.
//!
//! The order uses the canonical board: of the board and its mirror image, the one with the smaller key. Its squares are
//! numbered row by row, starting with the row nearest to the side to move, and from left to right in each row. Moves of
//! pieces on the board come first, ordered by the square that the piece leaves, then by the square that it reaches.
//! Drops follow: elephants, then giraffes, then chicks, each ordered by square.

use std::ops::ControlFlow;

use super::board::{Board, COLUMN_SQUARES, SQUARES};
use super::moves::Step;
use super::rules::Rules;

/// Returns the boards after all legal moves from [`Board::canonical`] of `board`, each as its side to move sees it.
/// Moves of pieces on the board come first, ordered by the square that they leave, then by the square that they enter.
/// Drops follow, ordered by kind, then by square. Squares are in the order that the module describes. The game must not
/// be over on `board`.
pub fn candidates(rules: &Rules, board: &Board) -> Vec<Board> {
    let mut moves = Vec::new();
    let _ = board.canonical().rotated().after_moves(rules, |step, next, _| {
        moves.push((place(step), *next));
        ControlFlow::Continue(())
    });
    moves.sort_unstable_by_key(|&(place, _)| place);
    moves.into_iter().map(|(_, next)| next).collect()
}

/// Returns the sort key of a move: first the square that the piece leaves, or the kind of a dropped piece, then the
/// square that the piece reaches.
fn place(step: Step) -> (usize, usize) {
    let from = step.from.map_or(SQUARES + step.kind as usize, count_of);
    (from, count_of(step.to))
}

/// Returns the index of a square in the order of candidates: row by row from the row nearest to the side to move, each
/// row from left to right. `square` is numbered as the other side sees the board, as in [`Step`].
fn count_of(square: u8) -> usize {
    let (column, row) = (usize::from(square) / COLUMN_SQUARES, usize::from(square) % COLUMN_SQUARES);
    row * (SQUARES / COLUMN_SQUARES) + column
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::animal_shogi::text::board_of_key;

    /// Compares with the examples of the game's original analyser. Each has a position, the index of a move in
    /// candidate order and the board after this move.
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
