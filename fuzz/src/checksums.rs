//! Files with checksums that are right, whatever else is in them. All that the targets know of the layouts of files
//! stands here and in what the tests read tables by.

use std::path::Path;

use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_table::json_lines;

use crate::table::{Parts, blocks_of, page_of};

/// Bytes of the header of a table.
const HEADER: usize = 136;

/// A checkpoint in parts.
pub struct Checkpoint {
    /// Magic bytes and version.
    front: Vec<u8>,
    header: Vec<u8>,
    /// Compressed entries.
    packed: Vec<u8>,
}

impl Checkpoint {
    /// What a run has kept in a folder under a name.
    pub fn in_folder(folder: &Path, name: &str) -> Checkpoint {
        Checkpoint::of(&std::fs::read(folder.join(name)).expect("a file was written"))
    }

    fn of(file: &[u8]) -> Checkpoint {
        let length = u32::from_le_bytes(file[10..14].try_into().expect("four bytes")) as usize;
        let (header, packed) = file[14..file.len() - 8].split_at(length);
        Checkpoint { front: file[..10].to_vec(), header: header.to_vec(), packed: packed.to_vec() }
    }

    /// A checkpoint with another header and other entries, without the hash at its end.
    fn with(&self, header: &[u8], packed: &[u8]) -> Vec<u8> {
        [&self.front, &(header.len() as u32).to_le_bytes()[..], header, packed].concat()
    }

    /// Inputs for [`Checkpoint::forged`]: the file, its header, and entries, none and its own.
    pub fn sound(&self) -> Vec<Vec<u8>> {
        let whole = self.with(&self.header, &self.packed);
        let entries = zstd::bulk::decompress(&self.packed, 1 << 20).expect("a sound file");
        vec![[&[0], &whole[..]].concat(), [&[1], &self.header[..]].concat(), vec![2], [&[2], &entries[..]].concat()]
    }

    /// A folder with a checkpoint made of this one. The first byte of an input says what the rest is: a whole file
    /// without its hash, a header, or entries before they are compressed.
    pub fn forged(&self, input: &[u8], name: &str) -> Option<TempDir> {
        let (kind, bytes) = input.split_first()?;
        let pack = |entries: &[u8]| zstd::bulk::compress(entries, 1).expect("memory takes everything");
        let file = match kind % 3 {
            0 => bytes.to_vec(),
            1 => self.with(bytes, &self.packed),
            _ => self.with(&self.header, &pack(bytes)),
        };
        let folder = new_folder();
        let written = std::fs::write(folder.path().join(name), [&file[..], &xxh3_64(&file).to_le_bytes()].concat());
        written.expect("a new folder can be written to");
        Some(folder)
    }
}

/// An empty folder.
pub fn new_folder() -> TempDir {
    tempfile::tempdir().expect("temporary files can be made")
}

/// Lines of JSON with a checksum in each; a line that ends without a line break is left as it is.
pub fn lines(text: &[u8]) -> Vec<u8> {
    let line = |line: &[u8]| match line.split_last() {
        Some((b'\n', object)) => match std::str::from_utf8(object) {
            Ok(object) => (json_lines::with_sum(object) + "\n").into_bytes(),
            Err(_) => line.to_vec(),
        },
        _ => line.to_vec(),
    };
    text.split_inclusive(|&byte| byte == b'\n').flat_map(line).collect()
}

/// A journal with records of these bodies.
pub fn journal<'a>(bodies: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let record = |body: &[u8]| [&(body.len() as u32).to_le_bytes()[..], &xxh3_64(body).to_le_bytes(), body].concat();
    bodies.flat_map(record).collect()
}

/// The bodies of the records of a journal.
pub fn bodies_of_journal(journal: &[u8]) -> Vec<&[u8]> {
    let (mut bodies, mut rest) = (Vec::new(), journal);
    while let Some((head, after)) = rest.split_first_chunk::<12>() {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let (body, after) = after.split_at(length.min(after.len()));
        bodies.push(body);
        rest = after;
    }
    bodies
}

/// A table or a certificate with a byte changed for every three of the input, where (two bytes) and to what, in its
/// header, its index before that is packed, its blocks or its meta data.
pub fn edited(sound: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut parts = Parts::of(sound);
    let count = parts.blocks.len();
    let mut page = page_of(&parts.blocks);
    let lengths = [HEADER, page.len(), parts.packed.len(), parts.meta.len()];
    for edit in edits.as_chunks::<3>().0 {
        let mut at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % lengths.iter().sum::<usize>();
        let pieces = [&mut parts.header[..], &mut page, &mut parts.packed, &mut parts.meta];
        for piece in pieces {
            match piece.get_mut(at) {
                Some(byte) => {
                    *byte = edit[2];
                    break;
                }
                None => at -= piece.len(),
            }
        }
    }
    parts.blocks = blocks_of(&page, count);
    parts.rehash();
    parts.file()
}

/// The file with other plain bytes in its first block, which has so many rows or keys then.
pub fn with_block(sound: &[u8], rows: u32, plain: &[u8]) -> Vec<u8> {
    let mut parts = Parts::of(sound);
    parts.blocks[0].rows = rows;
    parts.replace(0, plain);
    parts.file()
}

/// The file with other meta data.
pub fn with_meta(sound: &[u8], meta: &[u8]) -> Vec<u8> {
    Parts { meta: meta.to_vec(), ..Parts::of(sound) }.file()
}

/// The plain bytes of the first block of a file, with the number of its rows or keys.
pub fn first_block(sound: &[u8]) -> (u32, Vec<u8>) {
    let parts = Parts::of(sound);
    (parts.blocks[0].rows, parts.plain(&parts.blocks[0]))
}

/// The meta data of a file.
pub fn meta(sound: &[u8]) -> Vec<u8> {
    Parts::of(sound).meta
}

/// Any bytes, with the hash of a header where one would stand.
pub fn with_header_hash(bytes: &[u8]) -> Vec<u8> {
    let mut file = bytes.to_vec();
    if let Some((header, _)) = file.split_first_chunk_mut::<HEADER>() {
        let hash = xxh3_64(&header[..HEADER - 8]);
        header[HEADER - 8..].copy_from_slice(&hash.to_le_bytes());
    }
    file
}

/// The first bytes of inputs of [`forged`] whose blocks overlap: [`placed`] and [`sharing`].
const PLACED: u8 = 254;
const SHARING: u8 = 255;

/// The file with blocks at other places. Every four bytes of the input are a block, another block whose offset it gets,
/// a number of bytes that is added to the offset, and its length: its own (0), that of the other block (1), or that
/// many bytes.
fn placed(sound: &[u8], input: &[u8]) -> Vec<u8> {
    let mut parts = Parts::of(sound);
    let count = parts.blocks.len();
    for &[block, other, later, length] in input.as_chunks::<4>().0 {
        let other = parts.blocks[usize::from(other) % count].clone();
        let block = &mut parts.blocks[usize::from(block) % count];
        block.offset = other.offset + u64::from(later);
        block.length = match length {
            0 => block.length,
            1 => other.length,
            bytes => bytes.into(),
        };
    }
    parts.rehash();
    parts.file()
}

/// The file with two blocks that begin at the same place. The input is the number of each, the length of the second
/// (two bytes), and the bytes of the first as they are packed.
fn sharing(sound: &[u8], input: &[u8]) -> Option<Vec<u8>> {
    let (&[first, second, low, high], packed) = input.split_first_chunk()?;
    let mut parts = Parts::of(sound);
    let (count, offset) = (parts.blocks.len(), (HEADER + parts.packed.len()) as u64);
    parts.packed.extend(packed);
    for (block, length) in [(first, packed.len() as u32), (second, u16::from_le_bytes([low, high]).into())] {
        let block = &mut parts.blocks[usize::from(block) % count];
        (block.offset, block.length) = (offset, length);
    }
    parts.rehash();
    Some(parts.file())
}

/// A file of any of these kinds made of a sound one: with other bytes, another first block, other meta data, blocks that
/// overlap, or something else altogether. The first byte says which.
pub fn forged(sound: &[u8], input: &[u8]) -> Option<Vec<u8>> {
    let (kind, bytes) = input.split_first()?;
    Some(match (*kind, kind % 4) {
        (PLACED, _) => placed(sound, bytes),
        (SHARING, _) => sharing(sound, bytes)?,
        (_, 0) => edited(sound, bytes),
        (_, 1) => {
            let (rows, plain) = bytes.split_first_chunk()?;
            with_block(sound, u16::from_le_bytes(*rows).into(), plain)
        }
        (_, 2) => with_meta(sound, bytes),
        _ => with_header_hash(bytes),
    })
}

/// Inputs of [`forged`] in which the first block and the last one overlap: they lie at one place, one lies inside of the
/// other, and both are cut out of the same bytes.
pub fn overlapping(sound: &[u8]) -> [Vec<u8>; 3] {
    let parts = Parts::of(sound);
    let last = (parts.blocks.len() - 1) as u8;
    let packed = parts.packed(&parts.blocks[0]);
    let shared = [&[SHARING, 0, last][..], &(packed.len() as u16 - 1).to_le_bytes(), packed].concat();
    [vec![PLACED, last, 0, 0, 1], vec![PLACED, last, 0, 1, 0], shared]
}

/// Inputs of [`forged`] that leave the file as it is.
pub fn unchanged(sound: &[u8]) -> [Vec<u8>; 3] {
    let (rows, plain) = first_block(sound);
    [vec![0], [&[1], &(rows as u16).to_le_bytes()[..], &plain].concat(), [&[2], &meta(sound)[..]].concat()]
}
