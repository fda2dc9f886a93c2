//! What is known of positions that become rows.

use std::ops::Range;

use yomikiri_solve::move_counts::MoveCounts;

/// Positions one after the other, by columns of the same length.
#[derive(Default)]
pub struct Rows {
    pub keys: Vec<u64>,
    /// Value bytes.
    pub bytes: Vec<u8>,
    pub counts: Vec<MoveCounts>,
    /// Value bytes of the variant that tells points; empty where it is not known.
    pub points: Vec<u8>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Some of them.
    pub fn part(&self, rows: Range<usize>) -> Rows {
        Rows {
            keys: self.keys[rows.clone()].to_vec(),
            bytes: self.bytes[rows.clone()].to_vec(),
            counts: self.counts[rows.clone()].to_vec(),
            points: self.points.get(rows).unwrap_or_default().to_vec(),
        }
    }

    /// Takes so many away, from the first on.
    pub fn split_off(&mut self, count: usize) -> Rows {
        let first = self.part(0..count);
        *self = self.part(count..self.len());
        first
    }
}
