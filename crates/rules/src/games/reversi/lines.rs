//! Move generation by parallel prefix fills along lines, and by rays from single squares.
//!
//! A direction is a shift: 1 along a rank, 8 along a file, 7 and 9 along the diagonals, upwards (to higher bits) or
//! downwards. Fills across files must not wrap around the edge of the board. Discs on the outer files cannot be turned
//! across files, so `INNER_FILES` leaves these files out of the discs to turn. On narrower boards the rightmost file is
//! inside the mask, but the squares beyond it hold no discs.
//!
//! Everything is plain integer arithmetic, without branches or loops over squares. Sources: the fills are the
//! Kogge-Stone fills of bitboard programs. Finding the end of a run of discs by the carry of an addition is a
//! well-known trick.

use super::board::{RANK_STEP, Squares};

/// All files of an eight-file board except the first and the last.
const INNER_FILES: Squares = 0x7e7e_7e7e_7e7e_7e7e;

/// The shift of one step down to the left. [`RIGHT_DIAGONAL`] is the shift of one step down to the right.
const LEFT_DIAGONAL: u32 = RANK_STEP - 1;
const RIGHT_DIAGONAL: u32 = RANK_STEP + 1;

/// Returns the square behind each line of adjacent discs of `turned` that starts next to a disc of `own`. `turned` has
/// the discs of the other side that may be turned. Lines go upwards, with `STEP` bits from square to square, and are at
/// most six discs long.
#[inline(always)]
pub fn behind_up<const STEP: u32>(own: Squares, turned: Squares) -> Squares {
    let mut run = turned & own << STEP;
    run |= turned & run << STEP;
    let pairs = turned & turned << STEP;
    run |= pairs & run << (2 * STEP);
    run |= pairs & run << (2 * STEP);
    run << STEP
}

/// Like [`behind_up`], but downwards.
#[inline(always)]
pub fn behind_down<const STEP: u32>(own: Squares, turned: Squares) -> Squares {
    let mut run = turned & own >> STEP;
    run |= turned & run >> STEP;
    let pairs = turned & turned >> STEP;
    run |= pairs & run >> (2 * STEP);
    run |= pairs & run >> (2 * STEP);
    run >> STEP
}

/// Returns the squares of `empty` on which a disc of `own` would turn discs of `other`.
#[inline(always)]
pub fn legal_moves(own: Squares, other: Squares, empty: Squares) -> Squares {
    let inner = other & INNER_FILES;
    let across = behind_up::<1>(own, inner) | behind_down::<1>(own, inner);
    let down = behind_up::<RANK_STEP>(own, other) | behind_down::<RANK_STEP>(own, other);
    let left = behind_up::<LEFT_DIAGONAL>(own, inner) | behind_down::<LEFT_DIAGONAL>(own, inner);
    let right = behind_up::<RIGHT_DIAGONAL>(own, inner) | behind_down::<RIGHT_DIAGONAL>(own, inner);
    (across | down | left | right) & empty
}

/// Returns the discs of `other` that a disc of `own` placed on the empty `square` turns. All four upward rays take the
/// same steps, and so do all four downward rays. The compiler can therefore put four rays into one vector register.
#[inline(always)]
pub fn flips(square: u8, own: Squares, other: Squares) -> Squares {
    let rays = &RAYS[usize::from(square) % 64];
    let mut flips = [0; 4];
    for (flips, ray) in flips.iter_mut().zip(rays.up) {
        *flips = flips_up(ray, own, other);
    }
    for (flips, ray) in flips.iter_mut().zip(rays.down) {
        *flips |= flips_down(ray, own, other);
    }
    flips[0] | flips[1] | flips[2] | flips[3]
}

/// Computes [`flips`] on machines that can shift each lane of a vector register by its own count. A downward ray is
/// filled from square to square along the ray. This takes fewer steps than the fill from bit to bit in [`flips`].
#[inline(always)]
pub fn flips_by_shifts(square: u8, own: Squares, other: Squares) -> Squares {
    let rays = &RAYS[usize::from(square) % 64];
    let mut flips = [0; 4];
    for ((flips, ray), step) in flips.iter_mut().zip(rays.down).zip(SHIFTS) {
        let stops = ray & !other;
        let mut below = stops >> step;
        below |= below >> step;
        below |= below >> (2 * step);
        below |= below >> (4 * step);
        let end = stops & !below & own;
        *flips = (end.wrapping_neg() << 1) & ray;
    }
    for (flips, ray) in flips.iter_mut().zip(rays.up) {
        *flips |= flips_up(ray, own, other);
    }
    flips[0] | flips[1] | flips[2] | flips[3]
}

/// Returns the discs turned on an upward ray. The carry of an addition runs through the discs of `other` to the first
/// square of the ray that has no such disc.
#[inline(always)]
fn flips_up(ray: Squares, own: Squares, other: Squares) -> Squares {
    let end = (other | !ray).wrapping_add(1) & own & ray;
    // The result has all bits of the ray below `end`, the disc of `own` behind the turned discs. Without such a disc,
    // it is 0.
    end.wrapping_sub(u64::from(end != 0)) & ray
}

/// Returns the discs turned on a downward ray. The highest bit of `stops` is the nearest square of the ray without a
/// disc of `other`. Filling all bits below this bit isolates it.
#[inline(always)]
fn flips_down(ray: Squares, own: Squares, other: Squares) -> Squares {
    let stops = ray & !other;
    let mut below = stops >> 1;
    below |= below >> 1;
    below |= below >> 2;
    below |= below >> 4;
    below |= below >> 8;
    below |= below >> 16;
    below |= below >> 32;
    let end = stops & !below & own;
    // The result has all bits of the ray above `end`, the disc of `own` behind the turned discs. Without such a disc,
    // it is 0.
    (end.wrapping_neg() << 1) & ray
}

/// The squares in each of the eight directions from one square to the edge of an 8x8 board.
struct Rays {
    /// The rays to higher bits: right, down to the left, down, down to the right.
    up: [Squares; 4],
    /// The rays in the opposite directions, in the same order.
    down: [Squares; 4],
}

/// The shift of one step in each direction of [`Rays::up`].
const SHIFTS: [u32; 4] = [1, LEFT_DIAGONAL, RANK_STEP, RIGHT_DIAGONAL];

/// The change of file and rank of one step in each direction of [`Rays::up`].
const STEPS_UP: [(i8, i8); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

static RAYS: [Rays; 64] = {
    let mut rays = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = STEPS_UP[direction];
            rays[square].up[direction] = ray(square, files, ranks);
            rays[square].down[direction] = ray(square, -files, -ranks);
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// Returns the squares reached from `square` by repeated steps of `files` and `ranks`.
const fn ray(square: usize, files: i8, ranks: i8) -> Squares {
    let (mut file, mut rank) = (square as i8 % 8 + files, square as i8 / 8 + ranks);
    let mut squares = 0;
    while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        squares |= 1 << (8 * rank + file);
        file += files;
        rank += ranks;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_turn_the_same() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..200_000u32 {
            let square = (round % 64) as u8;
            // Dense and sparse boards.
            let empty = random.u64(..) & random.u64(..) | 1 << square;
            let own = random.u64(..) & !empty;
            let other = !empty & !own;
            assert_eq!(flips_by_shifts(square, own, other), flips(square, own, other), "{square} {own:x} {other:x}");
        }
    }
}
