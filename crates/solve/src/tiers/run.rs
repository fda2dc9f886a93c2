//! The whole run over dense tiers, and what it needs.

use std::path::Path;

use super::{Row, Tiered};
#[cfg(feature = "write")]
use super::{enumerate, solve};
#[cfg(feature = "write")]
use crate::two_steps;
use crate::{Result, SolveOptions};

/// Bytes of memory a run cannot do without: in the audit, which takes most, two sheets of the largest tier, its
/// positions and marks, which are less than one more, and what is packed.
pub fn needs<G: Tiered>(game: &G) -> Option<u64> {
    game.largest_tier()?.checked_mul(size_of::<Row>() as u64).map(|sheet| 3 * sheet + (64 << 20))
}

/// Enumerates, solves and packs the game into `path`; the audit is separate.
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

/// What the cache may hold once the sheets in work have their room.
fn cache_budget<G: Tiered>(game: &G, memory: u64) -> u64 {
    memory.saturating_sub(needs(game).unwrap_or(0))
}
