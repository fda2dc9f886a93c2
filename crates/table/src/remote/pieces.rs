//! What was read of files at an address, kept in memory as long as there is room.

use std::sync::Arc;

use quick_cache::sync::Cache;

use crate::packed_blocks::Weight;

/// Bytes of a piece. docs/perf/files.md has what questions read with it.
pub const PIECE: u64 = 32 << 10;

/// Bytes that are kept of all files of an address.
pub const ROOM: u64 = 128 << 20;

/// What was read: pieces by the number of their file among those of the manifest, and theirs in the file.
pub type Pieces = Cache<(usize, u64), Arc<[u8]>, Weight>;

/// Nothing so far.
pub fn none() -> Pieces {
    Cache::with_weighter((ROOM / PIECE) as usize, ROOM, Weight)
}
