//! Encodes and decodes blocks of the form [`Coded`](crate::format::BlockForm::Coded). Such a block consists of groups
//! of 16 rows, and each group can be decoded alone.
//!
//! A block begins with two bytes that describe its [`Runs`], which are series of keys of similar positions. Then come
//! the lengths in bytes of all groups except the last, as LEB128 numbers. The groups follow, back to back. The last
//! group takes the rest of the block, and may have fewer rows. docs/format.md specifies the format.

#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use write::{count, encode};

use crate::blocks::{LANES, LISTED_ROWS_PER_BLOCK, Lanes, encode_block, take_number};
use crate::context_model::{GROUP_KEYS, GROUP_ROWS, LISTED, Model, Runs, Symbol};

/// A block divided into its groups of 16 rows. The groups are still encoded.
struct Groups<'a> {
    runs: Runs,
    /// The bytes of each group.
    groups: Vec<&'a [u8]>,
}

impl Groups<'_> {
    /// Divides a block of `rows` rows into its groups. Returns `None` if the block is malformed.
    fn of(packed: &[u8], rows: usize) -> Option<Groups<'_>> {
        let count = Some(rows).filter(|rows| (1..=LISTED_ROWS_PER_BLOCK).contains(rows))?.div_ceil(GROUP_ROWS);
        let (&[bits, phase], mut rest) = packed.split_first_chunk()?;
        let mut lengths = Vec::with_capacity(count);
        for _ in 1..count {
            let (length, after) = take_number(rest)?;
            lengths.push(usize::try_from(length).ok()?);
            rest = after;
        }
        let mut groups = Vec::with_capacity(count);
        for length in lengths {
            let (group, after) = rest.split_at_checked(length)?;
            groups.push(group);
            rest = after;
        }
        groups.push(rest);
        Some(Groups { runs: Runs::new(bits, phase)?, groups })
    }

    /// Decodes the group with index `number`, which has `rows` rows. Returns the set of listed lanes of each row, and
    /// the [`Symbol`] of each key. A symbol says whether the table lists the key, and with which byte. Returns `None`
    /// if the group is malformed.
    fn decode(&self, number: usize, rows: usize, model: &Model) -> Option<([Lanes; GROUP_ROWS], [Symbol; GROUP_KEYS])> {
        let (mut lanes, mut symbols) = ([0; GROUP_ROWS], [0; GROUP_KEYS]);
        model.decode(self.groups.get(number)?, self.runs, &mut symbols[..rows * LANES])?;
        for (set, symbols) in lanes.iter_mut().zip(symbols.as_chunks::<LANES>().0) {
            let bit = |(lane, symbol): (usize, &Symbol)| Lanes::from(*symbol >= LISTED) << lane;
            *set = symbols.iter().enumerate().map(bit).fold(0, |set, bit| set | bit);
        }
        Some((lanes, symbols))
    }
}

/// Returns the number of rows in the group with index `number`, in a block of `rows` rows.
fn rows_of(number: usize, rows: usize) -> usize {
    (rows - number * GROUP_ROWS).min(GROUP_ROWS)
}

/// Decodes the group that contains `row`, in a block of `rows` rows. Returns the index of the group's first row, the
/// group's number of rows, and its plain bytes, which have the format of [`encode_block`]. Returns `None` if the block
/// is malformed or has no such row.
pub fn decode_group(packed: &[u8], rows: usize, row: usize, model: &Model) -> Option<(usize, usize, Vec<u8>)> {
    let number = row / GROUP_ROWS;
    let mine = rows_of(number, Some(rows).filter(|&rows| row < rows)?);
    let (lanes, symbols) = Groups::of(packed, rows)?.decode(number, mine, model)?;
    let plain = encode_block(&lanes[..mine], |row, lane| symbols[row * LANES + lane] as u8);
    Some((number * GROUP_ROWS, mine, plain))
}

/// Decodes a block of `rows` rows into its plain bytes. Returns `None` if the block is malformed or does not decode to
/// exactly `plain` bytes.
pub fn decode(packed: &[u8], rows: usize, plain: usize, model: &Model) -> Option<Vec<u8>> {
    let groups = Groups::of(packed, rows)?;
    let (mut words, mut bytes) = (Vec::with_capacity(plain.min(rows * (8 + LANES))), Vec::new());
    for number in 0..groups.groups.len() {
        let mine = rows_of(number, rows);
        let (lanes, symbols) = groups.decode(number, mine, model)?;
        words.extend(lanes[..mine].iter().flat_map(|set| set.to_le_bytes()));
        bytes.extend(symbols[..mine * LANES].iter().filter(|&&symbol| symbol >= LISTED).map(|&symbol| symbol as u8));
    }
    words.append(&mut bytes);
    (words.len() == plain).then_some(words)
}
