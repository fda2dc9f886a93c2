//! Packed blocks of a file that look-ups one by one have read and checked, kept as long as there is room: the system
//! call that reads a block again is a fifth of a look-up (docs/perf/files.md).

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::format::Packed;

/// Bytes that are kept of a table.
const ROOM: u64 = 32 << 20;

/// Bytes of a block, more or less.
const BLOCK: u64 = 1 << 10;

/// The packed bytes of a block.
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

/// Blocks by their index entries. The key is everything that the bytes were checked against: by its offset alone a
/// block could be taken for another one.
pub struct PackedBlocks(Cache<Packed, Arc<[u8]>, Weight>);

/// What is kept weighs as much as it has bytes.
#[derive(Clone)]
pub struct Weight;

impl<K> Weighter<K, Arc<[u8]>> for Weight {
    fn weight(&self, _: &K, bytes: &Arc<[u8]>) -> u64 {
        bytes.len() as u64
    }
}

impl PackedBlocks {
    /// None so far.
    pub fn new() -> PackedBlocks {
        PackedBlocks(Cache::with_weighter((ROOM / BLOCK) as usize, ROOM, Weight))
    }

    /// The block of this index entry. Calls `read`, which reads and checks it, if it is not kept.
    pub fn get<E>(&self, packed: Packed, read: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Arc<[u8]>, E> {
        self.0.get_or_insert_with(&packed, || read().map(Arc::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_differ_in_anything_are_kept_apart() {
        let block = Packed { offset: 136, length: 2, plain: 9, hash: 5 };
        let others = [
            block,
            Packed { offset: 137, ..block },
            Packed { length: 3, ..block },
            Packed { plain: 8, ..block },
            Packed { hash: 6, ..block },
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
