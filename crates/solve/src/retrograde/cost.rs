//! The number of positions of a run, and the memory that it needs.

use super::solve::Analysis;
use super::{Complete, Cyclic, DenseKey};
use crate::estimate::Estimate;
use crate::space::{RankedSet, SharedSet};
use crate::sparse;
use yomikiri_table::{IndexKind, Table};

/// The maximum number of undecided positions of a whole game that is solved by sorted keys. Larger games are solved by
/// dense keys.
pub const SORTED_KEYS: u64 = 1 << 19;

/// Bytes of memory until a run has found out that a game has more than [`SORTED_KEYS`] positions.
const TRIAL: u64 = 100 << 20;

/// Bytes of memory for the program itself and for the buffers of threads.
pub const ROOM: u64 = 40 << 20;

/// Like [`ROOM`], for work with small buffers: the audit, and runs over all positions.
const LITTLE_ROOM: u64 = 28 << 20;

/// Returns the least memory for solving, in bytes. With only this much memory, a run writes values to a file as it
/// finds them. The audit may need more, which is known once the positions are counted.
pub fn memory_for<G: Cyclic>(game: &G) -> u64 {
    let (open, keys) = (game.open_keys().into(), game.keys().into());
    let reaching = 2 * SharedSet::memory(open) + SharedSet::memory(keys);
    // The steps run one after the other, so the largest need counts.
    TRIAL.max(reaching).max(Analysis::memory_logged(open)) + ROOM
}

/// Returns the least memory for the audit of a table, in bytes.
pub fn memory_of_audit<G: Cyclic>(game: &G, table: &Table) -> u64 {
    let positions = table.header.positions.get().min(game.open_keys().into());
    match table.header.index_kind {
        IndexKind::SortedKeys => least(game, sorted(positions)),
        _ => memory_of_rows_audit(game, positions),
    }
}

/// Returns the memory for the audit of a table of all positions, in bytes: a byte per key, and the visited keys.
pub fn memory_of_audit_of_all<G: Complete>(game: &G) -> u64 {
    let open = game.open_keys().into();
    open + SharedSet::memory(open) + LITTLE_ROOM
}

/// Returns the least memory for the audit of a table that leaves out an outcome and has `positions` positions, in
/// bytes.
pub fn memory_of_rows_audit<G: Cyclic>(game: &G, positions: u64) -> u64 {
    let dense = memory_of_dense_audit(game);
    memory_of_ranked_audit(game, positions).map_or(dense, |ranked| ranked.min(dense))
}

/// The audit of a table of cyclic games: how it keeps the table in memory, and how often it makes all moves.
pub struct AuditPlan {
    /// True if the bytes of positions are kept by [`read_ranked`](super::read_ranked), which needs less memory but more
    /// time than a byte per key.
    pub is_ranked: bool,
    /// The number of passes in which the positions in which the game is over are counted. Each pass but the first makes
    /// all moves again.
    pub passes: u64,
}

/// The maximum number of passes of an audit.
const MAX_PASSES: u64 = 4;

impl AuditPlan {
    /// Plans the audit of a table that leaves out an outcome and has `positions` positions, so that it takes at most
    /// `memory` bytes if it can. It also takes the smaller method if that needs only a third of the memory, because few
    /// keys have a position.
    pub fn of_rows<G: Cyclic>(game: &G, positions: u64, memory: u64) -> AuditPlan {
        let (open, ended) = (game.open_keys().into(), SharedSet::memory(game.keys().into()));
        let positions = positions.min(open);
        let (dense, small) = (memory_of_dense_audit(game), ranked(game, positions));
        let helps = memory_of_ranked_audit(game, positions).is_some_and(|least| least < dense);
        let is_ranked = helps && (memory < dense || 3 * (small + ended) < dense);
        AuditPlan { is_ranked, passes: if is_ranked { passes(game, small, memory) } else { 1 } }
    }

    /// Plans the audit of a table of `positions` sorted keys, so that it takes at most `memory` bytes if it can.
    pub fn of_sorted_keys<G: Cyclic>(game: &G, positions: u64, memory: u64) -> AuditPlan {
        let positions = positions.min(game.open_keys().into());
        AuditPlan { is_ranked: false, passes: passes(game, sorted(positions), memory) }
    }
}

/// Returns the number of passes of an audit that takes `rest` bytes beside the set of ended positions.
fn passes<G: Cyclic>(game: &G, rest: u64, memory: u64) -> u64 {
    let room = memory.saturating_sub(rest).max(1);
    SharedSet::memory(game.keys().into()).div_ceil(room).clamp(1, MAX_PASSES)
}

/// Bytes of memory of an audit in as many passes as there may be. It takes `rest` bytes beside the ended positions.
fn least<G: Cyclic>(game: &G, rest: u64) -> u64 {
    rest + SharedSet::memory(game.keys().into()) / MAX_PASSES
}

/// Bytes of memory of the fastest audit: a byte per key, the visited positions and those to be checked, and the
/// positions in which the game is over.
fn memory_of_dense_audit<G: Cyclic>(game: &G) -> u64 {
    let (open, keys) = (game.open_keys().into(), game.keys().into());
    open + 2 * SharedSet::memory(open) + SharedSet::memory(keys) + LITTLE_ROOM
}

/// Bytes of memory of the audit with a byte per position, in as many passes as there may be. `None` if the game has too
/// many keys for it.
fn memory_of_ranked_audit<G: Cyclic>(game: &G, positions: u64) -> Option<u64> {
    (game.open_keys().into() <= RankedSet::MAX_LEN).then(|| least(game, ranked(game, positions)))
}

/// Bytes of memory of an audit with a byte per position instead, beside the ended positions.
fn ranked<G: Cyclic>(game: &G, positions: u64) -> u64 {
    RankedSet::memory(game.open_keys().into()) + positions + 2 * SharedSet::memory(positions) + LITTLE_ROOM
}

/// Bytes of memory of the audit of sorted keys, beside the ended positions. The values are copied once, and the keys
/// have an index of half a byte each.
fn sorted(positions: u64) -> u64 {
    21 * positions / 2 + 2 * SharedSet::memory(positions) + LITTLE_ROOM
}

/// Bytes of memory that a run over all positions needs.
pub fn memory_for_all<G: Complete>(game: &G) -> u64 {
    Analysis::memory_for_all(game.open_keys().into()) + LITTLE_ROOM
}

/// Estimates the number of undecided positions, and the memory of a run with its audit. If a run would solve the game
/// by sorted keys, counts the positions. Otherwise the estimate is the number of keys that pass [`Cyclic::may_arise`],
/// extrapolated from a sample: an upper bound.
pub fn estimate<G: Cyclic>(game: &G) -> Estimate {
    /// The approximate number of keys in the sample.
    const SAMPLE: u64 = 1 << 20;
    let limits = sparse::Limits { positions: SORTED_KEYS, memory: u64::MAX };
    if let Ok(few) = sparse::count(game, &game.start(), limits) {
        let memory = (few.memory + ROOM).max(least(game, sorted(few.positions)));
        return Estimate { by_ply: vec![few.positions as f64], exact_plies: 1, memory: Some(memory) };
    }
    let positions = arising(game, SAMPLE);
    let memory = memory_for(game).max(memory_of_rows_audit(game, positions as u64));
    Estimate { by_ply: vec![positions], exact_plies: 0, memory: Some(memory) }
}

/// Returns the number of keys that pass [`Cyclic::may_arise`], extrapolated from about `sample` keys.
fn arising<G: Cyclic>(game: &G, sample: u64) -> f64 {
    let (mut block, open) = (G::Block::default(), game.open_keys().into());
    let step = (open / sample).max(1) | 1;
    let keys = || (0..open).step_by(step as usize).map(G::Key::of);
    let may = keys().filter(|&key| game.may_arise(key, &game.board(key, &mut block))).count();
    may as f64 / keys().count().max(1) as f64 * open as f64
}

/// Returns the number of undecided and ended positions in a game that is solved for all positions. Every key has a
/// position.
pub fn estimate_of_all<G: Complete>(game: &G) -> Estimate {
    let keys: u64 = game.keys().into();
    Estimate { by_ply: vec![keys as f64], exact_plies: 1, memory: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::animal_shogi::AnimalShogi;
    use yomikiri_rules::games::pyonpyon::Pyonpyon;

    #[test]
    fn the_audit_takes_the_method_that_fits_the_memory() {
        let game = AnimalShogi::parse("val1n").unwrap();
        // Of its undecided positions, with memory in MiB (docs/perf/animal-shogi.md).
        let plan = |memory: u64| AuditPlan::of_rows(&game, 99_485_568, memory << 20);
        let plans = [8192, 300, 240, 1].map(|memory| (plan(memory).is_ranked, plan(memory).passes));
        assert_eq!(plans, [(false, 1), (true, 1), (true, 2), (true, 4)]);
        // If hardly any key has a position, a byte per key takes far more.
        let thin = AnimalShogi::parse("8bs1g").unwrap();
        assert!(AuditPlan::of_rows(&thin, 2_399_548, 1 << 40).is_ranked);
        // If every key has one, it takes less.
        let crowded = Pyonpyon::parse("pyon3x4").unwrap();
        assert!(!AuditPlan::of_rows(&crowded, crowded.open_keys().into(), 1).is_ranked);
    }
}
