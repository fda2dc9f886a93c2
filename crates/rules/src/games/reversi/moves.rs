//! Move generation and play.

use super::board::{Board, Position, Squares};
use super::lines::{self, flips, legal_moves};
use crate::bits::squares_of;
use crate::wide::{Wide, wide};

/// A disc on a square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A disc on the square with this bit index.
    Place(u8),
    /// A pass: the side to move cannot place a disc, so the other side moves.
    Pass,
}

impl Move {
    /// Returns the same move on the board with files and ranks exchanged.
    pub fn transposed(self) -> Move {
        match self {
            Move::Place(square) => Move::Place(square % 8 * 8 + square / 8),
            Move::Pass => Move::Pass,
        }
    }
}

/// Returns the squares on which the side to move can place a disc.
#[inline]
pub fn legal(board: Board, position: &Position) -> Squares {
    lines::legal_moves(position.own, position.other, board.squares() & !position.occupied())
}

/// Returns true if the side to move has no move, but the other side has one.
pub fn must_pass(board: Board, position: &Position) -> bool {
    legal(board, position) == 0 && legal(board, &position.passed()) != 0
}

/// Returns true if neither side has a move.
#[inline]
pub fn is_over(board: Board, position: &Position) -> bool {
    legal(board, position) == 0 && legal(board, &position.passed()) == 0
}

/// Replaces the contents of `moves` by the legal moves: squares in reading order, or a single pass.
pub fn generate(board: Board, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    moves.extend(squares_of(legal(board, position)).map(Move::Place));
    if moves.is_empty() && must_pass(board, position) {
        moves.push(Move::Pass);
    }
}

/// Returns the position after a legal move.
#[inline]
pub fn play(position: &Position, mv: Move) -> Position {
    let Move::Place(square) = mv else { return position.passed() };
    let flips = lines::flips(square, position.own, position.other);
    let own = position.own | flips | 1 << square;
    Position { own, other: position.other & !flips, side: position.side }.passed()
}

/// Returns the perft count: the number of sequences of `depth` moves, where a pass is a move. A game that ends before
/// `depth` moves counts as one sequence, as in the published counts.
pub fn sequences(board: Board, position: &Position, depth: u32) -> u64 {
    let squares = board.squares();
    match Wide::detected() {
        Some(wide) => of_wide(wide, squares, position.own, position.other, depth),
        None => portable(squares, position.own, position.other, depth),
    }
}

/// Computes the count of [`sequences`] with code that runs on any machine.
fn portable(squares: Squares, own: Squares, other: Squares, depth: u32) -> u64 {
    count(squares, own, other, depth, |own, other, depth| portable(squares, own, other, depth))
}

/// Computes the count of [`sequences`] with code for machines with wide registers.
fn of_wide(wide: Wide, squares: Squares, own: Squares, other: Squares, depth: u32) -> u64 {
    wide!(wide, |wide: Wide, squares: Squares, own: Squares, other: Squares, depth: u32| -> u64 {
        count(squares, own, other, depth, |own, other, depth| of_wide(wide, squares, own, other, depth))
    })
}

/// Counts the sequences of `depth` moves. `further` counts the sequences of the remaining moves from the position after
/// each first move.
#[inline(always)]
fn count(
    squares: Squares,
    own: Squares,
    other: Squares,
    depth: u32,
    further: impl Fn(Squares, Squares, u32) -> u64,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let empty = squares & !(own | other);
    let legal = legal_moves(own, other, empty);
    if legal == 0 {
        return if legal_moves(other, own, empty) == 0 { 1 } else { further(other, own, depth - 1) };
    }
    if depth == 1 {
        return legal.count_ones().into();
    }
    let after = |square: u8| {
        let flips = flips(square, own, other);
        further(other & !flips, own | flips | 1 << square, depth - 1)
    };
    squares_of(legal).map(after).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::Rules;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn both_kernels_count_the_same() {
        let wide = Wide::detected().expect("an x86-64 machine with AVX2, BMI, LZCNT and POPCNT to test their code on");
        for (code, depth) in [("rev8x8", 7), ("rev6x6-p", 8), ("rev5x7", 8), ("rev4x4", 12), ("rev3x8", 15)] {
            let rules = Rules::parse(code).unwrap();
            let (squares, start) = (rules.board.squares(), rules.start());
            let counts = [
                portable(squares, start.own, start.other, depth),
                of_wide(wide, squares, start.own, start.other, depth),
            ];
            assert_eq!(counts[0], counts[1], "{code}");
        }
    }
}
