//! Counting sequences of moves.

use super::board::{Board, Position, Squares};
use super::lines::{flips, legal_moves};
use super::moves::each;
use super::wide::{Wide, wide};

/// Number of sequences of `depth` moves, passes among them. A game that ends earlier counts as one sequence, as in the
/// published counts.
pub fn sequences(board: Board, position: &Position, depth: u32) -> u64 {
    let squares = board.squares();
    match Wide::detected() {
        Some(wide) => of_wide(wide, squares, position.own, position.other, depth),
        None => portable(squares, position.own, position.other, depth),
    }
}

/// For any machine.
fn portable(squares: Squares, own: Squares, other: Squares, depth: u32) -> u64 {
    count(squares, own, other, depth, |own, other, depth| portable(squares, own, other, depth))
}

/// For machines with wide registers.
fn of_wide(wide: Wide, squares: Squares, own: Squares, other: Squares, depth: u32) -> u64 {
    wide!(wide, |wide: Wide, squares: Squares, own: Squares, other: Squares, depth: u32| -> u64 {
        count(squares, own, other, depth, |own, other, depth| of_wide(wide, squares, own, other, depth))
    })
}

/// Counts with the help of `further` for the positions after the moves.
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
    each(legal).map(after).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::Rules;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn both_kernels_count_the_same() {
        let wide = Wide::detected().expect("an x86-64 machine with AVX2, BMI, LZCNT and POPCNT to test their code on");
        for (code, depth) in [("rev8x8", 7), ("rev6x6-p", 8), ("rev5x7", 8), ("rev4x4", 12), ("rev3x8", 22)] {
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
