//! Evaluation by patterns, after a search of a few plies.

use arrayvec::ArrayVec;

use super::eval::{BOUNDLESS, WON};
use super::machine::{Machine, PatternPosition};
use super::masks::BoardMasks;
use super::turned::turned;
use crate::adapters::reversi::weights::Weights;
use yomikiri_rules::bits::squares_of;

/// The minimum remaining depth, in plies, at which moves are ordered before they are searched.
const ORDERED: u32 = 2;

impl Weights {
    /// The evaluation for the side to move, in eighths of a disc, by an alpha-beta search of `depth` plies. It is exact
    /// within the window and a bound outside it. Adds the number of positions searched to `nodes`.
    #[inline(always)]
    pub fn look<K: Machine>(
        &self,
        (machine, masks): (K, &BoardMasks),
        seen: &PatternPosition,
        depth: u32,
        [mut alpha, beta]: [i32; 2],
        nodes: &mut u64,
    ) -> i32 {
        let weights = self;
        *nodes += 1;
        let empty = masks.empty(seen.own, seen.other);
        if depth == 0 && seen.own != 0 && seen.other != 0 {
            return weights.worth(&seen.states, empty.count_ones());
        }
        let legal = masks.legal(seen.own, seen.other);
        if legal == 0 {
            return match masks.legal(seen.other, seen.own) {
                0 => masks.final_score(seen.own, seen.other) * WON,
                _ => {
                    let depth = depth.saturating_sub(1);
                    -machine.look((weights, masks), &seen.passed(), depth, [-beta, -alpha], nodes)
                }
            };
        }
        let mut best = -BOUNDLESS;
        let after = |square: u8| seen.after(weights, square, turned::<K>(square, seen.own, seen.other));
        if depth < ORDERED {
            for square in squares_of(legal) {
                best = best.max(-machine.look((weights, masks), &after(square), depth - 1, [-beta, -alpha], nodes));
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
            return best;
        }
        let mut moves: ArrayVec<(i32, PatternPosition), 64> = ArrayVec::new();
        for square in squares_of(legal) {
            let seen = after(square);
            *nodes += 1;
            let worth = weights.worth(&seen.states, empty.count_ones() - 1);
            moves.push((worth, seen));
        }
        while let Some(at) = (0..moves.len()).min_by_key(|&at| moves[at].0) {
            let (_, seen) = moves.swap_remove(at);
            best = best.max(-machine.look((weights, masks), &seen, depth - 1, [-beta, -alpha], nodes));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
