//! The contents of inflated blocks. A block of rows stands for consecutive keys, 64 for each row; the lane of a key is
//! its index in its row. A block of sorted keys lists arbitrary keys.

use yomikiri_rules::bits::set_bits;

/// A set of lanes of a row. Bit n is 1 if the set contains lane n.
pub type Lanes = u64;

/// Number of lanes in a row.
pub const LANES: usize = Lanes::BITS as usize;

/// Number of rows per block in a table of tiers. The last block of a tier may have fewer.
pub const ROWS_PER_BLOCK: usize = 512;

/// Number of rows per block in a table that leaves out an outcome, such as wins. It is smaller than [`ROWS_PER_BLOCK`],
/// because looking up a win that is left out also reads the blocks of the position's children.
pub const LISTED_ROWS_PER_BLOCK: usize = 128;

/// Number of keys per block in the tables of sorted keys that the solver writes. The last block may have fewer.
pub const KEYS_PER_BLOCK: usize = 1024;

/// Maximum number of sorted keys in a block. Certificates, openings and excerpts (the parts of tables that one side
/// needs) have blocks of this size.
pub const MAX_KEYS_PER_BLOCK: usize = 4096;

/// Maximum number of bytes in the LEB128 form of a `u64`.
pub const MAX_NUMBER: usize = 10;

/// Encodes a block of rows. First comes a little-endian word for each row: the set of its lanes that hold a position.
/// Then comes the byte of each position, by ascending row and lane. `byte` returns the byte of the position at a row
/// and lane.
pub fn encode_block(lanes: &[Lanes], byte: impl Fn(usize, usize) -> u8) -> Vec<u8> {
    let positions: u32 = lanes.iter().map(|set| set.count_ones()).sum();
    let mut block = Vec::with_capacity(8 * lanes.len() + positions as usize);
    for set in lanes {
        block.extend_from_slice(&set.to_le_bytes());
    }
    for (row, &set) in lanes.iter().enumerate() {
        block.extend(set_bits(set).map(|lane| byte(row, lane as usize)));
    }
    block
}

/// Decodes a block of `rows` rows, the inverse of [`encode_block`]. Calls `visit` with the index of each row, the set
/// of its lanes that hold a position, and the bytes of these positions. Returns `None`, perhaps after some calls, if
/// the block has the wrong size.
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

/// Returns the byte of the position at a row and lane of a block of `rows` rows: `Some(None)` if there is no position,
/// `None` if the block is malformed.
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

/// Returns the bytes at many places of a block of `rows` rows. `lanes` gives the places as pairs of row and lane, in
/// ascending order. An element of the result is `None` if there is no position at its place. The whole result is `None`
/// if the block is malformed.
pub fn probe_lanes(block: &[u8], rows: usize, lanes: impl Iterator<Item = (usize, usize)>) -> Option<Vec<Option<u8>>> {
    let (words, bytes) = block.split_at_checked(8 * rows)?;
    let (sets, _) = words.as_chunks::<8>();
    let (mut at, mut before) = (0, 0);
    let mut found = Vec::with_capacity(lanes.size_hint().0);
    for (row, lane) in lanes {
        let Some(&set) = sets.get(row) else {
            found.push(None);
            continue;
        };
        before += sets[at..row].iter().map(|&set| Lanes::from_le_bytes(set).count_ones() as usize).sum::<usize>();
        at = row;
        let set = Lanes::from_le_bytes(set);
        let place = before + (set & ((1 << lane) - 1)).count_ones() as usize;
        found.push(if set >> lane & 1 == 1 { Some(*bytes.get(place)?) } else { None });
    }
    Some(found)
}

/// Encodes a block of ascending keys: the differences between consecutive keys in LEB128, then all value bytes. The
/// first key is left out, because the entry of the block in the table's index has it.
pub fn encode_keys(keys: &[u64], bytes: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(3 * keys.len());
    keys.windows(2).for_each(|pair| push_number(&mut block, pair[1] - pair[0]));
    block.extend_from_slice(bytes);
    block
}

/// Calls `visit` with each key of a block of `rows` keys whose first key is `first`, in ascending order, and returns
/// the value bytes. Returns `None` if the block has the wrong size or its keys do not ascend.
#[inline]
fn decode_differences(block: &[u8], rows: usize, first: u64, mut visit: impl FnMut(u64)) -> Option<&[u8]> {
    let (mut key, mut rest) = (first, block);
    visit(key);
    for _ in 1..rows {
        let (difference, after) = take_number(rest).filter(|&(difference, _)| difference > 0)?;
        key = key.checked_add(difference)?;
        rest = after;
        visit(key);
    }
    (rest.len() == rows).then_some(rest)
}

/// Decodes a block of `rows` keys whose first key is `first` into keys and value bytes. Returns `None` if the block has
/// the wrong size or its keys do not ascend.
pub fn decode_keys(block: &[u8], rows: usize, first: u64) -> Option<(Vec<u64>, &[u8])> {
    let mut keys = Vec::with_capacity(rows);
    let bytes = decode_differences(block, rows, first, |key| keys.push(key))?;
    Some((keys, bytes))
}

/// Returns the byte of a key in a block of `rows` keys whose first key is `first`: `Some(None)` if the key is missing,
/// `None` if the block is malformed.
pub fn probe_keys(block: &[u8], rows: usize, first: u64, key: u64) -> Option<Option<u8>> {
    let (mut at, mut found) = (0, None);
    let bytes = decode_differences(block, rows, first, |here| {
        if here == key {
            found = Some(at);
        }
        at += 1;
    })?;
    Some(found.map(|at| bytes[at]))
}

/// Appends a number in LEB128: seven bits in each byte, lowest first, with bit 7 set in all bytes but the last.
pub fn push_number(bytes: &mut Vec<u8>, number: u64) {
    let mut rest = number;
    while rest > 127 {
        bytes.push(rest as u8 | 128);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// Reads a LEB128 number and returns it with the rest of the bytes; `None` if it exceeds 64 bits or is cut off.
#[inline]
pub fn take_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (at, &byte) in bytes.iter().enumerate().take(MAX_NUMBER) {
        let bits = u64::from(byte & 127);
        if bits << (7 * at) >> (7 * at) != bits {
            return None;
        }
        number |= bits << (7 * at);
        if byte < 128 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
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
        for (row, &set) in lanes.iter().enumerate() {
            for lane in 0..64 {
                let expected = (set >> lane & 1 == 1).then(|| byte(row, lane));
                assert_eq!(probe_block(&block, 5, row, lane), Some(expected));
            }
        }
        assert_eq!(decode_block(&block[..block.len() - 1], 5, |_, _, _| ()), None);
        assert_eq!(probe_block(&block[..30], 5, 0, 0), None);
        let asked = || (0..6).flat_map(|row| (0..64).step_by(3).flat_map(move |lane| [(row, lane); 2]));
        let one = |(row, lane)| if row < 5 { probe_block(&block, 5, row, lane).unwrap() } else { None };
        assert_eq!(probe_lanes(&block, 5, asked()), Some(asked().map(one).collect()));
        assert_eq!(probe_lanes(&block[..30], 5, asked()), None);
    }

    #[test]
    fn sorted_keys_round_trip_and_answer_probes() {
        let all: [&[u64]; 3] = [&[0], &[5, 6, 300, 1 << 20, (1 << 63) + 9, u64::MAX], &[u64::MAX]];
        for keys in all {
            let bytes: Vec<u8> = (1..=keys.len() as u8).collect();
            let block = encode_keys(keys, &bytes);
            assert_eq!(decode_keys(&block, keys.len(), keys[0]), Some((keys.to_vec(), &bytes[..])));
            for (&key, &byte) in keys.iter().zip(&bytes) {
                assert_eq!(probe_keys(&block, keys.len(), keys[0], key), Some(Some(byte)));
            }
            assert_eq!(probe_keys(&block, keys.len(), keys[0], 299), Some(None));
            assert_eq!(decode_keys(&block, keys.len() + 1, keys[0]), None);
            assert_eq!(decode_keys(&block[..block.len() - 1], keys.len(), keys[0]), None);
        }
        // A repeated key, an unfinished number, a number of more than 64 bits, and a key beyond u64::MAX.
        assert_eq!(decode_keys(&[0, 1, 1], 2, 7), None);
        assert_eq!(decode_keys(&[128, 128], 2, 7), None);
        let too_large = [&[255; 9][..], &[2, 1, 1]].concat();
        assert_eq!(decode_keys(&too_large, 2, 0), None);
        assert_eq!(decode_keys(&[1, 1, 1], 2, u64::MAX), None);
    }
}
