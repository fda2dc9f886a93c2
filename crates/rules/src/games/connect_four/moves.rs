//! Move generation, play, and the end of the game.

use super::board::{BOTTOM, Board, FILE_STEP, Position, Squares};
use super::lines::tops;
use super::rules::Rules;

/// A disc dropped into a file. Files are numbered from 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub u8);

/// Returns the square on which a disc dropped into `file` lands, or the empty set if the file is full.
#[inline]
pub fn landing(board: Board, occupied: Squares, file: u8) -> Squares {
    let column = 0xff << (FILE_STEP * u32::from(file)) & board.squares();
    let free = column & !occupied;
    free & free.wrapping_neg()
}

/// Returns the squares on which the next disc can land.
pub fn landings(board: Board, occupied: Squares) -> Squares {
    let raised = occupied << 1 & !BOTTOM | BOTTOM;
    raised & !occupied & board.squares()
}

/// Returns true if the game is over: the side that has just moved has won, or the board is full.
#[inline]
pub fn is_over(rules: &Rules, position: &Position) -> bool {
    rules.has_row(position.other) || position.occupied() == rules.board.squares()
}

/// Replaces the contents of `moves` by the legal moves, from left to right.
pub fn generate(rules: &Rules, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    if is_over(rules, position) {
        return;
    }
    let landings = landings(rules.board, position.occupied());
    let free = |&file: &u8| landings >> (FILE_STEP * u32::from(file)) & 0xff != 0;
    moves.extend((0..rules.board.files).filter(free).map(Move));
}

/// Returns the position after a legal move.
#[inline]
pub fn play(board: Board, position: &Position, Move(file): Move) -> Position {
    Position { own: position.other, other: position.own | landing(board, position.occupied(), file) }
}

/// Returns true if the winning rows of the position can arise in a game: the side to move has none, and if the other
/// side has winning rows, one of its top discs is part of all of them.
#[inline]
pub fn has_possible_rows(rules: &Rules, position: &Position) -> bool {
    !rules.has_row(position.own) && (!rules.has_row(position.other) || one_disc_breaks_all_rows(rules, position))
}

/// Returns true if one top disc of the side that has just moved is part of all winning rows of that side.
fn one_disc_breaks_all_rows(rules: &Rules, position: &Position) -> bool {
    let mut last = tops(position.occupied()) & position.other;
    while last != 0 {
        let disc = last & last.wrapping_neg();
        if !rules.has_row(position.other & !disc) {
            return true;
        }
        last &= !disc;
    }
    false
}
