//! Sheets: the positions of one tier, in memory and as table blocks.

use rayon::prelude::*;

/// A set of lanes, one bit each.
pub type Lanes = u64;

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

/// Rows that one table block holds.
pub const ROWS_PER_BLOCK: usize = 512;

/// A tier as the table keeps it: which lanes of which rows are positions, and their table bytes.
pub struct Sheet {
    pub lanes: Vec<Lanes>,
    /// Zero where there is no position.
    pub rows: Vec<Row>,
}

/// Block contents: the lanes of every row as little-endian words, then the bytes of their positions in order.
pub fn encode_block(lanes: &[Lanes], byte: impl Fn(usize, usize) -> u8) -> Vec<u8> {
    let positions: u32 = lanes.iter().map(|set| set.count_ones()).sum();
    let mut block = Vec::with_capacity(8 * lanes.len() + positions as usize);
    for set in lanes {
        block.extend_from_slice(&set.to_le_bytes());
    }
    for (row, &set) in lanes.iter().enumerate() {
        for_each_lane(set, |lane| block.push(byte(row, lane)));
    }
    block
}

/// Calls `visit` with the number of each lane in the set, upwards.
#[inline]
pub fn for_each_lane(set: Lanes, mut visit: impl FnMut(usize)) {
    let mut rest = set;
    while rest != 0 {
        visit(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}

/// Inverse of [`encode_block`] for `rows` rows: calls `visit(row, set, bytes of the set's lanes)`.
/// `None` if the block has the wrong size.
pub fn decode_block(block: &[u8], rows: usize, mut visit: impl FnMut(usize, Lanes, &[u8])) -> Option<()> {
    let (words, mut bytes) = block.split_at_checked(8 * rows)?;
    for (row, word) in words.chunks_exact(8).enumerate() {
        let set = Lanes::from_le_bytes(word.try_into().ok()?);
        let (mine, rest) = bytes.split_at_checked(set.count_ones() as usize)?;
        visit(row, set, mine);
        bytes = rest;
    }
    bytes.is_empty().then_some(())
}

/// The byte at one row and lane of a block; `Some(None)` where there is no position, `None` for a bad block.
pub fn probe_block(block: &[u8], rows: usize, row: usize, lane: usize) -> Option<Option<u8>> {
    let (words, bytes) = block.split_at_checked(8 * rows)?;
    let word = |row: usize| Some(Lanes::from_le_bytes(words.get(8 * row..8 * row + 8)?.try_into().ok()?));
    let set = word(row)?;
    if set >> lane & 1 == 0 {
        return Some(None);
    }
    let mut before = (set & ((1 << lane) - 1)).count_ones() as usize;
    for earlier in 0..row {
        before += word(earlier)?.count_ones() as usize;
    }
    Some(Some(*bytes.get(before)?))
}

/// Number of positions among the rows that are their own first image.
pub fn count(lanes: &[Lanes]) -> u64 {
    lanes.par_iter().map(|set| u64::from(set.count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_round_trip_and_answer_probes() {
        let lanes = [0, 1, 1 << 63 | 0b1010, u64::MAX, 0];
        let byte = |row: usize, lane: usize| (row * 70 + lane) as u8;
        let block = encode_block(&lanes, byte);
        let mut seen = Vec::new();
        decode_block(&block, 5, |row, set, bytes| seen.push((row, set, bytes.len()))).unwrap();
        assert_eq!(seen.len(), 5);
        for row in 0..5 {
            for lane in 0..64 {
                let expected = (lanes[row] >> lane & 1 == 1).then(|| byte(row, lane));
                assert_eq!(probe_block(&block, 5, row, lane), Some(expected));
            }
        }
        assert_eq!(decode_block(&block[..block.len() - 1], 5, |_, _, _| ()), None);
        assert_eq!(probe_block(&block[..30], 5, 0, 0), None);
    }
}
