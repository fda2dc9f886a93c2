//! Rows of sheets: loops over all of them, and where those of whole tiers and of parts lie.

use rayon::prelude::*;

use crate::tiers::{Part, SheetMut};

/// Rows handled by one task of a parallel loop.
const CHUNK: usize = 1024;

/// Calls `act` with each cell of a sheet, and its index.
#[inline(always)]
pub fn each_cell<T: Send>(sheet: &mut [T], act: impl Fn(u32, &mut T) + Sync) {
    sheet.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, cells)| {
        for (at, cell) in cells.iter_mut().enumerate() {
            act((chunk * CHUNK + at) as u32, cell);
        }
    });
}

/// Calls `act` with each row of a part, and its number.
pub fn each_row<T: Send>(SheetMut { part, rows }: SheetMut<T>, act: impl Fn(u32, &mut T) + Sync) {
    each_cell(rows, |index, cell| act(part.row(index as usize), cell));
}

/// Where the rows of a sheet lie that moves come from or lead to.
pub trait Rows: Sync {
    /// `None` if the row is of another part.
    fn index(&self, row: u32) -> Option<usize>;

    /// Whether there are rows with so much in these bits.
    fn may_have(&self, content: u32, bits: u32) -> bool;
}

/// Those of a whole tier.
pub struct Whole;

impl Rows for Whole {
    #[inline(always)]
    fn index(&self, row: u32) -> Option<usize> {
        Some(row as usize)
    }

    fn may_have(&self, _: u32, _: u32) -> bool {
        true
    }
}

impl Rows for Part {
    #[inline(always)]
    fn index(&self, row: u32) -> Option<usize> {
        Part::index(self, row)
    }

    fn may_have(&self, content: u32, bits: u32) -> bool {
        self.fixed().iter().any(|fixed| (fixed ^ content) & self.pins() & bits == 0)
    }
}
