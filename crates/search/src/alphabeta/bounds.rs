//! The entries of the transposition table.

use crate::transposition::PackedEntry;

/// The move code that means no move.
pub const NO_MOVE: u8 = u8::MAX;

/// Bounds on the score of a position, both inclusive, and its best moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The lower bound; `i16::MIN` if none is known.
    pub lower: i16,
    /// The upper bound; `i16::MAX` if none is known.
    pub upper: i16,
    /// The codes ([`super::Candidate::code`]) of the best move and of the previous best move; [`NO_MOVE`] for a move
    /// that is not known.
    pub moves: [u8; 2],
    /// Base-2 logarithm of the number of nodes searched for the bounds; less than 128.
    pub cost: u8,
}

impl Bounds {
    /// The bounds of a position that no search has seen.
    pub const NONE: Bounds = Bounds { lower: i16::MIN, upper: i16::MAX, moves: [NO_MOVE; 2], cost: 0 };

    /// Returns a bound that tells whether the score is above `alpha`: the lower bound if it is greater than `alpha`, or
    /// the upper bound if it is at most `alpha`. Returns `None` if the bounds leave the question open.
    #[inline]
    pub fn settle(&self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }

    /// Returns these bounds, updated with the result of a null-window search above `alpha`. `score` is the best score,
    /// `mv` the code of the best move, and `nodes` the number of nodes searched.
    pub fn after(self, alpha: i32, score: i32, mv: u8, nodes: u64) -> Bounds {
        let mut bounds = self;
        let [first, _] = bounds.moves;
        if (score > alpha || first == NO_MOVE) && mv != first {
            bounds.moves = [mv, first];
        }
        if score > alpha {
            bounds.lower = score as i16;
        } else {
            bounds.upper = score as i16;
        }
        bounds.cost = bounds.cost.max(nodes.max(1).ilog2() as u8);
        bounds
    }
}

/// The bit of the cost byte that is set in every entry, so that no entry is 0.
const IN_USE: u8 = 1 << 7;

/// An entry is one word. Its bytes, lowest first: `lower` (two bytes), `upper` (two bytes), `moves` (two bytes),
/// `cost`, age. The age is the number of the search that stored the entry, modulo 256. Look-ups find entries of all
/// ages. Entries of earlier searches are replaced before those of the current search. Among the entries of either kind,
/// the one with the lowest cost is replaced first.
impl PackedEntry for Bounds {
    fn next_age(age: u8) -> Option<u8> {
        Some(age.wrapping_add(1))
    }

    #[inline(always)]
    fn to_word(self, age: u8) -> u64 {
        let ([a, b], [c, d], [first, second]) = (self.lower.to_le_bytes(), self.upper.to_le_bytes(), self.moves);
        u64::from_le_bytes([a, b, c, d, first, second, self.cost | IN_USE, age])
    }

    #[inline(always)]
    fn from_word(word: u64) -> Bounds {
        let [a, b, c, d, first, second, cost, _] = word.to_le_bytes();
        let (lower, upper) = (i16::from_le_bytes([a, b]), i16::from_le_bytes([c, d]));
        Bounds { lower, upper, moves: [first, second], cost: cost & !IN_USE }
    }

    #[inline(always)]
    fn is_found(word: u64, _: u8) -> bool {
        word != 0
    }

    #[inline(always)]
    fn worth(word: u64, age: u8) -> u32 {
        let [.., cost, of] = word.to_le_bytes();
        u32::from(of == age) << 8 | u32::from(cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_settle_windows() {
        let known = Bounds { lower: -4, upper: 6, ..Bounds::NONE };
        assert_eq!([-5, -4, 5, 6].map(|alpha| known.settle(alpha)), [Some(-4), None, None, Some(6)]);
        let above = known.after(1, 3, 9, 100);
        assert_eq!((above.lower, above.upper, above.moves), (3, 6, [9, NO_MOVE]));
        let below = above.after(4, 4, 12, 100);
        assert_eq!((below.lower, below.upper, below.moves), (3, 4, [9, NO_MOVE]));
    }

    #[test]
    fn words_keep_all_of_the_bounds() {
        for (lower, upper) in [(0, 0), (-64, 64), (i16::MIN, i16::MAX), (-300, -299)] {
            for (moves, cost) in [([0, 0], 0), ([3, NO_MOVE], 63)] {
                let bounds = Bounds { lower, upper, moves, cost };
                for age in [0, 1, 255] {
                    assert_eq!(Bounds::from_word(bounds.to_word(age)), bounds);
                    assert!(Bounds::is_found(bounds.to_word(age), age));
                }
            }
        }
    }

    #[test]
    fn the_cheapest_and_the_oldest_make_room_first() {
        let word = |cost, age| Bounds { cost, ..Bounds::NONE }.to_word(age);
        let worth = [0, word(0, 3), word(9, 3), word(0, 4), word(1, 4)].map(|word| Bounds::worth(word, 4));
        assert!(worth.is_sorted_by(|a, b| a < b), "{worth:?}");
    }
}
