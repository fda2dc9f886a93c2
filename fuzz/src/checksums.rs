//! Files with checksums that are right, whatever else is in them. All that the targets know of the layouts of files
//! stands here.

use std::io::{Read, Write};

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};
use yomikiri_table::Header;
use yomikiri_table::format::{BLOCK_ENTRY, HEADER, SECTION_ENTRY};

/// A checkpoint of a proof of this version, header and compressed entries, without the hash at its end.
pub fn checkpoint(version: u16, header: &[u8], packed: &[u8]) -> Vec<u8> {
    let mut file = b"YOMIPROV".to_vec();
    file.extend(version.to_le_bytes());
    file.extend((header.len() as u32).to_le_bytes());
    file.extend([header, packed].concat());
    file
}

/// Bytes with their hash behind them, as a checkpoint has it.
pub fn ended(bytes: &[u8]) -> Vec<u8> {
    [bytes, &xxh3_64(bytes).to_le_bytes()].concat()
}

/// The header and the compressed entries of a checkpoint.
pub fn parts_of_checkpoint(file: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let length = u32::from_le_bytes(file[10..14].try_into().expect("four bytes")) as usize;
    (file[14..14 + length].to_vec(), file[14 + length..file.len() - 8].to_vec())
}

/// A journal of these lines.
pub fn journal<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(|line| format!("{line}\t{:016x}\n", xxh3_64(line.as_bytes()))).collect()
}

/// The lines of a journal without their hashes.
pub fn lines_of_journal(journal: &str) -> String {
    journal.lines().map(|line| line.split('\t').next().unwrap_or_default().to_string() + "\n").collect()
}

/// A certificate that unpacks to these bytes.
pub fn certificate(plain: &[u8]) -> Vec<u8> {
    const FRONT: usize = 32;
    let extra = [&b"YK\x10\0"[..], &[0; 16]].concat();
    let gzip = GzBuilder::new().extra(extra).operating_system(255);
    let mut gzip = gzip.write(Vec::new(), Compression::best());
    gzip.write_all(plain).expect("memory takes everything");
    let mut file = gzip.finish().expect("memory takes everything");
    let hash = xxh3_128(&file[FRONT..]).to_le_bytes();
    file[FRONT - hash.len()..FRONT].copy_from_slice(&hash);
    file
}

/// What a certificate unpacks to.
pub fn plain_certificate(file: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(file).read_to_end(&mut plain).expect("a sound file");
    plain
}

/// Puts the checksums of a table right: of its blocks and lists as far as they lie in the file, its meta data and its
/// header.
pub fn table(file: &mut [u8]) {
    if file.len() < HEADER {
        return;
    }
    let word = |file: &[u8], at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("eight bytes"));
    let [sections, blocks, lists, meta] = [32, 40, 48, 64].map(|at| word(file, at) as usize);
    let length = file.len();
    let fits = || {
        let entries = lists.checked_add(sections.checked_mul(SECTION_ENTRY)?)?;
        let end = entries.checked_add(blocks.checked_mul(BLOCK_ENTRY)?)?;
        (lists >= HEADER && end.checked_add(meta)? == length).then_some((entries, end))
    };
    if let Some((entries, end)) = fits() {
        for entry in (entries..end).step_by(BLOCK_ENTRY) {
            let [offset, lengths] = [0, 8].map(|at| word(file, entry + at) as usize);
            let block = file.get(offset..offset.saturating_add(lengths & 0xffff_ffff));
            if let Some(hash) = block.map(xxh3_64) {
                file[entry + 16..entry + 24].copy_from_slice(&hash.to_le_bytes());
            }
        }
        let [lists_hash, meta_hash] = [xxh3_64(&file[lists..end]), xxh3_64(&file[end..])];
        file[56..64].copy_from_slice(&lists_hash.to_le_bytes());
        file[72..80].copy_from_slice(&meta_hash.to_le_bytes());
    }
    let hash = xxh3_64(&file[..HEADER - 8]);
    file[HEADER - 8..HEADER].copy_from_slice(&hash.to_le_bytes());
}

/// A table with other plain bytes in its only block.
pub fn table_of_block(sound: &[u8], plain: &[u8]) -> Vec<u8> {
    let header = Header::from_bytes(sound).expect("a sound table");
    let lists = header.lists_offset.get() as usize;
    let packed = zstd::bulk::compress(plain, 1).expect("memory takes everything");
    let mut file = [&sound[..HEADER], &packed, &sound[lists..]].concat();
    let entry = HEADER + packed.len() + SECTION_ENTRY * header.sections.get() as usize;
    let lengths = (plain.len() as u64) << 32 | packed.len() as u64;
    file[entry + 8..entry + 16].copy_from_slice(&lengths.to_le_bytes());
    file[48..56].copy_from_slice(&((HEADER + packed.len()) as u64).to_le_bytes());
    table(&mut file);
    file
}
