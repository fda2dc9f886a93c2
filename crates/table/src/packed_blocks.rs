//! Packed blocks of a file that look-ups one by one have read and checked, kept as long as there is room: the system
//! call that reads a block again is a fifth of a look-up (docs/perf/files.md).

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

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

/// Blocks by the place where they begin in the file.
pub struct PackedBlocks(Cache<u64, Arc<[u8]>, Weight>);

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

    /// The block that begins at `offset`; `read` reads and checks it if it is not there.
    pub fn get<E>(&self, offset: u64, read: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Arc<[u8]>, E> {
        self.0.get_or_insert_with(&offset, || read().map(Arc::from))
    }
}
