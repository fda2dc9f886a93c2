//! Loops over the rows of sheets, and the indices of rows in sheets. A sheet has the rows of a whole tier, or of a part
//! of a tier ([`Part`]).

use crate::tiers::{Part, SheetMut};
use yomikiri_table::parallel;

/// The number of rows that one task of a parallel loop handles.
const CHUNK: usize = 1024;

/// Calls `act` for each cell of a sheet, in parallel, with the index of the cell and the cell itself.
#[inline(always)]
pub fn each_cell<T: Send>(sheet: &mut [T], act: impl Fn(u32, &mut T) + Sync) {
    parallel::each_part_mut(sheet, CHUNK, |chunk, cells| {
        for (at, cell) in cells.iter_mut().enumerate() {
            act((chunk * CHUNK + at) as u32, cell);
        }
    });
}

/// Calls `act` for each row of a part, in parallel, with the row bits and the cell of the row.
pub fn each_row<T: Send>(SheetMut { part, rows }: SheetMut<T>, act: impl Fn(u32, &mut T) + Sync) {
    each_cell(rows, |index, cell| act(part.row(index as usize), cell));
}

/// Maps rows to their indices in the sheet that moves come from or lead to.
pub trait Rows: Sync {
    /// Returns the index of a row, or `None` if the sheet is of a part that does not have the row.
    fn index(&self, row: u32) -> Option<usize>;

    /// Returns false only if no row of the sheet has `content` in the bits of the mask `bits`.
    fn may_have(&self, content: u32, bits: u32) -> bool;
}

/// A sheet that moves come from or lead to.
pub struct Cells<'a, C, R> {
    pub cells: &'a [C],
    /// The map from rows to indices in `cells`.
    pub rows: &'a R,
}

/// The rows of a whole tier.
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
