//! Tables of rows (tiers or occupancies) in memory: for each row, the set of lanes that have a position; then the bytes
//! of all positions in order.

use arrayvec::ArrayVec;
use zerocopy::FromZeros;

use crate::Result;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block};
use yomikiri_table::memory::Zeros;
use yomikiri_table::memory::prefetch;
use yomikiri_table::{Table, parallel};

/// The number of keys whose memory is prefetched before the first of them is looked up.
const FETCHED: usize = 32;

/// The number of rows in a cache line.
const ROWS: usize = 7;

/// The number of cache lines for the rows of a block.
const LINES: usize = ROWS_PER_BLOCK.div_ceil(ROWS);

/// Neighbouring rows that share a cache line: for each row, the set of lanes that have a position.
#[derive(Clone, Copy, FromZeros)]
#[repr(C, align(64))]
struct Line {
    lanes: [Lanes; ROWS],
    /// The number of positions in the table before these rows.
    first: u64,
}

/// The place of a key: its cache line, the row in the line, and the lane in the row.
struct Cell<'l> {
    line: &'l Line,
    row: usize,
    lane: u32,
}

impl Cell<'_> {
    /// Returns the index of the cell's byte among the bytes of all positions; `None` if the cell has no position.
    #[inline]
    fn place(self) -> Option<usize> {
        let Cell { line, row, lane } = self;
        let set = line.lanes[row];
        let before: u32 = line.lanes[..row].iter().map(|lanes| lanes.count_ones()).sum();
        let inside = (set & ((1 << lane) - 1)).count_ones();
        (set >> lane & 1 == 1).then(|| line.first as usize + (before + inside) as usize)
    }
}

/// The rows of a section, and their place in memory.
struct SectionLines {
    key: u64,
    rows: u64,
    /// The index of the section's first cache line.
    line: usize,
}

/// A table of rows in memory. It takes a little more than nine bytes for each row of its sections, and one byte for
/// each position.
pub struct ResidentRows {
    /// The sections, in ascending order of their keys.
    sections: Vec<SectionLines>,
    lines: Zeros<Line>,
    bytes: Zeros<u8>,
}

impl ResidentRows {
    /// Reads a table of rows.
    pub fn read(table: &Table) -> Result<ResidentRows> {
        let bad = || table.damaged("a block has the wrong size");
        let of_table = table.sections()?;
        let section = |section: &yomikiri_table::Section| SectionLines {
            key: section.key,
            rows: section.rows,
            line: section.first_block as usize * LINES,
        };
        let count = table.header.positions.get();
        let mut lines = Zeros::<Line>::filled(table.blocks() as usize * LINES)?;
        let mut bytes = Zeros::<u8>::filled(count as usize)?;
        // Blocks are inflated on all threads, each into its own lines and bytes.
        let (mut rest, mut before, mut blocks) = (&mut bytes[..count as usize], 0, Vec::new());
        for (number, lines) in (0..table.blocks()).zip(lines.chunks_mut(LINES)) {
            let entry = table.entry(number)?;
            let positions = (entry.packed.plain as usize).checked_sub(size_of::<Lanes>() * entry.rows as usize);
            let (mine, others) =
                positions.and_then(|positions| rest.split_at_mut_checked(positions)).ok_or_else(bad)?;
            blocks.push((entry, before, lines, mine));
            before += positions.unwrap_or(0) as u64;
            rest = others;
        }
        if !rest.is_empty() {
            return Err(table.damaged("does not have as many positions as its header says").into());
        }
        parallel::try_each_part_mut(&mut blocks, 1, |_, block| {
            let (entry, first, lines, mine) = &mut block[0];
            let plain = table.inflated(entry)?;
            let mut at = 0;
            let is_whole = decode_block(&plain, entry.rows as usize, |row, set, bytes| {
                let line = &mut lines[row / ROWS];
                if row % ROWS == 0 {
                    line.first = *first + at as u64;
                }
                line.lanes[row % ROWS] = set;
                mine[at..at + bytes.len()].copy_from_slice(bytes);
                at += bytes.len();
            });
            is_whole.ok_or_else(bad)
        })?;
        Ok(ResidentRows { sections: of_table.iter().map(section).collect(), lines, bytes })
    }

    /// Returns the cell of a key; `None` if no section has the row of the key. Sections can begin at any key.
    #[inline]
    fn cell(&self, key: u64) -> Option<Cell<'_>> {
        let section = &self.sections[self.sections.partition_point(|section| section.key <= key).checked_sub(1)?];
        let offset = key - section.key;
        let (row, lane) = (offset >> Lanes::BITS.ilog2(), (offset % u64::from(Lanes::BITS)) as u32);
        if row >= section.rows {
            return None;
        }
        let (block, row) = (row as usize / ROWS_PER_BLOCK, row as usize % ROWS_PER_BLOCK);
        Some(Cell { line: &self.lines[section.line + block * LINES + row / ROWS], row: row % ROWS, lane })
    }

    /// Returns the table byte of a key; 0 if the table does not have it.
    #[inline]
    pub fn byte(&self, key: u64) -> u8 {
        self.cell(key).and_then(Cell::place).map_or(0, |place| self.bytes[place])
    }

    /// Writes the table byte of each key to the same index of `found`. Lines and bytes are scattered in memory, so
    /// several are prefetched before any is read.
    pub fn bytes_of(&self, keys: &[u64], found: &mut [u8]) {
        for (keys, found) in keys.chunks(FETCHED).zip(found.chunks_mut(FETCHED)) {
            let cells: ArrayVec<_, FETCHED> = keys.iter().map(|&key| self.cell(key)).collect();
            cells.iter().flatten().for_each(|cell| prefetch(cell.line));
            let places: ArrayVec<_, FETCHED> = cells.into_iter().map(|cell| cell.and_then(Cell::place)).collect();
            places.iter().flatten().for_each(|&place| prefetch(&self.bytes[place]));
            places.iter().zip(found).for_each(|(place, found)| *found = place.map_or(0, |place| self.bytes[place]));
        }
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Solvable, SolveOptions, pipeline};
    use yomikiri_rules::Game;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::games::reversi::Reversi;
    use yomikiri_table::entries::listed_within;
    use yomikiri_table::{IndexKind, Silent, probe};

    /// Compares look-ups in memory and in the file, for every key of a table and for keys near those.
    fn agrees_with_the_file<G: Solvable>(game: &G) {
        let folder = tempfile::tempdir().unwrap();
        let options = SolveOptions { memory: 256 << 20, force: false, checkpoint: Duration::MAX, progress: &Silent };
        let table = pipeline::analyze(game, None, folder.path(), &options).unwrap().table;
        assert_eq!(table.header.index_kind, IndexKind::Tiers);
        let rows = ResidentRows::read(&table).unwrap();
        let listed = listed_within(&table, 0..u64::MAX).unwrap().keys;
        let beside = |&key: &u64| [key.saturating_sub(64), key.saturating_sub(1), key, key + 1, key + 64];
        let mut keys: Vec<u64> = listed.iter().flat_map(beside).chain([0, u64::MAX]).collect();
        keys.sort_unstable();
        keys.dedup();
        let expected: Vec<u8> =
            probe::listed(&table, &keys).unwrap().into_iter().map(Option::unwrap_or_default).collect();
        assert_eq!(expected.iter().filter(|&&byte| byte != 0).count(), listed.len());
        let mut found = vec![0; keys.len()];
        rows.bytes_of(&keys, &mut found);
        assert!(found == expected && keys.iter().zip(&expected).all(|(&key, &byte)| rows.byte(key) == byte));
    }

    #[test]
    fn tables_of_rows_answer_from_memory_as_from_the_file() {
        agrees_with_the_file(&Binarsi::parse("bin3x3").unwrap());
        // The sections of this table begin at keys that are not multiples of 64.
        agrees_with_the_file(&Reversi::parse("rev4x4").unwrap());
    }
}
