//! Search of the last empty squares, with separate code for each small number of them.
//!
//! All functions search with the null window above `alpha`: a result above `alpha` is a lower bound of the score of the
//! side to move, any other an upper bound. `!alpha`, which is `-alpha - 1`, is the other side's window. Squares in
//! quarters with an odd number of empty squares are tried first, because the mover often gets the last move there.

use arrayvec::ArrayVec;

use super::last_flip::count_turned;
use super::machine::{Machine, OneEntryKey, Worker};
use super::masks::count;
use super::turned::turned;
use crate::alphabeta::{Bounds, NO_MOVE};
use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::board::Squares;
use yomikiri_rules::games::reversi::lines;

/// A value below every score.
pub const NONE: i32 = -65;

/// The minimum number of empty squares at which moves are ordered.
const ORDERED: u32 = 6;
/// The maximum number of moves that are ordered here.
const MAX_ORDERED: usize = 12;

/// A move, and the other side's legal moves after it.
struct Reply {
    /// Moves of lower rank are tried first.
    rank: i32,
    square: u8,
    flips: Squares,
    legal: Squares,
}

/// Empty squares, in the order in which they are tried.
trait Left<K: Machine>: Copy {
    /// Searches the position in which these squares are empty.
    fn search(self, worker: &mut Worker<K>, own: Squares, other: Squares, alpha: i32) -> i32;
}

impl<K: Machine> Left<K> for u8 {
    #[inline(always)]
    fn search(self, worker: &mut Worker<K>, own: Squares, _: Squares, _: i32) -> i32 {
        worker.last_one(own, self)
    }
}

impl<K: Machine> Left<K> for [u8; 2] {
    #[inline(always)]
    fn search(self, worker: &mut Worker<K>, own: Squares, other: Squares, alpha: i32) -> i32 {
        let [a, b] = self;
        worker.last(own, other, alpha, [(a, b), (b, a)])
    }
}

impl<K: Machine> Left<K> for [u8; 3] {
    #[inline(always)]
    fn search(self, worker: &mut Worker<K>, own: Squares, other: Squares, alpha: i32) -> i32 {
        worker.game.machine.last_three(worker, own, other, alpha, self)
    }
}

/// Orders three empty squares. A square that is alone in its quarter of the board comes before two squares of another
/// quarter. `odd` has the quarters with an odd number of empty squares.
#[inline(always)]
fn odd_first([a, b, c]: [u8; 3], odd: Squares) -> [u8; 3] {
    match [a, b, c].map(|square| odd >> (square % 64) & 1) {
        [0, 1, _] => [b, a, c],
        [0, 0, 1] => [c, a, b],
        _ => [a, b, c],
    }
}

impl<K: Machine> Worker<'_, K> {
    /// The exact score of a position in which `square` is the only empty square.
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

    /// Searches the position whose empty squares are the squares of `orders`, in this order. Each square comes with the
    /// squares that remain empty after a move to it.
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
        // Pass: the other side moves, if it can.
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

    /// Searches a position with three empty squares, which are tried in the given order.
    #[inline(always)]
    pub fn last_three(&mut self, own: Squares, other: Squares, alpha: i32, [a, b, c]: [u8; 3]) -> i32 {
        self.last(own, other, alpha, [(a, [b, c]), (b, [a, c]), (c, [a, b])])
    }

    /// Searches a position with four empty squares. `odd` is as in [`Worker::plain`].
    #[inline(always)]
    fn last_four(&mut self, own: Squares, other: Squares, alpha: i32, empty: Squares, odd: Squares) -> i32 {
        let mut squares = [0; 4];
        let order = squares_of(empty & odd).chain(squares_of(empty & !odd));
        squares.iter_mut().zip(order).for_each(|(at, square)| *at = square);
        let [a, b, c, d] = squares;
        let after = |square: u8, left: [u8; 3]| (square, odd_first(left, odd ^ self.game.masks.region(square)));
        let orders = [after(a, [b, c, d]), after(b, [a, c, d]), after(c, [a, b, d]), after(d, [a, b, c])];
        self.last(own, other, alpha, orders)
    }

    /// Searches a position with four or more empty squares. Chooses the function by their number.
    #[inline(always)]
    pub fn few(&mut self, own: Squares, other: Squares, alpha: i32, empty: Squares, odd: Squares) -> i32 {
        if empty.count_ones() == 4 {
            return self.last_four(own, other, alpha, empty, odd);
        }
        let legal = lines::legal_moves(own, other, empty);
        self.few_with(own, other, alpha, empty, odd, legal)
    }

    /// Like [`Worker::few`], but with more than four empty squares and known legal moves.
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
        let machine = self.game.machine;
        match empty.count_ones() >= ORDERED {
            true => machine.ordered(self, own, other, alpha, empty, odd, legal),
            false => machine.plain(self, own, other, alpha, empty, odd, legal),
        }
    }

    /// Searches a position with a few empty squares. Uses the table of recent positions, and first tries the moves that
    /// leave the fewest replies.
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
        let key = OneEntryKey([own, other]);
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
        let mut moves: ArrayVec<Reply, MAX_ORDERED> = ArrayVec::new();
        for square in squares_of(legal) {
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

    /// Searches a position with a few empty squares. First tries the squares of `odd`, the quarters with an odd number
    /// of empty squares. Does not order moves otherwise.
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
            for square in squares_of(squares) {
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

    /// Searches a position with fewer than four empty squares, in any order.
    pub fn fewer_than_four(&mut self, own: Squares, other: Squares, alpha: i32) -> i32 {
        self.nodes += 1;
        let legal = self.game.masks.legal(own, other);
        if legal == 0 {
            return match self.game.masks.legal(other, own) {
                0 => self.game.masks.final_score(own, other),
                _ => -self.fewer_than_four(other, own, !alpha),
            };
        }
        let mut best = NONE;
        for square in squares_of(legal) {
            let flips = turned::<K>(square, own, other);
            best = best.max(-self.fewer_than_four(other & !flips, own | flips | 1 << square, !alpha));
            if best > alpha {
                break;
            }
        }
        best
    }
}
