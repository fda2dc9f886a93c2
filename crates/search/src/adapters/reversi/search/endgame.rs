//! Search of the last empty squares, with separate code for each small number of them.
//!
//! All functions search with the null window above `alpha`: a result above `alpha` is a lower bound of the score of the
//! side to move, any other an upper bound. `!alpha`, which is `-alpha - 1`, is the other side's window. Squares in
//! quarters with an odd number of empty squares are tried first, because the mover often gets the last move there.

use arrayvec::ArrayVec;

use super::last_flip::count_turned;
use super::machine::{Discs, EmptySquares, Machine, OneEntryKey, Worker};
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
/// The maximum number of moves of a position whose moves are ordered here.
const MAX_ORDERED: usize = 12;

/// A move, and the other side's legal moves after it.
struct Reply {
    /// The sort key of the move: moves with a lower one are tried first.
    rank: i32,
    square: u8,
    flips: Squares,
    legal: Squares,
}

/// Empty squares, in the order in which they are tried.
trait Left<K: Machine>: Copy {
    /// Searches the position that has exactly the empty squares `self`.
    fn search(self, worker: &mut Worker<K>, discs: Discs, alpha: i32) -> i32;
}

impl<K: Machine> Left<K> for u8 {
    #[inline(always)]
    fn search(self, worker: &mut Worker<K>, discs: Discs, _: i32) -> i32 {
        worker.last_one(discs.own, self)
    }
}

impl<K: Machine> Left<K> for [u8; 2] {
    #[inline(always)]
    fn search(self, worker: &mut Worker<K>, discs: Discs, alpha: i32) -> i32 {
        let [a, b] = self;
        worker.last(discs, alpha, [(a, b), (b, a)])
    }
}

impl<K: Machine> Left<K> for [u8; 3] {
    #[inline(always)]
    fn search(self, worker: &mut Worker<K>, discs: Discs, alpha: i32) -> i32 {
        worker.game.machine.last_three(worker, discs, alpha, self)
    }
}

/// Orders three empty squares. A square that is alone in its quarter of the board comes first if the two others share a
/// quarter. `odd` has the squares of all quarters with an odd number of empty squares.
#[inline(always)]
fn odd_first([a, b, c]: [u8; 3], odd: Squares) -> [u8; 3] {
    match [a, b, c].map(|square| odd >> (square % 64) & 1) {
        [0, 1, _] => [b, a, c],
        [0, 0, 1] => [c, a, b],
        _ => [a, b, c],
    }
}

impl<K: Machine> Worker<'_, K> {
    /// Returns the exact score of a position in which `square` is the only empty square.
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

    /// Searches a position and tries the empty squares in the order of `orders`, which has all of them. Each square
    /// comes with the squares that are still empty after a move to it.
    #[inline(always)]
    fn last<const N: usize, L: Left<K>>(&mut self, discs: Discs, alpha: i32, orders: [(u8, L); N]) -> i32 {
        let Discs { own, other } = discs;
        self.nodes += 1;
        let mut best = NONE;
        for (square, left) in orders {
            let flips = turned::<K>(square, own, other);
            if flips != 0 {
                let score = -left.search(self, discs.after(square, flips), !alpha);
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
                let score = left.search(self, discs.passed().after(square, flips), alpha);
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
    pub fn last_three(&mut self, discs: Discs, alpha: i32, [a, b, c]: [u8; 3]) -> i32 {
        self.last(discs, alpha, [(a, [b, c]), (b, [a, c]), (c, [a, b])])
    }

    /// Searches a position with four empty squares.
    #[inline(always)]
    fn last_four(&mut self, discs: Discs, alpha: i32, EmptySquares { all, odd }: EmptySquares) -> i32 {
        let mut squares = [0; 4];
        let order = squares_of(all & odd).chain(squares_of(all & !odd));
        squares.iter_mut().zip(order).for_each(|(at, square)| *at = square);
        let [a, b, c, d] = squares;
        let after = |square: u8, left: [u8; 3]| (square, odd_first(left, odd ^ self.game.masks.region(square)));
        let orders = [after(a, [b, c, d]), after(b, [a, c, d]), after(c, [a, b, d]), after(d, [a, b, c])];
        self.last(discs, alpha, orders)
    }

    /// Returns the empty squares after a move on `square`.
    #[inline(always)]
    fn without(&self, EmptySquares { all, odd }: EmptySquares, square: u8) -> EmptySquares {
        EmptySquares { all: all & !(1 << square), odd: odd ^ self.game.masks.region(square) }
    }

    /// Searches a position with four or more empty squares. Chooses the function by the number of empty squares.
    #[inline(always)]
    pub fn few(&mut self, discs: Discs, alpha: i32, empty: EmptySquares) -> i32 {
        if empty.all.count_ones() == 4 {
            return self.last_four(discs, alpha, empty);
        }
        let legal = lines::legal_moves(discs.own, discs.other, empty.all);
        self.few_with(discs, alpha, empty, legal)
    }

    /// Like [`Worker::few`], but with more than four empty squares and known legal moves.
    #[inline(always)]
    fn few_with(&mut self, discs: Discs, alpha: i32, empty: EmptySquares, legal: Squares) -> i32 {
        let machine = self.game.machine;
        match empty.all.count_ones() >= ORDERED {
            true => machine.ordered(self, discs, alpha, empty, legal),
            false => machine.plain(self, discs, alpha, empty, legal),
        }
    }

    /// Searches a position with a few empty squares. Uses the table with the bounds of recent positions, and first
    /// tries the moves that leave the fewest replies.
    #[inline(always)]
    pub fn ordered(&mut self, discs: Discs, alpha: i32, empty: EmptySquares, legal: Squares) -> i32 {
        let Discs { own, other } = discs;
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
            return match lines::legal_moves(other, own, empty.all) {
                0 => masks.final_score(own, other),
                legal => -self.few_with(discs.passed(), !alpha, empty, legal),
            };
        }
        let mut moves: ArrayVec<Reply, MAX_ORDERED> = ArrayVec::new();
        for square in squares_of(legal) {
            let disc = 1 << square;
            let flips = turned::<K>(square, own, other);
            let next = discs.after(square, flips);
            let legal = lines::legal_moves(next.own, next.other, empty.all & !disc);
            let bonus = |set: Squares, points: i32| if set & disc != 0 { points } else { 0 };
            let place = bonus(masks.corners, 24) + bonus(empty.odd, 6) - bonus(masks.corner_diagonals, 8);
            let rank = 16 * (count(legal) + count(legal & masks.corners)) - place;
            let rank = if square == first { i32::MIN } else { rank };
            moves.push(Reply { rank, square, flips, legal });
        }
        let mut best = NONE;
        let mut mv = NO_MOVE;
        while let Some(at) = (0..moves.len()).min_by_key(|&at| moves[at].rank) {
            let Reply { square, flips, legal, .. } = moves.swap_remove(at);
            let left = self.without(empty, square);
            let score = -self.few_with(discs.after(square, flips), !alpha, left, legal);
            if score > best {
                (best, mv) = (score, square);
            }
            if best > alpha {
                break;
            }
        }
        self.game.recent.put(key, known.unwrap_or(Bounds::NONE).after(alpha, best, mv, self.nodes - before));
        best
    }

    /// Searches a position with a few empty squares. First tries the squares of quarters with an odd number of empty
    /// squares. Does not order moves otherwise.
    #[inline(always)]
    pub fn plain(&mut self, discs: Discs, alpha: i32, empty: EmptySquares, legal: Squares) -> i32 {
        let Discs { own, other } = discs;
        self.nodes += 1;
        if legal == 0 {
            return match lines::legal_moves(other, own, empty.all) {
                0 => self.game.masks.final_score(own, other),
                legal => -self.few_with(discs.passed(), !alpha, empty, legal),
            };
        }
        let mut best = NONE;
        for squares in [legal & empty.odd, legal & !empty.odd] {
            for square in squares_of(squares) {
                let next = discs.after(square, turned::<K>(square, own, other));
                best = best.max(-self.few(next, !alpha, self.without(empty, square)));
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// Searches a position with fewer than four empty squares, in any order.
    pub fn fewer_than_four(&mut self, discs: Discs, alpha: i32) -> i32 {
        let Discs { own, other } = discs;
        self.nodes += 1;
        let legal = self.game.masks.legal(own, other);
        if legal == 0 {
            return match self.game.masks.legal(other, own) {
                0 => self.game.masks.final_score(own, other),
                _ => -self.fewer_than_four(discs.passed(), !alpha),
            };
        }
        let mut best = NONE;
        for square in squares_of(legal) {
            let flips = turned::<K>(square, own, other);
            best = best.max(-self.fewer_than_four(discs.after(square, flips), !alpha));
            if best > alpha {
                break;
            }
        }
        best
    }
}
