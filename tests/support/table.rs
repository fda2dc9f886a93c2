//! Parses and writes table files according to docs/format.md alone.

use xxhash_rust::xxh3::xxh3_64;

/// Number of blocks that a page of the index describes. The last page may describe fewer.
const PAGE: usize = 256;

/// Length of the header in bytes.
const HEADER: usize = 136;
/// Length of a directory entry in bytes.
const ENTRY: usize = 32;

/// The value of byte 0 of [`Parts::form`] if the blocks are coded.
pub const CODED: u8 = 2;
/// Length in bytes of the model's place at the end of a page of coded blocks.
const MODEL_PLACE: usize = 20;

/// A block as the index describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub key: u64,
    pub offset: u64,
    pub length: u32,
    pub plain: u32,
    pub rows: u32,
    pub begins: u8,
    pub hash: u64,
}

/// The parts of a table file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The header. [`Parts::file`] computes its fields about the other parts.
    pub header: [u8; HEADER],
    /// The bytes between the header and the pages.
    pub packed: Vec<u8>,
    pub blocks: Vec<Block>,
    /// Bytes 20 to 23 of each directory entry, the same in all entries: the form of the blocks, the number of values
    /// for each position, and two zeros.
    pub form: [u8; 4],
    /// The place of the model, which every page has at its end: 20 bytes if the blocks are coded, otherwise none.
    pub model: Vec<u8>,
    pub meta: Vec<u8>,
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn half(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

impl Parts {
    /// Parses a sound table file. Panics on any other.
    pub fn of(file: &[u8]) -> Parts {
        let header: [u8; HEADER] = file[..HEADER].try_into().unwrap();
        assert_eq!(word(&header, 128), xxh3_64(&header[..128]));
        let [blocks, pages, directory] = [40, 48, 56].map(|at| word(&header, at) as usize);
        let meta = directory + ENTRY * blocks.div_ceil(PAGE);
        assert_eq!(word(&header, 64), xxh3_64(&file[directory..meta]));
        assert_eq!(word(&header, 80), xxh3_64(&file[meta..]));
        assert_eq!(word(&header, 72) as usize, file.len() - meta);
        let form = file[directory..meta].get(20..24).map_or([1, 1, 0, 0], |form| form.try_into().unwrap());
        let behind = if form[0] == CODED { MODEL_PLACE } else { 0 };
        let (mut all, mut model) = (Vec::new(), Vec::new());
        for entry in file[directory..meta].chunks(ENTRY) {
            let (offset, length) = (word(entry, 8) as usize, half(entry, 16) as usize);
            let page = &file[offset..offset + length];
            assert_eq!(word(entry, 24), xxh3_64(page));
            let count = (blocks - all.len()).min(PAGE);
            let page = zstd::bulk::decompress(page, 37 * count + behind).unwrap();
            all.extend(blocks_of(&page[..page.len() - behind], count));
            model = page[page.len() - behind..].to_vec();
        }
        Parts { header, packed: file[HEADER..pages].to_vec(), blocks: all, form, model, meta: file[meta..].to_vec() }
    }

    /// Returns the bytes of the file. Computes all places and checksums, except those of the blocks and of the model.
    pub fn file(&self) -> Vec<u8> {
        let mut file = [&self.header[..], &self.packed].concat();
        let mut directory = Vec::new();
        for blocks in self.blocks.chunks(PAGE) {
            let page = zstd::bulk::compress(&[page_of(blocks), self.model.clone()].concat(), 1).unwrap();
            directory.extend([blocks[0].key, file.len() as u64].iter().flat_map(|word| word.to_le_bytes()));
            directory.extend((page.len() as u32).to_le_bytes());
            directory.extend(self.form);
            directory.extend(xxh3_64(&page).to_le_bytes());
            file.extend(page);
        }
        let pages = HEADER + self.packed.len();
        let words = [self.blocks.len(), pages, file.len()].map(|word| word as u64);
        let words = words.into_iter().chain([xxh3_64(&directory), self.meta.len() as u64, xxh3_64(&self.meta)]);
        for (at, word) in (40..).step_by(8).zip(words) {
            file[at..at + 8].copy_from_slice(&word.to_le_bytes());
        }
        let hash = xxh3_64(&file[..128]);
        file[128..HEADER].copy_from_slice(&hash.to_le_bytes());
        [file, directory, self.meta.clone()].concat()
    }

    /// Recomputes the hashes of the model and of all blocks that lie within the file.
    pub fn rehash(&mut self) {
        if let Some(hash) = self.packed_model().map(xxh3_64) {
            self.model[12..].copy_from_slice(&hash.to_le_bytes());
        }
        for block in &mut self.blocks {
            let start = usize::try_from(block.offset).ok().and_then(|offset| offset.checked_sub(HEADER));
            let packed = start.and_then(|start| self.packed.get(start..start.checked_add(block.length as usize)?));
            block.hash = packed.map_or(block.hash, xxh3_64);
        }
    }

    /// Returns the compressed model of coded blocks, or `None` if there is none within the file.
    pub fn packed_model(&self) -> Option<&[u8]> {
        let (place, length) = (self.model.get(..8)?, self.model.get(8..12)?);
        let start = usize::try_from(word(place, 0)).ok()?.checked_sub(HEADER)?;
        self.packed.get(start..start.checked_add(half(length, 0) as usize)?)
    }

    /// Returns the bytes of a block as they are in the file. Panics if their hash is wrong.
    pub fn packed(&self, block: &Block) -> &[u8] {
        let start = block.offset as usize - HEADER;
        let packed = &self.packed[start..start + block.length as usize];
        assert_eq!(xxh3_64(packed), block.hash);
        packed
    }

    /// Returns the decompressed bytes of a block, or its bytes in the file if the blocks are coded.
    pub fn plain(&self, block: &Block) -> Vec<u8> {
        let packed = self.packed(block);
        if self.form[0] == CODED {
            return packed.to_vec();
        }
        let plain = zstd::bulk::decompress(packed, block.plain as usize).unwrap();
        assert_eq!(plain.len(), block.plain as usize);
        plain
    }

    /// Replaces the bytes of the block with index `number` and updates its index entry. Compresses the new bytes unless
    /// the blocks are coded, and puts them after all others. The decompressed length of a coded block does not change.
    pub fn replace(&mut self, number: usize, plain: &[u8]) {
        let is_coded = self.form[0] == CODED;
        let packed = if is_coded { plain.to_vec() } else { zstd::bulk::compress(plain, 1).unwrap() };
        let block = &mut self.blocks[number];
        block.offset = (HEADER + self.packed.len()) as u64;
        (block.length, block.hash) = (packed.len() as u32, xxh3_64(&packed));
        block.plain = if is_coded { block.plain } else { plain.len() as u32 };
        self.packed.extend(packed);
    }
}

/// Parses the `count` entries of a decompressed page of the index.
pub fn blocks_of(page: &[u8], count: usize) -> Vec<Block> {
    assert_eq!(page.len(), 37 * count);
    let (mut key, mut end) = (0u64, 0u64);
    let block = |at: usize| {
        let column = |before: usize, width: usize| before * count + width * at;
        key = key.wrapping_add(word(page, column(0, 8)));
        let offset = end.wrapping_add(word(page, column(8, 8)));
        let [length, plain, rows] = [16, 20, 24].map(|before| half(page, column(before, 4)));
        end = offset.wrapping_add(length.into());
        let (begins, hash) = (page[column(28, 1)], word(page, column(29, 8)));
        Block { key, offset, length, plain, rows, begins, hash }
    };
    (0..count).map(block).collect()
}

/// Encodes entries of the index as a page, without compression.
pub fn page_of(blocks: &[Block]) -> Vec<u8> {
    let (mut key, mut end) = (0, 0);
    let mut columns: [Vec<u8>; 7] = Default::default();
    for block in blocks {
        columns[0].extend(block.key.wrapping_sub(key).to_le_bytes());
        columns[1].extend(block.offset.wrapping_sub(end).to_le_bytes());
        columns[2].extend(block.length.to_le_bytes());
        columns[3].extend(block.plain.to_le_bytes());
        columns[4].extend(block.rows.to_le_bytes());
        columns[5].push(block.begins);
        columns[6].extend(block.hash.to_le_bytes());
        (key, end) = (block.key, block.offset.wrapping_add(block.length.into()));
    }
    columns.concat()
}
