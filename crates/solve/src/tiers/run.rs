//! Whole runs over dense tiers.

use std::path::Path;

use super::memory::memory_for;
use super::{Tiered, enumerate, solve};
use crate::{Result, SolveOptions, two_steps};

/// Enumerates and solves the game, and writes the table to `path`. Does not audit it.
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

/// Returns the budget of the cache, in bytes: the memory that a run does not need for the tiers that it works on.
fn cache_budget<G: Tiered>(game: &G, memory: u64) -> u64 {
    memory.saturating_sub(memory_for(game).unwrap_or(0))
}
