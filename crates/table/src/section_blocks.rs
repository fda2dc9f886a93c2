//! The blocks of a finished section, wherever they lie.

use super::{Result, Table, TableError};

/// A section that can be read block by block.
pub trait SectionBlocks: Sync {
    /// Number of blocks; none if the section has no positions.
    fn count(&self) -> usize;

    /// Checks and inflates a block.
    fn block(&self, number: usize) -> Result<Vec<u8>>;

    /// The error about a block that is not as it should be.
    fn damaged(&self, what: &str) -> TableError;
}

/// A section of a finished table.
pub struct TableSection<'a> {
    pub table: &'a Table,
    /// The number of its first block in the table.
    pub first: u64,
    pub count: usize,
}

impl SectionBlocks for TableSection<'_> {
    fn count(&self) -> usize {
        self.count
    }

    fn block(&self, number: usize) -> Result<Vec<u8>> {
        self.table.block(self.first + number as u64)
    }

    fn damaged(&self, what: &str) -> TableError {
        self.table.damaged(what)
    }
}
