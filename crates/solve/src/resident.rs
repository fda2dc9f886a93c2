//! A table in memory, for look-ups that would open many blocks each.

use rayon::prelude::*;

use crate::memory::Zeros;
use crate::space::prefetch;

/// A table that leaves a common outcome out, in memory: a byte for each key of the game, those that the file leaves out
/// too. A look-up is one read.
pub struct Resident {
    /// By key: its table byte; 0 where there is no position.
    pub(crate) bytes: Zeros<u8>,
}

impl Resident {
    /// The table byte of a key, 0 if the table does not have it.
    #[inline]
    pub fn byte(&self, key: u64) -> u8 {
        self.bytes.get(key as usize).copied().unwrap_or(0)
    }

    /// Those of many keys. Keys may come in any order; those that ascend are found sooner.
    pub fn bytes_of(&self, keys: &[u64]) -> Vec<u8> {
        /// Keys that are asked for before the first of them is looked at.
        const FETCHED: usize = 32;
        /// Keys that a thread takes at a time.
        const TAKEN: usize = 1 << 12;
        let mut found = vec![0; keys.len()];
        keys.par_chunks(TAKEN).zip(found.par_chunks_mut(TAKEN)).for_each(|(keys, found)| {
            for (keys, found) in keys.chunks(FETCHED).zip(found.chunks_mut(FETCHED)) {
                keys.iter().filter_map(|&key| self.bytes.get(key as usize)).for_each(prefetch);
                keys.iter().zip(found).for_each(|(&key, found)| *found = self.byte(key));
            }
        });
        found
    }
}
