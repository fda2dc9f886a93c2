//! Discs that can never be turned again.

use super::masks::{BoardMasks, count};
use yomikiri_rules::games::reversi::board::{FIRST_FILE, RANK_STEP, Squares};

/// Returns the discs of `own` in corners, and those that an unbroken row of own discs along the edge connects to a
/// corner.
#[inline(always)]
pub fn anchored(masks: &BoardMasks, own: Squares) -> Squares {
    let mut anchored = own & masks.corners;
    if anchored == 0 {
        return 0;
    }
    let rim = masks.rim & own;
    loop {
        let beside = anchored << 1 | anchored >> 1 | anchored << RANK_STEP | anchored >> RANK_STEP;
        let more = anchored | rim & beside;
        if more == anchored {
            return anchored;
        }
        anchored = more;
    }
}

/// Returns the squares on full lines in one direction: lines without an empty square. `step` is the distance between
/// neighbouring squares of a line, in bits. Adding `step` to a square of `beyond_up`, or subtracting it from a square
/// of `beyond_down`, wraps to another rank.
#[inline(always)]
fn full_lines(masks: &BoardMasks, occupied: Squares, step: u32, beyond_up: Squares, beyond_down: Squares) -> Squares {
    // Spread each empty square along its line, in both directions.
    let empty = masks.squares & !occupied;
    let (mut up, mut down) = (empty, empty);
    for _ in 0..7 {
        up |= (up & !beyond_up) << step;
        down |= (down & !beyond_down) >> step;
    }
    masks.squares & !(up | down)
}

const LAST_FILE: Squares = FIRST_FILE << 7;

/// Returns the discs of `own` that this test proves stable. It does not find all stable discs. In each of the four
/// directions, such a disc is on a full line, at the edge, or next to a stable disc of its colour.
#[inline(always)]
pub fn stable_discs(masks: &BoardMasks, own: Squares, other: Squares) -> Squares {
    let occupied = own | other;
    let steps = [1, RANK_STEP - 1, RANK_STEP, RANK_STEP + 1];
    // Squares from which a step upwards, or downwards, wraps to another rank.
    let cross_up = [LAST_FILE, FIRST_FILE, 0, LAST_FILE];
    let cross_down = [FIRST_FILE, LAST_FILE, 0, FIRST_FILE];
    let mut held = [0; 4];
    for (at, held) in held.iter_mut().enumerate() {
        let full = full_lines(masks, occupied, steps[at], cross_up[at], cross_down[at]);
        // Squares whose two neighbours in this direction are on the board.
        let inside = masks.squares
            & (masks.squares & !cross_up[at]) << steps[at]
            & (masks.squares & !cross_down[at]) >> steps[at];
        *held = full | masks.squares & !inside;
    }
    let mut stable = own & held[0] & held[1] & held[2] & held[3];
    loop {
        let mut more = own;
        for at in 0..4 {
            let beside = (stable & !cross_up[at]) << steps[at] | (stable & !cross_down[at]) >> steps[at];
            more &= held[at] | beside;
        }
        if more | stable == stable {
            return stable;
        }
        stable |= more;
    }
}

impl BoardMasks {
    /// Returns an upper bound on the score that follows from the other side's stable discs, or `None` if the bound is
    /// above `alpha`.
    #[inline(always)]
    pub fn stable_bound(&self, own: Squares, other: Squares, alpha: i32) -> Option<i32> {
        let left = |discs: Squares| self.area - 2 * count(discs);
        if left(other) > alpha {
            return None;
        }
        let left = left(stable_discs(self, other, own));
        (left <= alpha).then_some(left)
    }
}
