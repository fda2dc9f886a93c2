//! Counts the positions in which the game is over, without storing their values.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{SharedSet, each_word};
use crate::Result;

/// The decided positions seen so far, and their number by table byte.
pub struct EndedPositions {
    seen: SharedSet,
    counts: Vec<AtomicU64>,
}

impl EndedPositions {
    /// Creates an empty set of keys below `keys`. Returns an error if the system refuses the memory.
    pub fn new(keys: u64) -> Result<EndedPositions> {
        Ok(EndedPositions { seen: SharedSet::new(keys)?, counts: (0..256).map(|_| AtomicU64::new(0)).collect() })
    }

    /// Adds a position in which the game is over, with its table byte. If it is new, counts it in `fresh`. `fresh` has
    /// the counts of one thread, which the thread passes to [`EndedPositions::add`] in the end.
    #[inline]
    pub fn note(&self, key: u64, byte: u8, fresh: &mut [u64; 256]) {
        if self.seen.insert(key) {
            fresh[usize::from(byte)] += 1;
        }
    }

    /// Like [`EndedPositions::note`], for several positions with the same byte. `set` has a bit for each of the 256
    /// keys from `first` on.
    #[inline]
    pub fn note_all(&self, first: u64, set: &[u64; 4], byte: u8, fresh: &mut [u64; 256]) {
        each_word(first, set, |word, bits| {
            fresh[usize::from(byte)] += u64::from(self.seen.insert_word(word, bits).count_ones());
        });
    }

    /// Adds the counts of one thread.
    pub fn add(&self, fresh: &[u64; 256]) {
        for (count, &fresh) in self.counts.iter().zip(fresh).filter(|(_, fresh)| **fresh > 0) {
            count.fetch_add(fresh, Relaxed);
        }
    }

    /// Prefetches the memory that [`EndedPositions::note`] reads for a key.
    pub fn prefetch(&self, key: u64) {
        self.seen.prefetch(key);
    }

    /// Returns the number of decided positions by table byte.
    pub fn counts(&self) -> BTreeMap<u8, u64> {
        let counts = (0..=255).zip(&self.counts).map(|(byte, count)| (byte, count.load(Relaxed)));
        counts.filter(|&(_, count)| count > 0).collect()
    }
}
