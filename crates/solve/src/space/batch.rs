//! Delays look-ups until their prefetches arrive.

/// The number of items in a full batch.
const WAITING: usize = 64;

/// Collects items, and hands them out when the batch is full. Before the caller adds an item, it prefetches the memory
/// that the item's look-up will read.
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
    /// Creates an empty batch.
    pub fn new() -> Batch<T> {
        Batch { waiting: [T::default(); WAITING], count: 0 }
    }

    /// Adds an item. If the batch is then full, hands all items to `visit`.
    #[inline]
    pub fn push(&mut self, item: T, visit: impl FnMut(T)) {
        self.waiting[self.count] = item;
        self.count += 1;
        if self.count == WAITING {
            self.flush(visit);
        }
    }

    /// Hands all waiting items to `visit`.
    #[inline]
    pub fn flush(&mut self, visit: impl FnMut(T)) {
        self.waiting[..self.count].iter().copied().for_each(visit);
        self.count = 0;
    }
}
