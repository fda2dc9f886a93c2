//! The whole run over dense tiers, and what it needs.

use std::path::Path;

use super::{Row, Tiered};
#[cfg(feature = "write")]
use super::{enumerate, solve};
use crate::{SolveError, SolveOptions};
use yomikiri_rules::value::Value;
#[cfg(feature = "write")]
use yomikiri_table::{Identity, Store, remove_work};
use yomikiri_table::{IndexKind, Meta, Tally};

/// Bytes of memory a run cannot do without: two sheets of the largest tier and what the moves share.
pub fn needs<G: Tiered>(game: &G) -> Option<u64> {
    game.largest_tier()?.checked_mul(size_of::<Row>() as u64).map(|sheet| 5 * sheet / 2 + (64 << 20))
}

/// Enumerates, solves and packs the game into `path`; the audit is separate.
#[cfg(feature = "write")]
pub fn analyze<G: Tiered>(game: &G, path: &Path, options: &SolveOptions) -> Result<(), SolveError> {
    let graph = game.tier_graph();
    let base = path.with_extension("");
    let identity = |purpose: &str| Identity::of(game, purpose);
    let sheets = cache_budget(game, options.memory);
    let reach_base = base.with_added_extension("reach");
    let mut reach = Store::open(&reach_base, &identity("reach"), options.force)?;
    enumerate::enumerate(game, &graph, &mut reach, sheets, options.progress)?;
    let mut store = Store::open(&base, &identity("values"), options.force)?;
    solve::solve(game, &graph, &reach, &mut store, sheets, options.progress)?;
    let mut tally = Tally::default();
    store.entries.iter().for_each(|entry| tally.merge(&entry.tally));
    let start = game.start();
    let meta = Meta { root: game.position_text(&start), root_key: game.key(&start), tally, ended: Default::default() };
    store.finish(path, IndexKind::Tiers, G::Value::CODEC as u8, &identity("values"), &meta)?;
    Ok(remove_work(&reach_base)?)
}

/// What the cache may hold once the sheets in work have their room.
fn cache_budget<G: Tiered>(game: &G, memory: u64) -> u64 {
    memory.saturating_sub(needs(game).unwrap_or(0))
}
