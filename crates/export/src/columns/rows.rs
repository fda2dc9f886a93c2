//! The data of positions, from which rows are made.

use std::ops::Range;

use yomikiri_solve::move_counts::MoveCounts;

/// The data of consecutive rows.
#[derive(Default)]
pub struct Rows {
    pub keys: Vec<u64>,
    /// The byte that encodes the value of each row, as in the table.
    pub bytes: Vec<u8>,
    pub counts: Vec<MoveCounts>,
    /// The byte that encodes each row's value in the variant whose values are points; empty if there is no table of
    /// that variant.
    pub points: Vec<u8>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns a copy of the rows with these indices.
    pub fn part(&self, rows: Range<usize>) -> Rows {
        Rows {
            keys: self.keys[rows.clone()].to_vec(),
            bytes: self.bytes[rows.clone()].to_vec(),
            counts: self.counts[rows.clone()].to_vec(),
            points: self.points.get(rows).unwrap_or_default().to_vec(),
        }
    }

    /// Removes the first `count` rows and returns them.
    pub fn split_off(&mut self, count: usize) -> Rows {
        let first = self.part(0..count);
        *self = self.part(count..self.len());
        first
    }
}
