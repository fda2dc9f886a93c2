//! Counts of positions by table byte.

use yomikiri_table::{Tally, parallel};

/// The number of positions for each table byte.
#[derive(Clone)]
pub struct ByteCounts([u64; 256]);

impl Default for ByteCounts {
    fn default() -> ByteCounts {
        ByteCounts([0; 256])
    }
}

impl ByteCounts {
    /// Counts the bytes of a list, on all threads.
    pub fn of(bytes: &[u8]) -> ByteCounts {
        let shares: Vec<&[u8]> = bytes.chunks(1 << 20).collect();
        let count = |at: usize| {
            let mut counts = ByteCounts::default();
            shares[at].iter().for_each(|&byte| counts.add(byte));
            counts
        };
        parallel::reduce(shares.len(), count, ByteCounts::merged)
    }

    #[inline]
    pub fn add(&mut self, byte: u8) {
        self.0[usize::from(byte)] += 1;
    }

    /// Returns, for each byte, the sum of its counts in `self` and `other`.
    pub fn merged(mut self, other: ByteCounts) -> ByteCounts {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
        self
    }

    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the number of positions with byte 0, which means that they have no value.
    pub fn without_value(&self) -> u64 {
        self.0[0]
    }

    /// Returns the bytes that occur, except 0, each with its count.
    pub fn values(&self) -> impl Iterator<Item = (u8, u64)> {
        (1..=255).zip(self.0[1..].iter().copied()).filter(|&(_, count)| count > 0)
    }

    /// Adds the counts of all values to the counts that `tally` has for a ply.
    pub fn add_to(&self, tally: &mut Tally, ply: u32) {
        self.values().for_each(|(byte, count)| tally.add(ply, byte, count));
    }
}
