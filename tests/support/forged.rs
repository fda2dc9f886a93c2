//! Tables with other words and right checksums.

use super::table::Parts;
use serde_json::Value as Json;
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_table::Header;
use yomikiri_table::format::HEADER;

/// The bytes of a table whose header and meta data have been changed, with all checksums as they have to be.
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

/// The bytes of a table in whose index this block begins so many keys later.
pub fn with_later_block(sound: &[u8], number: usize, keys: u64) -> Vec<u8> {
    let mut parts = Parts::of(sound);
    parts.blocks[number].key += keys;
    parts.file()
}
