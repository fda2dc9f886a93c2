//! Evaluation by patterns, after a search of a few plies.

use arrayvec::ArrayVec;

use super::eval::{BOUNDLESS, WON};
use super::machine::{Discs, Machine, PatternPosition, WeightedBoard};
use super::turned::turned;
use yomikiri_rules::bits::squares_of;

/// The minimum remaining depth, in plies, at which moves are ordered before they are searched.
const ORDERED: u32 = 2;

impl WeightedBoard<'_> {
    /// Returns the evaluation for the side to move, in eighths of a disc, by an alpha-beta search of `depth` plies. The
    /// result is exact within the window from `alpha` to `beta`, and a bound outside the window. Adds the number of
    /// positions searched to `nodes`.
    #[inline(always)]
    pub fn look<K: Machine>(
        self,
        machine: K,
        seen: &PatternPosition,
        depth: u32,
        [mut alpha, beta]: [i32; 2],
        nodes: &mut u64,
    ) -> i32 {
        let WeightedBoard { weights, masks } = self;
        let Discs { own, other } = seen.discs;
        *nodes += 1;
        let empty = masks.empty(own, other);
        if depth == 0 && own != 0 && other != 0 {
            return weights.worth(&seen.states, empty.count_ones());
        }
        let legal = masks.legal(own, other);
        if legal == 0 {
            return match masks.legal(other, own) {
                0 => masks.final_score(own, other) * WON,
                _ => {
                    let depth = depth.saturating_sub(1);
                    -machine.look(self, &seen.passed(), depth, [-beta, -alpha], nodes)
                }
            };
        }
        let mut best = -BOUNDLESS;
        let after = |square: u8| seen.after(weights, square, turned::<K>(square, own, other));
        if depth < ORDERED {
            for square in squares_of(legal) {
                best = best.max(-machine.look(self, &after(square), depth - 1, [-beta, -alpha], nodes));
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
            best = best.max(-machine.look(self, &seen, depth - 1, [-beta, -alpha], nodes));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
