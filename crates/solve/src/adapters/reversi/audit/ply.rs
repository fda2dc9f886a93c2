//! The positions of one ply as a table stores them.

use crate::Result;
use crate::audit::first_unreached;
use crate::space::SharedSet;
use yomikiri_rules::bits::set_bits;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block};
use yomikiri_table::{Section, Table, TableError, parallel};

/// All positions of a ply: a bit for each key, a value for each position, and a set of the positions reached so far.
pub struct Ply {
    sections: Vec<Placed>,
    /// The rows of all sections. A row has one bit for each of its 64 keys, which is set if the key has a position.
    rows: Vec<Lanes>,
    /// For each row, the number of positions in all rows before it.
    before: Vec<u32>,
    bytes: Vec<u8>,
    /// The positions that have been reached, as indices into `bytes`.
    reached: SharedSet,
}

/// A section. Its rows begin at `first_row` among the rows of all sections.
struct Placed {
    key: u64,
    rows: u64,
    first_row: usize,
}

impl Ply {
    /// Reads sections of a table. They must be in ascending order of their keys.
    pub fn read(table: &Table, sections: &[Section]) -> Result<Ply> {
        let mut placed = Vec::with_capacity(sections.len());
        let mut count = 0;
        for section in sections {
            placed.push(Placed { key: section.key, rows: section.rows, first_row: count });
            count += section.rows as usize;
        }
        let mut rows = vec![0; count];
        let (mut rest, mut parts) = (rows.as_mut_slice(), Vec::with_capacity(sections.len()));
        for section in sections {
            parts.push(rest.split_off_mut(..section.rows as usize).unwrap_or_default());
        }
        let read = |at: usize, rows: &mut [&mut [Lanes]]| read_section(table, sections[at], rows[0]);
        let bytes = parallel::try_map_parts_mut(&mut parts, 1, read)?.concat();
        let reached = SharedSet::new(bytes.len() as u64)?;
        let before = counts_before(&rows);
        Ok(Ply { sections: placed, rows, before, bytes, reached })
    }

    /// Returns the index of the last section whose key is at most `key`, or `None` if there is none.
    pub fn section_of(&self, key: u64) -> Option<usize> {
        self.sections.partition_point(|section| section.key <= key).checked_sub(1)
    }

    /// Returns the byte of a key in a section, and marks the position as reached. Returns `None` if the section does
    /// not have the key.
    #[inline]
    pub fn reach(&self, section: usize, key: u64) -> Option<u8> {
        let section = &self.sections[section];
        let (row, lane) = ((key - section.key) >> 6, (key - section.key) & 63);
        let row = (row < section.rows).then(|| section.first_row + row as usize)?;
        let set = self.rows[row];
        if set >> lane & 1 == 0 {
            return None;
        }
        let place = self.before[row] + (set & ((1 << lane) - 1)).count_ones();
        self.reached.insert(place.into());
        Some(self.bytes[place as usize])
    }

    /// Returns the number of sections.
    pub fn sections(&self) -> usize {
        self.sections.len()
    }

    /// Calls `visit` with the keys and bytes of a section, in ascending order of the keys.
    pub fn each(&self, section: usize, mut visit: impl FnMut(u64, u8)) {
        let section = &self.sections[section];
        for row in 0..section.rows {
            let place = section.first_row + row as usize;
            if self.rows[place] == 0 {
                continue;
            }
            let mut bytes = self.bytes[self.before[place] as usize..].iter();
            for lane in set_bits(self.rows[place]) {
                visit(
                    section.key + (row << 6 | u64::from(lane)),
                    *bytes.next().expect("the section has a byte for each position"),
                );
            }
        }
    }

    /// Returns the key of the first position that has not been reached, or `None` if all positions have been.
    pub fn first_unreached(&self) -> Option<u64> {
        let mut place = first_unreached(&self.reached, self.bytes.len() as u64)? as usize;
        for number in 0..self.sections.len() {
            let mut found = None;
            let mut count = 0;
            self.each(number, |key, _| {
                found = found.or((count == place).then_some(key));
                count += 1;
            });
            if found.is_some() {
                return found;
            }
            place -= count;
        }
        None
    }
}

/// Reads a section into `rows`, and returns the bytes of its positions.
fn read_section(table: &Table, section: Section, rows: &mut [Lanes]) -> Result<Vec<u8>, TableError> {
    let mut bytes = Vec::new();
    for (number, rows) in rows.chunks_mut(ROWS_PER_BLOCK).enumerate() {
        let block = table.block(section.first_block + number as u64)?;
        let whole = decode_block(&block, rows.len(), |row, set, mine| {
            rows[row] = set;
            bytes.extend_from_slice(mine);
        });
        whole.ok_or_else(|| table.damaged("a block has the wrong size"))?;
    }
    Ok(bytes)
}

/// Returns, for each row, the number of positions in all rows before it.
fn counts_before(rows: &[Lanes]) -> Vec<u32> {
    let before = rows.iter().scan(0, |count, set| Some(std::mem::replace(count, *count + set.count_ones())));
    before.collect()
}
