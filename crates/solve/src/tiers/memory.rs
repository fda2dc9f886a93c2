//! The memory that runs over dense tiers need.

use super::{Row, Tiered};

/// Bytes of memory for the program itself, the graph of tiers and packed data. Caches must not use them.
pub const ROOM: u64 = 40 << 20;

/// Returns the least memory for a run, in bytes; `None` if the largest tier has too many rows for this kernel
/// ([`Tiered::largest_tier`]). The audit needs most: two sheets of the largest tier; the tier's positions and marks,
/// which take less than one more sheet; and [`ROOM`].
pub fn memory_for<G: Tiered>(game: &G) -> Option<u64> {
    game.largest_tier()?.checked_mul(size_of::<Row>() as u64).map(|sheet| 3 * sheet + ROOM)
}
