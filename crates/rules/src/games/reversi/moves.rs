//! Moves and how they change a position.

use super::board::{Board, Position, Squares};
use super::lines;

/// A disc on a square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The bit number of the square.
    Place(u8),
    Pass,
}

/// The squares of a set, upwards.
pub fn each(mut squares: Squares) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (squares != 0).then_some(squares.trailing_zeros() as u8);
        squares &= squares.wrapping_sub(1);
        square
    })
}

/// The squares on which the side to move can put a disc.
#[inline]
pub fn legal(board: Board, position: &Position) -> Squares {
    lines::legal_moves(position.own, position.other, board.squares() & !position.occupied())
}

/// Whether the side to move can put no disc anywhere, but the other side could.
pub fn must_pass(board: Board, position: &Position) -> bool {
    legal(board, position) == 0 && legal(board, &position.passed()) != 0
}

/// Whether neither side can put a disc anywhere.
#[inline]
pub fn is_over(board: Board, position: &Position) -> bool {
    legal(board, position) == 0 && legal(board, &position.passed()) == 0
}

/// Replaces the contents of `moves` by the legal moves: squares in reading order, or the one pass.
pub fn generate(board: Board, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    moves.extend(each(legal(board, position)).map(Move::Place));
    if moves.is_empty() && must_pass(board, position) {
        moves.push(Move::Pass);
    }
}

/// The position after a legal move.
#[inline]
pub fn play(position: &Position, mv: Move) -> Position {
    let Move::Place(square) = mv else { return position.passed() };
    let flips = lines::flips(square, position.own, position.other);
    let own = position.own | flips | 1 << square;
    Position { own, other: position.other & !flips, side: position.side }.passed()
}
