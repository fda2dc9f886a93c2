//! Numbers the sets of `size` bits out of `bits` bits.
//!
//! The rank of a set is its index among these sets in ascending numerical order. In the combinatorial number system it
//! is the sum of `C(p, i)` over the set bits, where `p` is the index of the `i`-th lowest set bit, with `i` from 1. Two
//! tables, for the lower and the upper half of the bits, give the two parts of the sum. The part for the upper half
//! depends on the number of bits set in the lower half.

/// Tables that number the sets of `size` bits out of `bits` bits, for one `bits` (at most 25) and one `size` (at most
/// 5). All ranks fit 16 bits.
#[derive(Clone, Debug)]
pub struct Combinations {
    /// The number of bits in the lower half.
    split: u32,
    /// Indexed by the lower half of a set's bits: bits 0 to 15 have the part of this half in the set's rank, the bits
    /// from 16 on its number of set bits.
    low: Vec<u32>,
    /// The number that the upper half of a set's bits adds to the set's rank. The index is `upper half << 3 | number of
    /// bits set in the lower half`.
    high: Vec<u16>,
    /// All sets in ascending order. The index of a set is its rank.
    sets: Vec<u32>,
}

impl Combinations {
    /// Creates the tables for the sets of `size` bits out of `bits` bits. Panics unless `1 <= size <= bits`,
    /// `size <= 5` and `bits <= 25`.
    pub fn new(bits: u32, size: u32) -> Combinations {
        assert!(
            size >= 1 && size <= bits && size <= 5 && bits <= 25,
            "there is no table for sets of {size} of {bits} bits"
        );
        let split = bits.div_ceil(2);
        let low = (0..1u32 << split).map(|half| part(half, 0, 0, size) | half.count_ones() << 16).collect();
        let mut high = vec![0; 8 << (bits - split)];
        for half in 0..1u32 << (bits - split) {
            if let Some(below) = size.checked_sub(half.count_ones()) {
                high[(half << 3 | below) as usize] = part(half, split, below, size) as u16;
            }
        }
        Combinations { split, low, high, sets: sets(bits, size).collect() }
    }

    /// Returns the number of sets.
    pub fn count(&self) -> u32 {
        self.sets.len() as u32
    }

    /// Returns the rank of a set, its index in ascending order. The set must have exactly `size` bits.
    #[inline]
    pub fn rank(&self, set: u32) -> u32 {
        let low = self.low[(set & ((1 << self.split) - 1)) as usize];
        (low & 0xffff) + u32::from(self.high[(set >> self.split << 3 | low >> 16) as usize])
    }

    /// Returns the set with this rank.
    #[inline]
    pub fn set(&self, rank: u32) -> u32 {
        self.sets[rank as usize]
    }

    /// Returns all sets in the order of their ranks.
    pub fn sets(&self) -> &[u32] {
        &self.sets
    }
}

/// Returns the part that one half of a set's bits adds to the set's rank. In the set, the bits of `half` are shifted up
/// by `shift`, and `below` set bits are below them. Returns 0 if the set has more than `size` bits in total.
fn part(half: u32, shift: u32, below: u32, size: u32) -> u32 {
    if below + half.count_ones() > size {
        return 0;
    }
    let places = (0..32).filter(|place| half >> place & 1 == 1);
    places.zip(below + 1..).map(|(place, number)| choose(shift + place, number)).sum()
}

/// Returns the binomial coefficient `n` over `k`.
pub fn choose(n: u32, k: u32) -> u32 {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

/// Returns the sets of `size` out of `bits` bits in ascending order, by Gosper's hack.
fn sets(bits: u32, size: u32) -> impl Iterator<Item = u32> {
    let next = |&set: &u32| {
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        Some((carried ^ set) >> 2 >> lowest.trailing_zeros() | carried)
    };
    std::iter::successors(Some((1 << size) - 1), next).take_while(move |set| set >> bits == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_sets_in_order() {
        for bits in 1..=12 {
            for size in 1..=bits.min(5) {
                let table = Combinations::new(bits, size);
                let expected: Vec<u32> = (0..1 << bits).filter(|set: &u32| set.count_ones() == size).collect();
                assert_eq!(table.sets(), expected);
                assert!(expected.iter().zip(0..).all(|(&set, rank)| table.rank(set) == rank), "{size} of {bits}");
            }
        }
    }

    #[test]
    fn ranks_of_the_largest_tables() {
        for (bits, count) in [(25, 53_130), (20, 15_504)] {
            let table = Combinations::new(bits, 5);
            assert_eq!((table.count(), choose(bits, 5)), (count, count));
            assert!(table.sets().iter().zip(0..).all(|(&set, rank)| table.rank(set) == rank));
        }
    }
}
