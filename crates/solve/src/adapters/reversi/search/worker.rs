//! One thread's share of a search.

use super::field::Field;
use super::memory::Memory;
use super::split::Split;
use yomikiri_table::progress::Progress;

/// A thread at work.
pub struct Worker<'a, K> {
    pub kernel: K,
    pub field: &'a Field,
    pub memory: &'a Memory,
    /// Whether the result is still wanted.
    pub split: &'a Split<'a>,
    pub progress: &'a dyn Progress,
    /// Positions looked at.
    pub nodes: u64,
    /// How much of the whole work the next position to be searched is; 0 deep below the root.
    pub share: u64,
}

impl<'a, K> Worker<'a, K> {
    pub fn new(
        kernel: K,
        field: &'a Field,
        memory: &'a Memory,
        split: &'a Split<'a>,
        progress: &'a dyn Progress,
        share: u64,
    ) -> Worker<'a, K> {
        Worker { kernel, field, memory, split, progress, nodes: 0, share }
    }
}
