//! Look-ups put off until the memory has had time to answer.

use crate::space::SharedSet;

/// Keys waiting for a look into a set.
const WAITING: usize = 64;

/// Collects keys, asks the memory for them at once, and hands them out when there are many.
pub struct Batch<'a> {
    set: &'a SharedSet,
    keys: [u32; WAITING],
    count: usize,
}

impl<'a> Batch<'a> {
    /// A batch of keys that will be looked up in `set`.
    pub fn of(set: &'a SharedSet) -> Batch<'a> {
        Batch { set, keys: [0; WAITING], count: 0 }
    }

    /// Adds a key; when the batch is full, all are handed to `visit`.
    #[inline]
    pub fn push(&mut self, key: u32, visit: impl FnMut(u32)) {
        self.set.prefetch(key.into());
        self.keys[self.count] = key;
        self.count += 1;
        if self.count == WAITING {
            self.flush(visit);
        }
    }

    /// Hands out what waits.
    #[inline]
    pub fn flush(&mut self, visit: impl FnMut(u32)) {
        self.keys[..self.count].iter().copied().for_each(visit);
        self.count = 0;
    }
}
