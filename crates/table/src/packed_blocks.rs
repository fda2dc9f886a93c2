//! A cache of packed blocks for single look-ups. Only blocks that match their checksums enter it. The cache saves the
//! system call that reads a block, which takes a fifth of the time of a look-up (docs/perf/files.md).

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::format::BlockPlace;

/// Capacity of a table's cache in bytes.
const ROOM: u64 = 32 << 20;

/// Estimated size of a packed block in bytes.
const BLOCK: u64 = 1 << 10;

/// The packed (compressed) bytes of a block, either just read or shared with the cache.
pub enum PackedBlock<'a> {
    Read(Cow<'a, [u8]>),
    Kept(Arc<[u8]>),
}

impl Deref for PackedBlock<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            PackedBlock::Read(bytes) => bytes,
            PackedBlock::Kept(bytes) => bytes,
        }
    }
}

/// A cache of packed blocks. Its keys are whole [`BlockPlace`]s, which contain everything that the bytes were checked
/// against. If the offset alone were the key, one block could be mistaken for another.
pub struct PackedBlocks(Cache<BlockPlace, Arc<[u8]>, Weight>);

/// Weighs cached values by their length in bytes.
#[derive(Clone)]
pub struct Weight;

impl<K> Weighter<K, Arc<[u8]>> for Weight {
    fn weight(&self, _: &K, bytes: &Arc<[u8]>) -> u64 {
        bytes.len() as u64
    }
}

impl PackedBlocks {
    /// Returns an empty cache.
    pub fn new() -> PackedBlocks {
        PackedBlocks(Cache::with_weighter((ROOM / BLOCK) as usize, ROOM, Weight))
    }

    /// Removes all blocks.
    pub fn clear(&self) {
        self.0.clear();
    }

    /// Returns the bytes of the block at this place in the file. If it is not cached, calls `read` to read and check
    /// it.
    pub fn get<E>(&self, packed: BlockPlace, read: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Arc<[u8]>, E> {
        self.0.get_or_insert_with(&packed, || read().map(Arc::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_differ_in_anything_are_kept_apart() {
        let block = BlockPlace { offset: 136, length: 2, plain: 9, hash: 5 };
        let others = [
            block,
            BlockPlace { offset: 137, ..block },
            BlockPlace { length: 3, ..block },
            BlockPlace { plain: 8, ..block },
            BlockPlace { hash: 6, ..block },
        ];
        let blocks = PackedBlocks::new();
        for _ in 0..2 {
            for (number, &packed) in (0u8..).zip(&others) {
                let found = blocks.get(packed, || Ok::<_, ()>(vec![number; 2])).unwrap();
                assert_eq!(*found, [number; 2]);
            }
        }
        assert!(blocks.get(block, || Err(())).is_ok());
    }
}
