//! What is known of positions searched before: a transposition table that all threads share.
//!
//! An entry is three words: the own discs, the other side's, and what is known. The first two are mixed with the third,
//! so that an entry that two threads wrote at once is not found instead of being wrong. Positions are kept whole: no two
//! share an entry.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

use crate::space::prefetch;
use yomikiri_rules::games::reversi::board::Squares;

/// Entries that a position can be in, side by side.
const ENTRIES: usize = 5;
const WORDS: usize = 3;

/// A search needs a cluster at so many empty squares, and twice as many for each more.
const ENOUGH: u32 = 3;

/// Words of the entries of a position, two neighbouring cache lines.
const CLUSTER: usize = 16;
type Cluster = [AtomicU64; CLUSTER];

/// Scores between which the value of a position lies, and the moves that were best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub lower: i8,
    pub upper: i8,
    /// The bit number of the best move and of the best before it, [`Known::NO_MOVE`] if there is none.
    pub moves: [u8; 2],
    /// Logarithm of the nodes that were searched for it.
    pub cost: u8,
}

impl Known {
    pub const NO_MOVE: u8 = 64;
    const NOTHING: Known = Known { lower: -64, upper: 64, moves: [Known::NO_MOVE; 2], cost: 0 };

    /// A bound that answers the null window above `alpha`.
    #[inline]
    pub fn bound(&self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }

    /// What is known after a search with the null window above `alpha` has found a best score and its square, beside
    /// what was `known` before.
    pub fn after(known: Option<Known>, alpha: i32, (score, square): (i32, u8), nodes: u64) -> Known {
        let mut known = known.unwrap_or(Known::NOTHING);
        let [first, _] = known.moves;
        if (score > alpha || first == Known::NO_MOVE) && square != first {
            known.moves = [square, first];
        }
        if score > alpha {
            known.lower = score as i8;
        } else {
            known.upper = score as i8;
        }
        known.cost = known.cost.max(nodes.max(1).ilog2() as u8);
        known
    }

    fn to_word(self, age: u8) -> u64 {
        let [first, second] = self.moves;
        u64::from_le_bytes([self.lower as u8, self.upper as u8, first, second, self.cost, age, 1, 0])
    }

    fn from_word(word: u64) -> Known {
        let [lower, upper, first, second, cost, ..] = word.to_le_bytes();
        Known { lower: lower as i8, upper: upper as i8, moves: [first, second], cost }
    }
}

fn age_of(word: u64) -> u8 {
    word.to_le_bytes()[5]
}

/// The table.
pub struct Memory {
    words: Vec<AtomicU64>,
    /// Where the first cluster begins, at the beginning of a cache line.
    first: usize,
    /// Number of clusters; a power of two.
    clusters: usize,
    /// Number of clusters in use less one; that number is a power of two as well.
    mask: AtomicUsize,
    age: AtomicU8,
}

/// Spreads a word over all its bits.
#[inline]
fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9fb2_1c65_1e98_df25);
    word ^ word >> 29
}

impl Memory {
    /// Room of about so many bytes.
    pub fn new(bytes: u64) -> Memory {
        let clusters = 1 << (bytes as usize / size_of::<Cluster>()).max(1).ilog2();
        // Pages fresh from the system cost nothing until they are touched; but the system aligns words only.
        let words: Vec<AtomicU64> = bytemuck::zeroed_vec((clusters + 1) * CLUSTER);
        let first = words.as_ptr().align_offset(size_of::<Cluster>()) % CLUSTER;
        Memory { words, first, clusters, mask: AtomicUsize::new(0), age: AtomicU8::new(0) }
    }

    /// Before another search, of a position with so many empty squares: what is kept from now on is worth more than what
    /// has been before. The part in use grows if it is small for such a search, so that a small one stays in the caches;
    /// what has been kept is forgotten then.
    pub fn begin(&self, empty: u32) {
        self.age.fetch_add(1, Ordering::Relaxed);
        let clusters = |empty: u32| 1 << empty.saturating_sub(ENOUGH);
        if self.mask.load(Ordering::Relaxed) + 1 < self.clusters.min(clusters(empty)) {
            // As much as for two squares more: the next search may be of an earlier position.
            self.mask.store(self.clusters.min(clusters(empty + 2)) - 1, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn cluster(&self, own: Squares, other: Squares) -> &Cluster {
        let hash =
            (own.wrapping_mul(0xff51_afd7_ed55_8ccd) ^ other.rotate_left(32)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        let hash = hash ^ hash >> 32;
        let (clusters, _) = self.words[self.first..].as_chunks();
        &clusters[hash as usize & self.mask.load(Ordering::Relaxed)]
    }

    /// Asks for the cache lines of a position that will be wanted soon.
    #[inline(always)]
    pub fn prefetch(&self, own: Squares, other: Squares) {
        let words = self.cluster(own, other);
        prefetch(&words[0]);
        prefetch(&words[8]);
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, own: Squares, other: Squares) -> Option<Known> {
        let words = self.cluster(own, other);
        (0..ENTRIES).find_map(|entry| {
            let [first, second, word] = read(words, entry);
            let mask = mixed(word);
            (first ^ mask == own && second ^ mask.rotate_left(17) == other && word != 0).then(|| Known::from_word(word))
        })
    }

    /// Keeps what is known of a position, instead of what took the fewest nodes if there is no room.
    pub fn put(&self, own: Squares, other: Squares, known: Known) {
        let words = self.cluster(own, other);
        let age = self.age.load(Ordering::Relaxed);
        let mut least = (u32::MAX, 0);
        for entry in 0..ENTRIES {
            let [first, second, word] = read(words, entry);
            let mask = mixed(word);
            let same = first ^ mask == own && second ^ mask.rotate_left(17) == other;
            if same || word == 0 {
                least.1 = entry;
                break;
            }
            let aged = u32::from(age_of(word) == age) << 8;
            least = least.min((aged + u32::from(Known::from_word(word).cost), entry));
        }
        let word = known.to_word(age);
        let mask = mixed(word);
        let values = [own ^ mask, other ^ mask.rotate_left(17), word];
        for (at, value) in values.into_iter().enumerate() {
            words[WORDS * least.1 + at].store(value, Ordering::Relaxed);
        }
    }
}

#[inline]
fn read(words: &Cluster, entry: usize) -> [u64; WORDS] {
    std::array::from_fn(|at| words[WORDS * entry + at].load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(lower: i8, cost: u8) -> Known {
        Known { lower, upper: 64, moves: [5, Known::NO_MOVE], cost }
    }

    #[test]
    fn what_is_put_comes_back() {
        let memory = Memory::new(1 << 16);
        memory.begin(9);
        let positions = |number: u64| (number << 20 | 1, number << 40 | 2);
        for number in 0..200 {
            let (own, other) = positions(number);
            assert_eq!(memory.get(own, other), None);
            memory.put(own, other, known(number as i8 & 63, 3));
            assert_eq!(memory.get(own, other), Some(known(number as i8 & 63, 3)));
            // Neither the other way round nor half of it.
            assert_eq!([memory.get(other, own), memory.get(own, other ^ 4)], [None; 2]);
            memory.put(own, other, known(-9, 1));
            assert_eq!(memory.get(own, other), Some(known(-9, 1)));
        }
    }

    #[test]
    fn the_cheapest_and_the_oldest_go_first() {
        let memory = Memory::new(1);
        for cost in 0..ENTRIES as u8 {
            memory.put(u64::from(cost) + 1, 0, known(0, 10 + cost));
        }
        memory.put(99, 0, known(0, 1));
        assert_eq!([memory.get(1, 0), memory.get(2, 0)], [None, Some(known(0, 11))]);
        memory.begin(0);
        memory.put(100, 0, known(0, 1));
        memory.put(101, 0, known(0, 1));
        // First what was just put for 1, then the cheapest of those before.
        assert_eq!([memory.get(99, 0), memory.get(2, 0)], [None; 2]);
        assert!(memory.get(100, 0).is_some() && memory.get(101, 0).is_some());
    }

    #[test]
    fn bounds_answer_windows() {
        let known = Known { lower: -4, upper: 6, ..Known::NOTHING };
        assert_eq!([-5, -4, 5, 6].map(|alpha| known.bound(alpha)), [Some(-4), None, None, Some(6)]);
        let above = Known::after(Some(known), 1, (3, 9), 100);
        assert_eq!((above.lower, above.upper, above.moves), (3, 6, [9, Known::NO_MOVE]));
        let below = Known::after(Some(above), 4, (4, 12), 100);
        assert_eq!((below.lower, below.upper, below.moves), (3, 4, [9, Known::NO_MOVE]));
    }
}
