//! Makes the sections of a table from the solved positions of an occupancy or of a ply.

use std::borrow::Cow;

use crate::counts::ByteCounts;
use yomikiri_rules::games::reversi::board::{Board, Squares};
use yomikiri_rules::games::reversi::index;
use yomikiri_table::blocks::ROWS_PER_BLOCK;
use yomikiri_table::{NewSection, Tally};

/// The minimum number of discs at which the colours of an occupancy fill whole rows of 64 keys. Occupancies with fewer
/// discs share one section for their ply.
pub const FILLS_ROWS: u32 = 6;

/// The contents of a section of a table.
pub struct Rows<'a> {
    key: u64,
    discs: u32,
    words: Cow<'a, [u64]>,
    bytes: &'a [u8],
    /// For each block, the number of positions in all blocks before it.
    starts: Vec<usize>,
}

impl<'a> Rows<'a> {
    /// Makes the section of one occupancy with at least [`FILLS_ROWS`] discs.
    pub fn of_occupancy(board: Board, occupied: Squares, words: &'a [u64], bytes: &'a [u8]) -> Rows<'a> {
        Rows::new(index::first_key_of(board, occupied), occupied.count_ones(), words.into(), bytes)
    }

    /// Makes the section of a whole ply with fewer than [`FILLS_ROWS`] discs. `words` has one word for each occupancy
    /// of `occupied`.
    pub fn of_ply(board: Board, occupied: &[Squares], words: &[u64], bytes: &'a [u8]) -> Rows<'a> {
        let discs = occupied[0].count_ones();
        let key = index::first_key(board, discs);
        let mut rows: Vec<u64> = Vec::new();
        for (&occupied, &word) in occupied.iter().zip(words).filter(|(_, word)| **word != 0) {
            let offset = index::first_key_of(board, occupied) - key;
            rows.resize((offset >> 6) as usize + 1, 0);
            rows[(offset >> 6) as usize] |= word << (offset & 63);
        }
        Rows::new(key, discs, rows.into(), bytes)
    }

    fn new(key: u64, discs: u32, words: Cow<'a, [u64]>, bytes: &'a [u8]) -> Rows<'a> {
        let counts =
            words.chunks(ROWS_PER_BLOCK).map(|words| words.iter().map(|word| word.count_ones() as usize).sum());
        let starts = counts.scan(0, |sum, count: usize| Some(std::mem::replace(sum, *sum + count))).collect();
        Rows { key, discs, words, bytes, starts }
    }

    /// Returns the section in the form that the writer of tables takes. `plain` is the function that returns the
    /// uncompressed contents of a block.
    pub fn section<'b>(&'b self, plain: &'b (dyn Fn(usize) -> Vec<u8> + Sync)) -> NewSection<'b> {
        let (mut counts, mut tally) = (ByteCounts::default(), Tally::default());
        self.bytes.iter().for_each(|&byte| counts.add(byte));
        counts.add_to(&mut tally, self.discs);
        NewSection { key: self.key, rows: self.words.len() as u64, tally, blocks: self.starts.len(), plain }
    }

    /// Returns the uncompressed contents of a block: its words of position bits, then the bytes of its positions.
    pub fn block(&self, block: usize) -> Vec<u8> {
        let first = block * ROWS_PER_BLOCK;
        let words = &self.words[first..(first + ROWS_PER_BLOCK).min(self.words.len())];
        let end = self.starts.get(block + 1).copied().unwrap_or(self.bytes.len());
        let mut plain: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        plain.extend_from_slice(&self.bytes[self.starts[block]..end]);
        plain
    }
}
