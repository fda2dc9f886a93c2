//! Where moves have led to.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;

use crate::Result;
use crate::tiers::Part;

/// Of every row of a part: the lanes from which moves have led to it, as they were before the move.
pub struct Marks(pub Vec<AtomicU64>);

impl Marks {
    /// None yet.
    pub fn new(part: &Part) -> Marks {
        Marks(bytemuck::zeroed_vec(part.rows()))
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        size_of_val(&self.0[..]) as u64
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
