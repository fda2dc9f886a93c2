//! The last four empty squares, written out.
//!
//! All functions search with the null window above `alpha`: a result above it is a lower bound of the score of the side
//! to move, any other an upper bound. Squares come in the order in which they are tried: those in quarters with an odd
//! number of empty squares first, because the last move there is often the mover's.

use super::field::Field;
use super::last::count_turned;
use super::worker::Worker;
use crate::games::reversi::board::Squares;
use crate::games::reversi::lines;

/// Less than any score.
pub const NONE: i32 = -65;

/// The squares around each.
static AROUND: [Squares; 64] = {
    let mut around = [0; 64];
    let mut square = 0;
    while square < 64 {
        let disc: Squares = 1 << square;
        let beside = (disc & !0x8080_8080_8080_8080) << 1 | (disc & !0x0101_0101_0101_0101) >> 1;
        let row = beside | disc;
        around[square] = beside | row << 8 | row >> 8;
        square += 1;
    }
    around
};

/// The discs that a move turns; none if it turns none, seen early where no neighbour is the other side's.
#[inline]
pub fn turned(square: u8, own: Squares, other: Squares) -> Squares {
    if AROUND[usize::from(square) % 64] & other == 0 {
        return 0;
    }
    lines::flips(square, own, other)
}

/// The score with one empty square.
#[inline]
fn last_one(field: &Field, own: Squares, square: u8) -> i32 {
    let other = field.squares & !own & !(1 << square);
    let discs = own.count_ones() as i32;
    let gain = count_turned(square, own);
    if gain > 0 {
        return 2 * (discs + gain + 1) - field.area;
    }
    let loss = count_turned(square, other);
    if loss > 0 { 2 * (discs - loss) - field.area } else { field.final_score(own, other) }
}

impl Worker<'_> {
    /// Two empty squares.
    #[inline]
    fn last_two(&mut self, own: Squares, other: Squares, alpha: i32, squares: [u8; 2]) -> i32 {
        self.nodes += 1;
        let mut best = NONE;
        let [first, second] = squares;
        for (square, left) in [(first, second), (second, first)] {
            let flips = turned(square, own, other);
            if flips != 0 {
                self.nodes += 1;
                best = best.max(-last_one(self.field, other & !flips, left));
                if best > alpha {
                    return best;
                }
            }
        }
        if best > NONE {
            return best;
        }
        // The other side moves, if it can.
        let mut worst = -NONE;
        for (square, left) in [(first, second), (second, first)] {
            let flips = turned(square, other, own);
            if flips != 0 {
                self.nodes += 1;
                worst = worst.min(last_one(self.field, own & !flips, left));
                if worst <= alpha {
                    return worst;
                }
            }
        }
        if worst < -NONE { worst } else { self.field.final_score(own, other) }
    }

    /// Three empty squares.
    #[inline]
    fn last_three(&mut self, own: Squares, other: Squares, alpha: i32, squares: [u8; 3]) -> i32 {
        self.nodes += 1;
        let [a, b, c] = squares;
        let orders = [(a, [b, c]), (b, [a, c]), (c, [a, b])];
        let mut best = NONE;
        for (square, left) in orders {
            let flips = turned(square, own, other);
            if flips != 0 {
                let moved = own | flips | 1 << square;
                best = best.max(-self.last_two(other & !flips, moved, !alpha, left));
                if best > alpha {
                    return best;
                }
            }
        }
        if best > NONE {
            return best;
        }
        let mut worst = -NONE;
        for (square, left) in orders {
            let flips = turned(square, other, own);
            if flips != 0 {
                let moved = other | flips | 1 << square;
                worst = worst.min(self.last_two(own & !flips, moved, alpha, left));
                if worst <= alpha {
                    return worst;
                }
            }
        }
        if worst < -NONE { worst } else { self.field.final_score(own, other) }
    }

    /// Four empty squares.
    #[inline]
    pub fn last_four(&mut self, own: Squares, other: Squares, alpha: i32, squares: [u8; 4]) -> i32 {
        self.nodes += 1;
        let [a, b, c, d] = squares;
        let orders = [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])];
        let mut best = NONE;
        for (square, left) in orders {
            let flips = turned(square, own, other);
            if flips != 0 {
                let moved = own | flips | 1 << square;
                best = best.max(-self.last_three(other & !flips, moved, !alpha, left));
                if best > alpha {
                    return best;
                }
            }
        }
        if best > NONE {
            return best;
        }
        let mut worst = -NONE;
        for (square, left) in orders {
            let flips = turned(square, other, own);
            if flips != 0 {
                let moved = other | flips | 1 << square;
                worst = worst.min(self.last_three(own & !flips, moved, alpha, left));
                if worst <= alpha {
                    return worst;
                }
            }
        }
        if worst < -NONE { worst } else { self.field.final_score(own, other) }
    }
}
