//! Sheets: the positions of one tier in memory.

pub use yomikiri_table::blocks::Lanes;

/// One value byte per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [u8; 64]);

impl Row {
    pub fn filled(byte: u8) -> Row {
        Row([byte; 64])
    }

    /// Lane by lane the larger byte (`MAX`) or the smaller.
    #[inline(always)]
    pub fn take<const MAX: bool>(&mut self, other: &Row) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = if MAX { (*mine).max(*theirs) } else { (*mine).min(*theirs) };
        }
    }
}
