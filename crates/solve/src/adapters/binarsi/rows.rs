//! Loops over the rows of sheets, and the indices of rows in sheets. A sheet has the rows of a whole tier, or of a part
//! of a tier ([`Part`]).

use crate::tiers::{Part, SheetMut};
use yomikiri_table::parallel;

/// The number of rows that one task of a parallel loop handles.
const CHUNK: usize = 1024;

/// Calls `act` for each cell (the entry of a row) of a sheet, in parallel, with the index of the cell and the cell
/// itself.
#[inline(always)]
pub fn each_cell<T: Send>(sheet: &mut [T], act: impl Fn(u32, &mut T) + Sync) {
    parallel::each_part_mut(sheet, CHUNK, |chunk, cells| {
        for (at, cell) in cells.iter_mut().enumerate() {
            act((chunk * CHUNK + at) as u32, cell);
        }
    });
}

/// Calls `act` for each row of a sheet, in parallel, with the row bits (the row's number in its tier) and the row's
/// cell.
pub fn each_row<T: Send>(SheetMut { part, rows }: SheetMut<T>, act: impl Fn(u32, &mut T) + Sync) {
    each_cell(rows, |index, cell| act(part.row(index as usize), cell));
}

/// Maps rows of a tier to their indices in a sheet. A sheet is an array with an entry for each row of the tier or of a
/// part of the tier.
pub trait Rows: Sync {
    /// Returns the index of a row in the sheet, or `None` if the sheet does not have the row.
    fn index(&self, row: u32) -> Option<usize>;

    /// Returns true if a row of the sheet may have `content` in the bits of the mask `bits`. Returns false only if no
    /// row of the sheet has it.
    fn may_have(&self, content: u32, bits: u32) -> bool;
}

/// A sheet (an array with an entry for each row) that moves come from or lead to.
pub struct Cells<'a, C, R> {
    pub cells: &'a [C],
    /// The map from rows to indices in `cells`.
    pub rows: &'a R,
}

/// The map for the sheet of a whole tier, in which each row is its own index.
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
