//! The discs that a move turns.

use super::machine::Machine;
use super::masks::around;
use yomikiri_rules::games::reversi::board::Squares;

/// Each square together with the squares next to it.
static AROUND: [Squares; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = around(1 << square);
        square += 1;
    }
    all
};

/// Returns the discs that a move turns, or 0 if the move is illegal. Returns early if no neighbour of the square
/// belongs to the other side.
#[inline(always)]
pub fn turned<K: Machine>(square: u8, own: Squares, other: Squares) -> Squares {
    if AROUND[usize::from(square) % 64] & other == 0 {
        return 0;
    }
    K::flips(square, own, other)
}
