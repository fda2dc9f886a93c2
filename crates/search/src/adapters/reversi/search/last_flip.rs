//! The number of discs that a move on the last empty square turns, by tables of lines.
//!
//! On a board with one empty square, every other square holds a disc of the mover or of the other side. So the mover's
//! discs alone determine the number of discs turned. A table lists this number for a line by the index of the empty
//! square on the line, and by the mover's discs on it.

use yomikiri_rules::games::reversi::board::{FIRST_FILE, RANK_STEP, Squares};

/// Multiplying by this gathers the bits of the first file in the highest byte. The bit of the first rank becomes the
/// lowest bit of that byte.
const GATHER: Squares = 0x0102_0408_1020_4080;

/// The number of discs turned on a line of eight squares. The first index is the place of the move on the line (0 to
/// 7), the second is the bit set of the mover's discs.
static TURNED: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut line = 0;
        while line < 256 {
            turned[place][line] = between(place, line) as u8;
            line += 1;
        }
        place += 1;
    }
    turned
};

/// Returns the number of squares between the square with index `place` and the nearest disc on a line, summed over both
/// directions. `line` is the bit set of the discs. A direction without discs counts 0.
const fn between(place: usize, line: usize) -> usize {
    let above = line >> place >> 1;
    let below = line & ((1 << place) - 1);
    let up = if above == 0 { 0 } else { above.trailing_zeros() as usize };
    let down = if below == 0 { 0 } else { place - 1 - below.ilog2() as usize };
    up + down
}

/// The two diagonals through each square. The first runs down to the right, the second down to the left.
static DIAGONALS: [[Squares; 2]; 64] = {
    let mut all = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as i32 % 8, square as i32 / 8);
        let mut other = 0;
        while other < 8 {
            let (right, left) = (file + other - rank, file + rank - other);
            if right >= 0 && right < 8 {
                all[square][0] |= 1 << (8 * other + right);
            }
            if left >= 0 && left < 8 {
                all[square][1] |= 1 << (8 * other + left);
            }
            other += 1;
        }
        square += 1;
    }
    all
};

/// Returns the number of discs that a move on `square`, the only empty one, turns for the side with the discs `own`.
#[inline(always)]
pub fn count_turned(square: u8, own: Squares) -> i32 {
    let square = usize::from(square) % 64;
    let (file, rank) = (square % 8, square / 8);
    let [right, left] = DIAGONALS[square];
    let across = own >> (RANK_STEP as usize * rank) & 0xff;
    let down = (own >> file & FIRST_FILE).wrapping_mul(GATHER) >> 56;
    // A diagonal has at most one square on each file, so adding up the ranks puts its bits side by side.
    let falling = (own & right).wrapping_mul(FIRST_FILE) >> 56;
    let rising = (own & left).wrapping_mul(FIRST_FILE) >> 56;
    let on = |place: usize, line: Squares| i32::from(TURNED[place][line as usize]);
    on(file, across) + on(rank, down) + on(file, falling) + on(file, rising)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::games::reversi::board::Board;
    use yomikiri_rules::games::reversi::lines;

    #[test]
    fn counts_are_those_of_the_move_kernel() {
        let mut random = fastrand::Rng::with_seed(1);
        for (files, ranks) in [(8, 8), (6, 6), (5, 7), (3, 3), (8, 3), (3, 8)] {
            let squares = Board { files, ranks }.squares();
            for round in 0..20_000u32 {
                let square = (round % 64) as u8;
                if squares >> square & 1 == 0 {
                    continue;
                }
                let own = random.u64(..) & squares & !(1 << square);
                let other = squares & !own & !(1 << square);
                let expected = lines::flips(square, own, other).count_ones() as i32;
                assert_eq!(count_turned(square, own), expected, "{files}x{ranks} {square} {own:x}");
            }
        }
    }
}
