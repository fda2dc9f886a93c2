//! Whole runs over dense tiers, and the memory that they need.

use std::path::Path;

use super::{Row, Tiered};
#[cfg(feature = "write")]
use super::{enumerate, solve};
#[cfg(feature = "write")]
use crate::two_steps;
use crate::{Result, SolveOptions};

/// The least memory for a run, in bytes. The audit needs most: two sheets of the largest tier; the tier's positions and
/// marks, which take less than one more sheet; and compressed data.
pub fn memory_for<G: Tiered>(game: &G) -> Option<u64> {
    game.largest_tier()?.checked_mul(size_of::<Row>() as u64).map(|sheet| 3 * sheet + (64 << 20))
}

/// Enumerates and solves the game, and writes the table to `path`. Does not audit it.
#[cfg(feature = "write")]
pub fn analyze<G: Tiered>(game: &G, path: &Path, options: &SolveOptions) -> Result<()> {
    let (graph, sheets, progress) = (game.tier_graph(), cache_budget(game, options.memory), options.progress);
    two_steps::analyze(
        game,
        path,
        options,
        |reach| enumerate::enumerate(game, &graph, reach, sheets, progress),
        |reach, store| solve::solve(game, &graph, reach, store, sheets, progress),
    )
}

/// The number of bytes that the cache may hold in addition to the sheets that are being worked on.
fn cache_budget<G: Tiered>(game: &G, memory: u64) -> u64 {
    memory.saturating_sub(memory_for(game).unwrap_or(0))
}
