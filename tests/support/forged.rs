//! Tables with other words and right checksums.

use serde_json::Value as Json;
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_table::format::{HEADER, SECTION_ENTRY};
use yomikiri_table::{Header, Section};

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

/// The bytes of a table whose section at this place of the list begins so many keys later.
pub fn with_later_section(sound: &[u8], number: usize, keys: u64) -> Vec<u8> {
    let mut header = Header::from_bytes(sound).unwrap();
    let mut bytes = sound.to_vec();
    let lists = header.lists_offset.get() as usize;
    let at = lists + number * SECTION_ENTRY;
    let section = Section::from_bytes(&bytes[at..at + SECTION_ENTRY]);
    bytes[at..at + SECTION_ENTRY].copy_from_slice(&Section { key: section.key + keys, ..section }.to_bytes());
    header.lists_hash = xxh3_64(&bytes[lists..bytes.len() - header.meta_length.get() as usize]).into();
    bytes[..HEADER].copy_from_slice(&header.to_bytes());
    bytes
}
