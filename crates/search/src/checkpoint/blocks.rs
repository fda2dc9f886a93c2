//! The encoding of the entries of a transposition table in a checkpoint.
//!
//! A block is the count `n` of its entries (4 bytes, little endian), then a column for each number of an entry
//! ([`Kind::Numbers`]). The first column has the keys in ascending order, each as its difference from the key before. A
//! column has the lowest bytes of all `n` entries, then their second bytes, and so on. High bytes are mostly zero and
//! take no room once they are compressed.

use std::io::{self, Read, Write};

use super::kind::Kind;

/// The maximum number of entries in a block.
pub const BLOCK: usize = 1 << 14;

/// Returns the size of an entry in bytes before compression.
pub fn size_of_entry<K: Kind>() -> usize {
    K::WIDTHS.iter().sum::<u32>() as usize
}

/// Writes a block of at least one and at most [`BLOCK`] entries, sorted by their keys.
pub fn write<K: Kind>(out: &mut impl Write, entries: &[K::Entry]) -> io::Result<()> {
    let mut rows: Vec<K::Numbers> = entries.iter().map(K::numbers).collect();
    rows.sort_unstable_by_key(|row| row.as_ref()[0]);
    let mut before = 0;
    for row in &mut rows {
        let key = &mut row.as_mut()[0];
        *key = key.wrapping_sub(std::mem::replace(&mut before, *key));
    }
    let mut bytes = (rows.len() as u32).to_le_bytes().to_vec();
    for (at, &width) in K::WIDTHS.iter().enumerate() {
        for byte in 0..width {
            bytes.extend(rows.iter().map(|row| (row.as_ref()[at] >> (8 * byte)) as u8));
        }
    }
    out.write_all(&bytes)
}

/// Reads a block. Returns `None` at the end of the blocks, and an error if an entry is invalid.
pub fn read<K: Kind>(from: &mut impl Read) -> io::Result<Option<Vec<K::Entry>>> {
    let mut count = [0; 4];
    if from.read(&mut count[..1])? == 0 {
        return Ok(None);
    }
    let mut read = |bytes: &mut [u8]| from.read_exact(bytes).map_err(in_block);
    read(&mut count[1..])?;
    let count = u32::from_le_bytes(count) as usize;
    // Empty blocks could go on for hours in a small file.
    if count == 0 || count > BLOCK {
        return Err(invalid(format!("a block has {count} entries, not 1 to {BLOCK}")));
    }
    let mut rows = vec![K::Numbers::default(); count];
    let mut bytes = vec![0; count];
    for (at, &width) in K::WIDTHS.iter().enumerate() {
        for byte in 0..width {
            read(&mut bytes)?;
            rows.iter_mut().zip(&bytes).for_each(|(row, &part)| row.as_mut()[at] |= u64::from(part) << (8 * byte));
        }
    }
    let mut key = 0u64;
    let entries = rows.into_iter().map(|mut row| {
        let first = &mut row.as_mut()[0];
        key = key.wrapping_add(*first);
        *first = key;
        K::entry(row).map_err(invalid)
    });
    entries.collect::<io::Result<_>>().map(Some)
}

/// Returns the error for a block that cannot be read. The end of the bytes within a block is damage.
fn in_block(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::UnexpectedEof { invalid("a block of entries is cut off".into()) } else { error }
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
