//! Where moves have led to.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;

use crate::Result;

/// Of every row of a part to which moves lead:
pub struct Marks {
    /// The lanes that they have led to.
    pub seen: Vec<AtomicU64>,
    /// What they add to the lane.
    pub added: Vec<u8>,
}

impl Marks {
    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        (self.seen.len() * (size_of::<AtomicU64>() + 1)) as u64
    }
}

/// Where the marks of parts are kept.
pub trait KeepMarks {
    /// Marks of a part of a tier so far, if any are kept.
    fn take(&mut self, number: usize, part: usize) -> Option<Marks>;

    fn put(&mut self, number: usize, part: usize, marks: Marks) -> Result<()>;
}

/// Marks of whole tiers.
#[derive(Default)]
pub struct InMemory(pub HashMap<usize, Marks>);

impl KeepMarks for InMemory {
    fn take(&mut self, number: usize, _: usize) -> Option<Marks> {
        self.0.remove(&number)
    }

    fn put(&mut self, number: usize, _: usize, marks: Marks) -> Result<()> {
        self.0.insert(number, marks);
        Ok(())
    }
}
