//! The blocks of a finished section, independent of where they are stored.

use super::{Result, Table, TableError};

/// A section that can be read block by block.
pub trait SectionBlocks: Sync {
    /// Returns the number of blocks, which is 0 if the section has no positions.
    fn count(&self) -> usize;

    /// Reads, checks and inflates the block with this index.
    fn block(&self, number: usize) -> Result<Vec<u8>>;

    /// Returns the error for damage in the section. `what` describes the damage as in [`TableError::Damaged`].
    fn damaged(&self, what: &str) -> TableError;
}

/// A section of a finished table.
pub struct TableSection<'a> {
    /// The table that has the section.
    pub table: &'a Table,
    /// The index of the section's first block in the table.
    pub first: u64,
    /// Number of blocks in the section.
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
