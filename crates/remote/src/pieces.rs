//! A cache for the files at an address, in pieces of fixed size.

use std::sync::Arc;

use quick_cache::sync::Cache;
use yomikiri_table::Weight;

/// Length of a piece in bytes. docs/perf/files.md shows the number of bytes that typical queries read with this length.
pub const PIECE: u64 = 32 << 10;

/// Capacity of the cache for all files of an address, in bytes.
pub const ROOM: u64 = 128 << 20;

/// The cached pieces. A key consists of the index of a file among all files that the manifest names, and the index of a
/// piece in this file.
pub type Pieces = Cache<(usize, u64), Arc<[u8]>, Weight>;

/// Creates an empty cache.
pub fn none() -> Pieces {
    Cache::with_weighter((ROOM / PIECE) as usize, ROOM, Weight)
}
