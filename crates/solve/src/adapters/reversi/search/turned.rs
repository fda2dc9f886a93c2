//! The discs that a move turns.

use super::kernel::Kernel;
use super::masks::around;
use yomikiri_rules::games::reversi::board::Squares;

/// Each square with the squares around it.
static AROUND: [Squares; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = around(1 << square);
        square += 1;
    }
    all
};

/// The discs that a move turns; none if it turns none, seen early where no neighbour is the other side's.
#[inline(always)]
pub fn turned<K: Kernel>(square: u8, own: Squares, other: Squares) -> Squares {
    if AROUND[usize::from(square) % 64] & other == 0 {
        return 0;
    }
    K::flips(square, own, other)
}
