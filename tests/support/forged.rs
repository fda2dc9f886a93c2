//! Tables with forged contents and correct checksums.

use std::ops::Range;

use super::coded::{CodeInterval, Runs, block_of_groups, bytes_of_block, probabilities, trimmed};
use super::table::Parts;
use serde_json::Value as Json;
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_table::Header;
use yomikiri_table::format::HEADER;

/// Returns the bytes of a table whose header and metadata `change` has edited, with correct checksums.
pub fn forged(sound: &[u8], change: impl FnOnce(&mut Header, &mut Json)) -> Vec<u8> {
    let mut header = Header::from_bytes(sound).unwrap();
    let (rest, meta) = sound[HEADER..].split_at(sound.len() - HEADER - header.meta_length.get() as usize);
    let mut meta = serde_json::from_slice(meta).unwrap();
    change(&mut header, &mut meta);
    let meta = serde_json::to_vec(&meta).unwrap();
    header.meta_length = (meta.len() as u64).into();
    header.meta_hash = xxh3_64(&meta).into();
    [&header.to_bytes()[..], rest, &meta].concat()
}

/// Returns the bytes of a table in whose index the block with index `number` begins `keys` keys later than in `sound`.
pub fn with_later_block(sound: &[u8], number: usize, keys: u64) -> Vec<u8> {
    let mut parts = Parts::of(sound);
    parts.blocks[number].key += keys;
    parts.file()
}

/// Number of keys in a group of a coded block.
const GROUP: usize = 1024;

/// A table of coded blocks in which one block is the beginning of another: both start at the same byte of the file, and
/// one is longer. Every checksum is correct. Read by itself, each block has the same keys and values as before.
pub struct Nested {
    pub bytes: Vec<u8>,
    /// The index of the longer block.
    pub outer: usize,
    /// The index of the shorter block.
    pub inner: usize,
}

/// Replaces two blocks by a longer one and a shorter one that is its beginning. The longer block replaces the first
/// block with 128 rows and no listed keys whose index is in `outer`. The shorter one replaces a block that lists keys
/// in its last group only. The table must have such blocks. Both get a run length that no other block has, so that
/// their probabilities can be chosen freely.
pub fn with_nested_block(sound: &[u8], outer: Range<usize>) -> Nested {
    let mut parts = Parts::of(sound);
    let mut model = probabilities(&parts);
    let keys = |number: usize| {
        let block = &parts.blocks[number];
        bytes_of_block(parts.packed(block), block.rows as usize, &model)
    };
    let is_listed = |keys: &[Option<u8>]| keys.iter().any(Option::is_some);
    let outer =
        outer.into_iter().find(|&number| parts.blocks[number].rows == 128 && !is_listed(&keys(number))).unwrap();
    let ends_alike = |keys: &[Option<u8>]| keys.len() == 8 * GROUP && !is_listed(&keys[..7 * GROUP]);
    let listed = |keys: &[Option<u8>]| keys.iter().flatten().count();
    let candidates = (0..parts.blocks.len()).filter(|&number| ends_alike(&keys(number)) && is_listed(&keys(number)));
    let inner = candidates.min_by_key(|&number| listed(&keys(number))).unwrap();
    let (nothing, something) = (vec![None; GROUP], keys(inner)[7 * GROUP..].to_vec());
    let (runs, [long, short]) = nested_groups(&nothing, &something, &mut model);
    let first = CodeInterval::of(&nothing, runs, &model).short_code();
    let block = |last| block_of_groups(runs, &[vec![first.clone(); 7], vec![last]].concat());
    let [long, short] = [long, short].map(block);
    assert!(long.starts_with(&short) && short.len() < long.len());
    let packed =
        zstd::bulk::compress(&model.iter().flat_map(|part| part.to_le_bytes()).collect::<Vec<u8>>(), 1).unwrap();
    let at = (HEADER + parts.packed.len()) as u64;
    parts.packed.extend(&packed);
    parts.model[..8].copy_from_slice(&at.to_le_bytes());
    parts.model[8..12].copy_from_slice(&(packed.len() as u32).to_le_bytes());
    for (number, length) in [(outer, long.len()), (inner, short.len())] {
        let block = &mut parts.blocks[number];
        (block.offset, block.length) = ((HEADER + parts.packed.len()) as u64, length as u32);
    }
    parts.packed.extend(long);
    parts.rehash();
    Nested { bytes: parts.file(), outer, inner }
}

/// Returns runs and the encoded groups `nothing` and `something`. The second is a prefix of the first. Sets
/// probabilities in `model` that no other block uses.
///
/// The largest numbers encode a group with nothing listed, and smaller ones encode the other group. So a short number
/// of the other group must be a prefix of one of the largest numbers, with no other number of its length between them.
/// For that, the first listed key gets a place in its run at which keys are nearly always listed.
fn nested_groups(nothing: &[Option<u8>], something: &[Option<u8>], model: &mut [u16]) -> (Runs, [Vec<u8>; 2]) {
    /// The part of the context that comes from the four neighbours by bits of the place, if one bit is set: one
    /// neighbour is not listed, and the other three do not exist.
    const SINGLE_BIT: usize = 215;
    let first = something.iter().position(Option::is_some).unwrap();
    let runs = Runs { bits: 8, phase: 128u8.wrapping_sub(first as u8) };
    for rarely in 1..64 {
        // These contexts are of keys that have neighbours in their own run. Blocks without runs have no such keys.
        for context in (0..46_656).filter(|context| context % 1296 != 1295) {
            let is_listed = (0..6).any(|place| !matches!(context / 6usize.pow(place) % 6, 0 | 5));
            model[3 * context] = match context % 1296 {
                _ if is_listed => 1,
                SINGLE_BIT => 4095,
                _ => rarely,
            };
            (model[3 * context + 1], model[3 * context + 2]) = (1, 1);
        }
        let [long, short] = [nothing, something].map(|keys| CodeInterval::of(keys, runs, model));
        let digits = trimmed(long.low.clone());
        let mut prefixes = (1..digits.len()).map(|length| &digits[..length]);
        if let Some(prefix) = prefixes.find(|prefix| prefix.last() != Some(&0) && short.has(prefix)) {
            return (runs, [digits.clone(), prefix.to_vec()]);
        }
    }
    panic!("no probabilities were found");
}

/// Returns tables in which the block with the last keys shares bytes with the block with the first keys, each in a
/// different way, with a name of the shared bytes. If the blocks are coded, the last block shares bytes with the model
/// in one more table.
pub fn with_shared_bytes(sound: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let parts = Parts::of(sound);
    let (first, last) = (parts.blocks[0].clone(), parts.blocks.len() - 1);
    assert!(last > 0, "there are two blocks");
    let (start, length) = (first.offset, first.length);
    let mut places = vec![
        ("the same place", start, length),
        ("the beginning", start, length - 1),
        ("the end", start + 1, length - 1),
        ("a byte inside", start + 1, 1),
        ("more than all of it", start, length + 1),
        ("its last byte", start + u64::from(length) - 1, 2),
    ];
    if let Some(&offset) = parts.model.first_chunk() {
        places.push(("the model", u64::from_le_bytes(offset) + 1, 2));
    }
    let forge = |(what, offset, length)| {
        let mut parts = parts.clone();
        (parts.blocks[last].offset, parts.blocks[last].length) = (offset, length);
        parts.rehash();
        (what, parts.file())
    };
    places.into_iter().map(forge).collect()
}
