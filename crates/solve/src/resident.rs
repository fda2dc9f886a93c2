//! A table in memory, for look-ups that would open many blocks each.

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::memory::Zeros;
use crate::space::prefetch;

/// Keys that are asked for before the first of them is looked at.
pub(crate) const FETCHED: usize = 32;

/// Keys that a thread takes at a time.
pub(crate) const TAKEN: usize = 1 << 12;

/// How soon wins come that a table leaves out follows from what their moves lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// It is found for all of them while the table is read, so that a look-up is one read.
    All,
    /// It is found for each that is asked for, and kept. The table is read in a quarter of the time.
    WhenAsked,
}

/// A table that leaves a common outcome out, in memory: a byte for each key of the game, those that the file leaves out
/// too.
pub struct Resident {
    /// By key: its table byte; 0 where there is no position.
    pub(crate) bytes: Zeros<AtomicU8>,
    /// The byte of keys of which nobody has asked what they are: wins, or no position that can arise.
    pub(crate) unknown: Option<u8>,
}

impl Resident {
    pub(crate) fn new(bytes: Zeros<u8>, unknown: Option<u8>) -> Resident {
        Resident { bytes: bytes.into_shared(), unknown }
    }

    /// The table byte of a key, 0 if the table does not have it; `None` if it has not been found out ([`Wins`]).
    #[inline]
    pub fn byte(&self, key: u64) -> Option<u8> {
        let byte = self.bytes.get(key as usize).map_or(0, |cell| cell.load(Relaxed));
        if self.unknown == Some(byte) { None } else { Some(byte) }
    }

    /// Whether a look-up of any key is one read.
    pub fn is_whole(&self) -> bool {
        self.unknown.is_none()
    }

    /// The bytes of many keys as they are known.
    pub(crate) fn bytes_of(&self, keys: &[u64]) -> Vec<u8> {
        let byte = |key: u64| self.bytes.get(key as usize).map_or(0, |cell| cell.load(Relaxed));
        let mut found = vec![0; keys.len()];
        keys.par_chunks(TAKEN).zip(found.par_chunks_mut(TAKEN)).for_each(|(keys, found)| {
            for (keys, found) in keys.chunks(FETCHED).zip(found.chunks_mut(FETCHED)) {
                keys.iter().filter_map(|&key| self.bytes.get(key as usize)).for_each(prefetch);
                keys.iter().zip(found).for_each(|(&key, found)| *found = byte(key));
            }
        });
        found
    }
}
