//! Pages of a table's index. A page has the entries of up to 256 blocks, stored column by column.

use std::ops::Range;

use zerocopy::FromBytes;
use zerocopy::little_endian::{U32, U64};

use super::format::{BlockEntry, BlockPlace, DIRECTORY_ENTRY, Header};

/// Number of blocks in a page. The last page may have fewer.
pub const BLOCKS_PER_PAGE: usize = 256;

/// Length in bytes of a block's entry in a page.
pub const PAGE_ENTRY: usize = 8 + 8 + 4 + 4 + 4 + 1 + 8;

/// Returns the byte range of a table's directory, which lists the pages of the index, or `None` if the range overflows.
pub fn directory_range(header: &Header) -> Option<Range<u64>> {
    let start = header.directory_offset.get();
    let pages = header.blocks.get().div_ceil(BLOCKS_PER_PAGE as u64);
    Some(start..start.checked_add(pages.checked_mul(DIRECTORY_ENTRY as u64)?)?)
}

/// Returns the length in bytes of the table with this header, or `None` if the length overflows.
pub fn length_by_header(header: &Header) -> Option<u64> {
    directory_range(header)?.end.checked_add(header.meta_length.get())
}

/// Encodes a page of the index as its plain (uncompressed) bytes. Stores each key minus the previous key, and each
/// offset minus the end of the previous block, so that the page compresses well.
#[cfg(feature = "write")]
pub fn encode_page(blocks: &[BlockEntry]) -> Vec<u8> {
    let mut page = Vec::with_capacity(blocks.len() * PAGE_ENTRY);
    let halves = |page: &mut Vec<u8>, half: fn(&BlockEntry) -> u32| {
        blocks.iter().for_each(|block| page.extend_from_slice(&half(block).to_le_bytes()));
    };
    let (mut key, mut end) = (0, 0);
    for block in blocks {
        page.extend_from_slice(&block.key.wrapping_sub(key).to_le_bytes());
        key = block.key;
    }
    for block in blocks {
        page.extend_from_slice(&block.packed.offset.wrapping_sub(end).to_le_bytes());
        end = block.packed.offset.wrapping_add(block.packed.length.into());
    }
    halves(&mut page, |block| block.packed.length);
    halves(&mut page, |block| block.packed.plain);
    halves(&mut page, |block| block.rows);
    page.extend(blocks.iter().map(|block| u8::from(block.starts_section)));
    blocks.iter().for_each(|block| page.extend_from_slice(&block.packed.hash.to_le_bytes()));
    page
}

/// Decodes a page of `blocks` entries, the inverse of [`encode_page`]. Returns `None` if the page has the wrong size,
/// or if a `starts_section` flag is neither 0 nor 1.
pub fn decode_page(page: &[u8], blocks: usize) -> Option<Vec<BlockEntry>> {
    let (keys, rest) = <[U64]>::ref_from_prefix_with_elems(page, blocks).ok()?;
    let (offsets, rest) = <[U64]>::ref_from_prefix_with_elems(rest, blocks).ok()?;
    let (lengths, rest) = <[U32]>::ref_from_prefix_with_elems(rest, blocks).ok()?;
    let (plains, rest) = <[U32]>::ref_from_prefix_with_elems(rest, blocks).ok()?;
    let (rows, rest) = <[U32]>::ref_from_prefix_with_elems(rest, blocks).ok()?;
    let (begins, rest) = rest.split_at_checked(blocks)?;
    let hashes = <[U64]>::ref_from_bytes_with_elems(rest, blocks).ok()?;
    if begins.iter().any(|&flag| flag > 1) {
        return None;
    }
    let (mut key, mut end) = (0u64, 0u64);
    let block = |at: usize| {
        key = key.wrapping_add(keys[at].get());
        let offset = end.wrapping_add(offsets[at].get());
        let (length, plain, hash) = (lengths[at].get(), plains[at].get(), hashes[at].get());
        end = offset.wrapping_add(length.into());
        BlockEntry {
            key,
            rows: rows[at].get(),
            starts_section: begins[at] == 1,
            packed: BlockPlace { offset, length, plain, hash },
        }
    };
    Some((0..blocks).map(block).collect())
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    #[test]
    fn pages_round_trip() {
        let block = |number: u64| BlockEntry {
            key: number * 32_768 + number / 3,
            rows: 512 - number as u32 % 2,
            starts_section: number.is_multiple_of(3),
            packed: BlockPlace { offset: (1 << 40) - 500 * number, length: 499, plain: 9000, hash: number << 50 | 7 },
        };
        for count in [0, 1, 2, BLOCKS_PER_PAGE] {
            let blocks: Vec<BlockEntry> = (0..count as u64).map(block).collect();
            let page = encode_page(&blocks);
            assert_eq!(page.len(), count * PAGE_ENTRY);
            assert_eq!(decode_page(&page, count).unwrap(), blocks);
            assert_eq!(decode_page(&page, count + 1), None);
            assert!(count == 0 || decode_page(&page, count - 1).is_none());
        }
        let mut page = encode_page(&[block(0)]);
        page[28] = 2;
        assert_eq!(decode_page(&page, 1), None);
    }
}
