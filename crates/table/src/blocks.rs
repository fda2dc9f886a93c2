//! What the blocks of a table hold once inflated.

/// A set of lanes of a row, one bit each.
pub type Lanes = u64;

/// Rows in a block of a table of tiers.
pub const ROWS_PER_BLOCK: usize = 512;

/// Rows in a block of a table that leaves the commonest outcome out: a probe may have to open several.
pub const LISTED_ROWS_PER_BLOCK: usize = 128;

/// Keys in a block of a table of sorted keys.
pub const KEYS_PER_BLOCK: usize = 1024;

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

/// Block contents: all keys, little endian, then all value bytes.
pub fn encode_keys(entries: &[(u64, u8)]) -> Vec<u8> {
    let keys = entries.iter().flat_map(|(key, _)| key.to_le_bytes());
    keys.chain(entries.iter().map(|&(_, byte)| byte)).collect()
}

/// Keys and bytes of a block of `rows` keys; `None` if it has the wrong size.
pub fn decode_keys(block: &[u8], rows: usize) -> Option<(Vec<u64>, &[u8])> {
    let (keys, bytes) = block.split_at_checked(8 * rows)?;
    let keys = keys.chunks_exact(8).map(|key| u64::from_le_bytes(key.try_into().expect("8 bytes"))).collect();
    (bytes.len() == rows).then_some((keys, bytes))
}

/// The byte of a key in a block of sorted keys; `Some(None)` where it is not there, `None` for a bad block.
pub fn probe_keys(block: &[u8], rows: usize, key: u64) -> Option<Option<u8>> {
    let (words, bytes) = block.split_at_checked(8 * rows)?;
    let (words, _) = words.as_chunks::<8>();
    let found = words.binary_search_by_key(&key, |word| u64::from_le_bytes(*word));
    (bytes.len() == rows).then(|| found.ok().map(|at| bytes[at]))
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
    }
}
