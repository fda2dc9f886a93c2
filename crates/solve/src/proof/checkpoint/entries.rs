//! Entries of a table as bytes.
//!
//! A block of entries is their number `n` (4 bytes), then columns: the keys in ascending order, each as its
//! difference to the one before (8 bytes), pn and dn (4 bytes each, all bits set for infinite), logarithms of the
//! work (1 byte). A column is the lowest bytes of all `n` numbers, then their second bytes, and so on: high bytes are
//! mostly zero and take no room once they are compressed.

use std::io::{self, Read, Write};

use crate::proof::numbers::{INFINITE, ProofNumbers};
use crate::proof::table::Entry;

/// The most entries in a block.
pub const BLOCK: usize = 1 << 14;

/// Bytes of an entry before it is compressed.
pub const ENTRY: usize = 17;

/// Writes a block of at most [`BLOCK`] entries.
pub fn write(out: &mut impl Write, mut entries: Vec<Entry>) -> io::Result<()> {
    entries.sort_unstable_by_key(|entry| entry.key);
    let mut bytes = (entries.len() as u32).to_le_bytes().to_vec();
    let before = std::iter::once(0).chain(entries.iter().map(|entry| entry.key));
    let differences = entries.iter().zip(before).map(|(entry, before)| entry.key.wrapping_sub(before));
    column(&mut bytes, 8, differences);
    column(&mut bytes, 4, entries.iter().map(|entry| to_file(entry.numbers.pn)));
    column(&mut bytes, 4, entries.iter().map(|entry| to_file(entry.numbers.dn)));
    column(&mut bytes, 1, entries.iter().map(|entry| entry.work.into()));
    out.write_all(&bytes)
}

/// Reads a block; `None` at the end. An error where numbers are none that a position can have.
pub fn read(from: &mut impl Read) -> io::Result<Option<Vec<Entry>>> {
    let mut count = [0; 4];
    if from.read(&mut count[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut count[1..])?;
    let count = u32::from_le_bytes(count) as usize;
    if count > BLOCK {
        return Err(invalid(format!("a block of {count} entries")));
    }
    let mut bytes = vec![0; count * ENTRY];
    from.read_exact(&mut bytes)?;
    let mut columns = &bytes[..];
    let [differences, pns, dns, works] = [8, 4, 4, 1].map(|width| taken(&mut columns, width, count));
    let mut key = 0u64;
    let entries = (0..count).map(|at| {
        key = key.wrapping_add(differences[at]);
        let numbers = ProofNumbers { pn: from_file(pns[at]), dn: from_file(dns[at]) };
        let entry = Entry { key, numbers, work: (works[at] as u8).min(63) };
        if numbers.is_possible() { Ok(entry) } else { Err(invalid(format!("an entry with {numbers:?}"))) }
    });
    entries.collect::<io::Result<_>>().map(Some)
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Adds a column of numbers of so many bytes.
fn column(bytes: &mut Vec<u8>, width: u32, numbers: impl Iterator<Item = u64> + Clone) {
    for byte in 0..width {
        bytes.extend(numbers.clone().map(|number| (number >> (8 * byte)) as u8));
    }
}

/// Takes a column off the front.
fn taken(bytes: &mut &[u8], width: usize, count: usize) -> Vec<u64> {
    let (column, rest) = bytes.split_at(width * count);
    *bytes = rest;
    let number = |at: usize| (0..width).map(|byte| u64::from(column[byte * count + at]) << (8 * byte)).sum();
    (0..count).map(number).collect()
}

/// A proof number in a file: infinite does not depend on the layout of the table.
fn to_file(number: u32) -> u64 {
    if number >= INFINITE { u32::MAX.into() } else { number.into() }
}

fn from_file(number: u64) -> u32 {
    if number == u64::from(u32::MAX) { INFINITE } else { (number as u32).min(INFINITE - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_back() {
        let numbers = [ProofNumbers::WIN, ProofNumbers::LOSS, ProofNumbers { pn: 70_000, dn: 1 }];
        let entry = |at: u64| Entry {
            key: u64::MAX - at.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            numbers: numbers[at as usize % 3],
            work: (at % 64) as u8,
        };
        let (mut bytes, mut expected) = (Vec::new(), Vec::new());
        for count in [0, 1, 7, BLOCK as u64] {
            let mut entries: Vec<Entry> = (0..count).map(entry).collect();
            write(&mut bytes, entries.clone()).unwrap();
            entries.sort_unstable_by_key(|entry| entry.key);
            expected.push(entries);
        }
        assert_eq!(bytes.len(), 4 * 4 + ENTRY * (8 + BLOCK));
        let mut from = &bytes[..];
        for entries in expected {
            assert_eq!(read(&mut from).unwrap(), Some(entries));
        }
        assert_eq!(read(&mut from).unwrap(), None);
        for cut in [1, 3, 4 + 5] {
            assert!(read(&mut &bytes[4..][..cut]).is_err(), "{cut}");
        }
        assert!(read(&mut &u32::MAX.to_le_bytes()[..]).is_err());
    }
    #[test]
    fn numbers_that_no_position_has_are_refused() {
        let most = INFINITE - 1;
        for (pn, dn, possible) in [
            (1, most, true),
            (0, INFINITE, true),
            (INFINITE, 0, true),
            (0, 0, false),
            (0, most, false),
            (most, 0, false),
            (INFINITE, 1, false),
            (INFINITE, INFINITE, false),
        ] {
            let mut bytes = Vec::new();
            write(&mut bytes, vec![Entry { key: 7, numbers: ProofNumbers { pn, dn }, work: 3 }]).unwrap();
            assert_eq!(read(&mut &bytes[..]).is_ok(), possible, "{pn}, {dn}");
        }
    }
}
