//! Moves, how they change a position, and the end of the game.

use super::board::{BOTTOM, Board, FILE_STEP, Position, Squares};
use super::lines::tops;
use super::rules::Rules;

/// A disc dropped into a file, counted from 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub u8);

/// The square on which a disc dropped into a file comes to lie; none if the file is full.
#[inline]
pub fn landing(board: Board, occupied: Squares, file: u8) -> Squares {
    let column = 0xff << (FILE_STEP * u32::from(file)) & board.squares();
    let free = column & !occupied;
    free & free.wrapping_neg()
}

/// The squares on which the next disc can come to lie.
pub fn landings(board: Board, occupied: Squares) -> Squares {
    let raised = occupied << 1 & !BOTTOM | BOTTOM;
    raised & !occupied & board.squares()
}

/// Whether the game is over: the side that has just moved has won, or the board is full.
#[inline]
pub fn is_over(rules: &Rules, position: &Position) -> bool {
    rules.has_row(position.other) || position.occupied() == rules.board.squares()
}

/// Replaces the contents of `moves` by the legal moves from left to right.
pub fn generate(rules: &Rules, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    if is_over(rules, position) {
        return;
    }
    let landings = landings(rules.board, position.occupied());
    let free = |&file: &u8| landings >> (FILE_STEP * u32::from(file)) & 0xff != 0;
    moves.extend((0..rules.board.files).filter(free).map(Move));
}

/// The position after a legal move.
#[inline]
pub fn play(board: Board, position: &Position, Move(file): Move) -> Position {
    Position { own: position.other, other: position.own | landing(board, position.occupied(), file) }
}

/// Whether the rows of a position can be those of a game: the side to move has none, and taking one disc of the other
/// side off the top of a file leaves that side none.
#[inline]
pub fn has_fair_rows(rules: &Rules, position: &Position) -> bool {
    !rules.has_row(position.own) && (!rules.has_row(position.other) || ends_with_one_disc(rules, position))
}

/// Whether some disc of the side that has just moved lies in all of its rows, and on top of a file.
fn ends_with_one_disc(rules: &Rules, position: &Position) -> bool {
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
