//! The last empty squares, written out.
//!
//! All functions search with the null window above `alpha`: a result above it is a lower bound of the score of the side
//! to move, any other an upper bound. `!alpha` is the window seen by the other side: `-alpha - 1`. Squares come in the
//! order in which they are tried: those in quarters with an odd number of empty squares first, because the last move
//! there is often the mover's.

use arrayvec::ArrayVec;

use super::kernel::{Kernel, OfOnePlace, Worker};
use super::last_flip::count_turned;
use super::masks::count;
use super::turned::turned;
use crate::alphabeta::{Bounds, NO_MOVE};
use yomikiri_rules::games::reversi::board::Squares;
use yomikiri_rules::games::reversi::lines;
use yomikiri_rules::games::reversi::moves::each;

/// Less than any score.
pub const NONE: i32 = -65;

/// From so many empty squares on moves are put in order.
const ORDERED: u32 = 6;
/// Most moves that are put in order here.
const MOST_ORDERED: usize = 12;

/// A move, and the moves of the other side after it.
struct Reply {
    /// The less, the sooner tried.
    rank: i32,
    square: u8,
    flips: Squares,
    legal: Squares,
}

/// Empty squares in the order in which they are tried.
trait Left<K: Kernel>: Copy {
    /// A search of the position with these left.
    fn search(self, worker: &mut Worker<K>, own: Squares, other: Squares, alpha: i32) -> i32;
}

impl<K: Kernel> Left<K> for u8 {
    #[inline(always)]
    fn search(self, worker: &mut Worker<K>, own: Squares, _: Squares, _: i32) -> i32 {
        worker.last_one(own, self)
    }
}

impl<K: Kernel> Left<K> for [u8; 2] {
    #[inline(always)]
    fn search(self, worker: &mut Worker<K>, own: Squares, other: Squares, alpha: i32) -> i32 {
        let [a, b] = self;
        worker.last(own, other, alpha, [(a, b), (b, a)])
    }
}

impl<K: Kernel> Left<K> for [u8; 3] {
    #[inline(always)]
    fn search(self, worker: &mut Worker<K>, own: Squares, other: Squares, alpha: i32) -> i32 {
        worker.game.kernel.last_three(worker, own, other, alpha, self)
    }
}

/// Three empty squares, the only one in a quarter before two in another.
#[inline(always)]
fn odd_first([a, b, c]: [u8; 3], odd: Squares) -> [u8; 3] {
    match [a, b, c].map(|square| odd >> (square % 64) & 1) {
        [0, 1, _] => [b, a, c],
        [0, 0, 1] => [c, a, b],
        _ => [a, b, c],
    }
}

impl<K: Kernel> Worker<'_, K> {
    /// The score with one empty square.
    #[inline(always)]
    fn last_one(&mut self, own: Squares, square: u8) -> i32 {
        self.nodes += 1;
        let other = self.game.masks.squares & !own & !(1 << square);
        let discs = own.count_ones() as i32;
        let gain = count_turned(square, own);
        if gain > 0 {
            return 2 * (discs + gain + 1) - self.game.masks.area;
        }
        let loss = count_turned(square, other);
        if loss > 0 { 2 * (discs - loss) - self.game.masks.area } else { self.game.masks.final_score(own, other) }
    }

    /// Tries the squares of `orders`, each with those left after it.
    #[inline(always)]
    fn last<const N: usize, L: Left<K>>(
        &mut self,
        own: Squares,
        other: Squares,
        alpha: i32,
        orders: [(u8, L); N],
    ) -> i32 {
        self.nodes += 1;
        let mut best = NONE;
        for (square, left) in orders {
            let flips = turned::<K>(square, own, other);
            if flips != 0 {
                let score = -left.search(self, other & !flips, own | flips | 1 << square, !alpha);
                best = best.max(score);
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
        for (square, left) in orders {
            let flips = turned::<K>(square, other, own);
            if flips != 0 {
                let score = left.search(self, own & !flips, other | flips | 1 << square, alpha);
                worst = worst.min(score);
                if worst <= alpha {
                    return worst;
                }
            }
        }
        if worst < -NONE { worst } else { self.game.masks.final_score(own, other) }
    }

    #[inline(always)]
    pub fn last_three(&mut self, own: Squares, other: Squares, alpha: i32, [a, b, c]: [u8; 3]) -> i32 {
        self.last(own, other, alpha, [(a, [b, c]), (b, [a, c]), (c, [a, b])])
    }

    /// Four empty squares; `odd` as for [`Worker::plain`].
    #[inline(always)]
    fn last_four(&mut self, own: Squares, other: Squares, alpha: i32, empty: Squares, odd: Squares) -> i32 {
        let mut squares = [0; 4];
        let order = each(empty & odd).chain(each(empty & !odd));
        squares.iter_mut().zip(order).for_each(|(at, square)| *at = square);
        let [a, b, c, d] = squares;
        let after = |square: u8, left: [u8; 3]| (square, odd_first(left, odd ^ self.game.masks.region(square)));
        let orders = [after(a, [b, c, d]), after(b, [a, c, d]), after(c, [a, b, d]), after(d, [a, b, c])];
        self.last(own, other, alpha, orders)
    }

    /// Four empty squares or more, by how many there are.
    #[inline(always)]
    pub fn few(&mut self, own: Squares, other: Squares, alpha: i32, empty: Squares, odd: Squares) -> i32 {
        if empty.count_ones() == 4 {
            return self.last_four(own, other, alpha, empty, odd);
        }
        let legal = lines::legal_moves(own, other, empty);
        self.few_with(own, other, alpha, empty, odd, legal)
    }

    /// [`Worker::few`] with more than four empty squares and known moves.
    #[inline(always)]
    fn few_with(
        &mut self,
        own: Squares,
        other: Squares,
        alpha: i32,
        empty: Squares,
        odd: Squares,
        legal: Squares,
    ) -> i32 {
        let kernel = self.game.kernel;
        match empty.count_ones() >= ORDERED {
            true => kernel.ordered(self, own, other, alpha, empty, odd, legal),
            false => kernel.plain(self, own, other, alpha, empty, odd, legal),
        }
    }

    /// A few empty squares, the moves in the order of how many answers they leave.
    #[inline(always)]
    pub fn ordered(
        &mut self,
        own: Squares,
        other: Squares,
        alpha: i32,
        empty: Squares,
        odd: Squares,
        legal: Squares,
    ) -> i32 {
        self.nodes += 1;
        let before = self.nodes;
        let key = OfOnePlace([own, other]);
        let known = self.game.recent.get(key);
        if let Some(bound) = known.and_then(|known| known.settle(alpha)) {
            return bound;
        }
        if let Some(bound) = self.game.masks.stable_bound(own, other, alpha) {
            return bound;
        }
        let first = known.map_or(NO_MOVE, |known| known.moves[0]);
        let masks = &self.game.masks;
        if legal == 0 {
            return match lines::legal_moves(other, own, empty) {
                0 => masks.final_score(own, other),
                legal => -self.few_with(other, own, !alpha, empty, odd, legal),
            };
        }
        let mut moves: ArrayVec<Reply, MOST_ORDERED> = ArrayVec::new();
        for square in each(legal) {
            let disc = 1 << square;
            let flips = turned::<K>(square, own, other);
            let (next, answering) = (own | flips | disc, other & !flips);
            let legal = lines::legal_moves(answering, next, empty & !disc);
            let bonus = |set: Squares, points: i32| if set & disc != 0 { points } else { 0 };
            let place = bonus(masks.corners, 24) + bonus(odd, 6) - bonus(masks.corner_diagonals, 8);
            let rank = 16 * (count(legal) + count(legal & masks.corners)) - place;
            let rank = if square == first { i32::MIN } else { rank };
            moves.push(Reply { rank, square, flips, legal });
        }
        let mut best = NONE;
        let mut mv = NO_MOVE;
        while let Some(at) = (0..moves.len()).min_by_key(|&at| moves[at].rank) {
            let Reply { square, flips, legal, .. } = moves.swap_remove(at);
            let disc = 1 << square;
            let odd = odd ^ self.game.masks.region(square);
            let score = -self.few_with(other & !flips, own | flips | disc, !alpha, empty & !disc, odd, legal);
            if score > best {
                (best, mv) = (score, square);
            }
            if best > alpha {
                break;
            }
        }
        self.game.recent.put(key, Bounds::after(known, alpha, (best, mv), self.nodes - before));
        best
    }

    /// A few empty squares, in no other order than that: squares of `odd`, quarters with an odd number of empty
    /// squares, first.
    #[inline(always)]
    pub fn plain(
        &mut self,
        own: Squares,
        other: Squares,
        alpha: i32,
        empty: Squares,
        odd: Squares,
        legal: Squares,
    ) -> i32 {
        self.nodes += 1;
        if legal == 0 {
            return match lines::legal_moves(other, own, empty) {
                0 => self.game.masks.final_score(own, other),
                legal => -self.few_with(other, own, !alpha, empty, odd, legal),
            };
        }
        let mut best = NONE;
        for squares in [legal & odd, legal & !odd] {
            for square in each(squares) {
                let disc = 1 << square;
                let flips = turned::<K>(square, own, other);
                let odd = odd ^ self.game.masks.region(square);
                let (own, other) = (other & !flips, own | flips | disc);
                best = best.max(-self.few(own, other, !alpha, empty & !disc, odd));
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// Fewer than four empty squares, in any order.
    pub fn last_of_all(&mut self, own: Squares, other: Squares, alpha: i32) -> i32 {
        self.nodes += 1;
        let legal = self.game.masks.legal(own, other);
        if legal == 0 {
            return match self.game.masks.legal(other, own) {
                0 => self.game.masks.final_score(own, other),
                _ => -self.last_of_all(other, own, !alpha),
            };
        }
        let mut best = NONE;
        for square in each(legal) {
            let flips = turned::<K>(square, own, other);
            best = best.max(-self.last_of_all(other & !flips, own | flips | 1 << square, !alpha));
            if best > alpha {
                break;
            }
        }
        best
    }
}
