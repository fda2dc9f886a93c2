//! Evaluation for move ordering and for the first guess of a search, on boards without weights.
//!
//! A few plies are searched, then features are counted for both sides. Their weights come from exact scores: a linear
//! fit over 26,500 positions with 10 to 16 empty squares on 6x6 and 8x8 explains four fifths of the variance of the
//! score. The fit gives about 2 discs for a move, 6 to 8 for a corner that can be taken, 4 to 8 for a corner, and 1.5
//! to 2 for a stable disc. Other parameters, such as the depth of the search, were tuned by counting nodes
//! (docs/perf/reversi.md).

use super::machine::{Discs, Machine};
use super::masks::{BoardMasks, around, count};
use super::stable::stable_discs;
use super::turned::turned;
use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::board::Squares;

/// The unit of evaluations: one disc is `DISC` units.
pub const DISC: i32 = 8;
/// A value above all evaluations.
pub const BOUNDLESS: i32 = 1 << 20;
/// The evaluation of a game that is over and won by one disc. Greater wins are worth more.
pub const WON: i32 = 1 << 12;

/// Returns the evaluation of the features of one side, in eighths of a disc.
#[inline(always)]
fn assets(masks: &BoardMasks, own: Squares, other: Squares, empty: Squares) -> i32 {
    let moves = masks.legal(own, other);
    let corners = own & masks.corners;
    let stable = if corners == 0 { 0 } else { stable_discs(masks, own, other) };
    16 * count(moves) + 40 * count(moves & masks.corners) + 48 * count(corners) + 12 * count(stable)
        - 4 * count(around(own) & empty)
}

impl BoardMasks {
    /// Returns the evaluation for the side to move, in eighths of a disc, by an alpha-beta search of `depth` plies. The
    /// result is exact within the window from `alpha` to `beta`, and a bound outside the window.
    #[inline(always)]
    pub fn eval<K: Machine>(&self, machine: K, discs: Discs, depth: u32, [mut alpha, beta]: [i32; 2]) -> i32 {
        let (masks, Discs { own, other }) = (self, discs);
        let empty = masks.empty(own, other);
        if depth == 0 && own != 0 && other != 0 {
            return assets(masks, own, other, empty) - assets(masks, other, own, empty);
        }
        let legal = masks.legal(own, other);
        if legal == 0 {
            return match masks.legal(other, own) {
                0 => masks.final_score(own, other) * WON,
                _ => -machine.eval(masks, discs.passed(), depth.saturating_sub(1), [-beta, -alpha]),
            };
        }
        let mut best = -BOUNDLESS;
        for square in squares_of(legal) {
            let flips = turned::<K>(square, own, other);
            best = best.max(-machine.eval(masks, discs.after(square, flips), depth - 1, [-beta, -alpha]));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
