//! One thread's share of a search.

use super::field::Field;
use super::memory::Memory;
use super::split::Split;
use crate::progress::Progress;

/// The work of one question, in units of progress.
pub const WHOLE: u64 = 1 << 24;

/// A thread at work.
pub struct Worker<'a> {
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

impl<'a> Worker<'a> {
    pub fn new(
        field: &'a Field,
        memory: &'a Memory,
        split: &'a Split<'a>,
        progress: &'a dyn Progress,
        share: u64,
    ) -> Worker<'a> {
        Worker { field, memory, split, progress, nodes: 0, share }
    }
}
