//! Makes files with right checksums and arbitrary content. All layouts of files that the targets know are defined here
//! and in the module with which the tests read tables.

use std::path::Path;

use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_table::json_lines;

use crate::table::{Parts, blocks_of, page_of};

/// The length of the header of a table in bytes.
const HEADER: usize = 136;

/// The parts of a checkpoint file.
pub struct Checkpoint {
    /// The magic bytes and the version.
    front: Vec<u8>,
    header: Vec<u8>,
    /// The compressed entries.
    packed: Vec<u8>,
}

impl Checkpoint {
    /// Reads the checkpoint `name`, which a run wrote to a folder.
    pub fn in_folder(folder: &Path, name: &str) -> Checkpoint {
        Checkpoint::of(&std::fs::read(folder.join(name)).expect("a file was written"))
    }

    fn of(file: &[u8]) -> Checkpoint {
        let length = u32::from_le_bytes(file[10..14].try_into().expect("four bytes")) as usize;
        let (header, packed) = file[14..file.len() - 8].split_at(length);
        Checkpoint { front: file[..10].to_vec(), header: header.to_vec(), packed: packed.to_vec() }
    }

    /// Returns a file with this header and these compressed entries, without the hash at its end.
    fn with(&self, header: &[u8], packed: &[u8]) -> Vec<u8> {
        [&self.front, &(header.len() as u32).to_le_bytes()[..], header, packed].concat()
    }

    /// Returns inputs for [`Checkpoint::forged`]. They replace the whole file by itself, the header by itself, the
    /// entries by none, and the entries by themselves.
    pub fn sound(&self) -> Vec<Vec<u8>> {
        let whole = self.with(&self.header, &self.packed);
        let entries = zstd::bulk::decompress(&self.packed, 1 << 20).expect("a sound file");
        vec![[&[0], &whole[..]].concat(), [&[1], &self.header[..]].concat(), vec![2], [&[2], &entries[..]].concat()]
    }

    /// Makes a folder with a changed checkpoint. The first byte of the input selects the part that the rest of the
    /// input replaces: the whole file without its hash, the header, or the uncompressed entries. Returns `None` if the
    /// input is empty.
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

/// Makes an empty temporary folder.
pub fn new_folder() -> TempDir {
    tempfile::tempdir().expect("temporary files can be made")
}

/// Adds a checksum to each line of JSON. A line that is not UTF-8 stays as it is, and so does a last line without a
/// line break.
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

/// Makes a journal whose records have these bodies.
pub fn journal<'a>(bodies: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let record = |body: &[u8]| [&(body.len() as u32).to_le_bytes()[..], &xxh3_64(body).to_le_bytes(), body].concat();
    bodies.flat_map(record).collect()
}

/// Returns the bodies of the records in a journal.
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

/// Returns a table or certificate with some bytes changed. Every three bytes of `edits` are one change: an offset (two
/// bytes), then the new value. Offsets count through the header, the uncompressed index, the blocks and the meta data.
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

/// Returns the file with `plain` as the uncompressed bytes of its first block. The index then says that the block has
/// `rows` rows or keys.
pub fn with_block(sound: &[u8], rows: u32, plain: &[u8]) -> Vec<u8> {
    let mut parts = Parts::of(sound);
    parts.blocks[0].rows = rows;
    parts.replace(0, plain);
    parts.file()
}

/// Returns the file with other meta data.
pub fn with_meta(sound: &[u8], meta: &[u8]) -> Vec<u8> {
    Parts { meta: meta.to_vec(), ..Parts::of(sound) }.file()
}

/// Returns the number of rows or keys of the first block of a file, and its uncompressed bytes.
pub fn first_block(sound: &[u8]) -> (u32, Vec<u8>) {
    let parts = Parts::of(sound);
    (parts.blocks[0].rows, parts.plain(&parts.blocks[0]))
}

/// Returns the meta data of a file.
pub fn meta(sound: &[u8]) -> Vec<u8> {
    Parts::of(sound).meta
}

/// Returns these bytes with a right header hash. If they are too few for a header, they stay as they are.
pub fn with_header_hash(bytes: &[u8]) -> Vec<u8> {
    let mut file = bytes.to_vec();
    if let Some((header, _)) = file.split_first_chunk_mut::<HEADER>() {
        let hash = xxh3_64(&header[..HEADER - 8]);
        header[HEADER - 8..].copy_from_slice(&hash.to_le_bytes());
    }
    file
}

/// The first byte of an input of [`forged`] that [`placed`] handles.
const PLACED: u8 = 254;
/// The first byte of an input of [`forged`] that [`sharing`] handles.
const SHARING: u8 = 255;

/// Returns the file with some blocks moved. Every four bytes of the input move one block: its index, the index of
/// another block whose offset it gets, a number of bytes to add to that offset, and its length. A length of 0 leaves it
/// unchanged, 1 makes it the length of the other block, and any other number is the length in bytes.
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

/// Returns the file with two blocks that begin at the same offset. The input is the indices of both blocks, the length
/// of the second block (two bytes), and the compressed bytes of the first block. Returns `None` if the input is too
/// short.
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

/// Changes a sound file. The first byte of the input selects what the rest of it changes: some bytes, the first block,
/// the meta data, the places of blocks, or the whole file. Returns `None` if the input is too short.
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

/// Returns inputs of [`forged`] that make the first and the last block overlap. In the first input both begin at the
/// same offset, in the second one is inside the other, and in the third both are cut out of the same bytes.
pub fn overlapping(sound: &[u8]) -> [Vec<u8>; 3] {
    let parts = Parts::of(sound);
    let last = (parts.blocks.len() - 1) as u8;
    let packed = parts.packed(&parts.blocks[0]);
    let shared = [&[SHARING, 0, last][..], &(packed.len() as u16 - 1).to_le_bytes(), packed].concat();
    [vec![PLACED, last, 0, 0, 1], vec![PLACED, last, 0, 1, 0], shared]
}

/// Returns inputs of [`forged`] that leave the file unchanged.
pub fn unchanged(sound: &[u8]) -> [Vec<u8>; 3] {
    let (rows, plain) = first_block(sound);
    [vec![0], [&[1], &(rows as u16).to_le_bytes()[..], &plain].concat(), [&[2], &meta(sound)[..]].concat()]
}
