//! Look-ups delayed until their prefetches land.

/// Items waiting for a look-up.
const WAITING: usize = 64;

/// Collects items and hands them out when there are many; whoever adds one has prefetched what its look-up reads.
pub struct Batch<T> {
    waiting: [T; WAITING],
    count: usize,
}

impl<T: Copy + Default> Default for Batch<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + Default> Batch<T> {
    pub fn new() -> Batch<T> {
        Batch { waiting: [T::default(); WAITING], count: 0 }
    }

    /// Adds one; when the batch is full, all are handed to `visit`.
    #[inline]
    pub fn push(&mut self, item: T, visit: impl FnMut(T)) {
        self.waiting[self.count] = item;
        self.count += 1;
        if self.count == WAITING {
            self.flush(visit);
        }
    }

    /// Hands out what waits.
    #[inline]
    pub fn flush(&mut self, visit: impl FnMut(T)) {
        self.waiting[..self.count].iter().copied().for_each(visit);
        self.count = 0;
    }
}
