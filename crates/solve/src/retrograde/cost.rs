//! The number of positions of a run, and the memory that it needs.

use super::solve::Analysis;
use super::{Complete, Cyclic, DenseKey};
use crate::estimate::Estimate;
use crate::space::SharedSet;
use crate::sparse;

/// The memory limit, in bytes, for solving by sorted keys. Whole games that need more are solved by dense keys.
pub const SORTED_KEYS_MEMORY: u64 = 100 << 20;

/// Bytes of memory for the program itself and for the buffers of threads.
pub const ROOM: u64 = 48 << 20;

/// Returns the least memory for a run, in bytes. With only this much memory, a run writes values to a file as it finds
/// them.
pub fn memory_for<G: Cyclic>(game: &G) -> u64 {
    let (open, keys) = (game.open_keys().into(), game.keys().into());
    let reaching = 2 * SharedSet::memory(open) + SharedSet::memory(keys);
    // The steps run one after the other, so the largest need counts.
    SORTED_KEYS_MEMORY.max(reaching).max(Analysis::memory_logged(open)) + ROOM
}

/// Bytes of memory that a run over all positions needs.
pub fn memory_for_all<G: Complete>(game: &G) -> u64 {
    Analysis::memory_for_all(game.open_keys().into()) + ROOM
}

/// Estimates the number of undecided positions. If there are few, counts them. Otherwise the estimate is the number of
/// keys that pass [`Cyclic::may_arise`], extrapolated from a sample.
pub fn estimate<G: Cyclic>(game: &G) -> Estimate {
    /// The memory, in bytes, for counting positions. It is so small that counting takes only a moment.
    const FEW: u64 = 4 << 20;
    /// The approximate number of keys in the sample.
    const SAMPLE: u64 = 1 << 20;
    if let Ok(few) = sparse::count(game, &game.start(), FEW) {
        return Estimate { by_ply: vec![few as f64], exact_plies: 1, memory: Some(SORTED_KEYS_MEMORY) };
    }
    let (mut block, open) = (G::Block::default(), game.open_keys().into());
    let step = (open / SAMPLE).max(1) | 1;
    let keys = || (0..open).step_by(step as usize).map(G::Key::of);
    let may = keys().filter(|&key| game.may_arise(key, &game.board(key, &mut block))).count();
    let share = may as f64 / keys().count().max(1) as f64;
    Estimate { by_ply: vec![share * open as f64], exact_plies: 0, memory: None }
}

/// Returns the number of undecided and ended positions in a game that is solved for all positions. Every key has a
/// position.
pub fn estimate_of_all<G: Complete>(game: &G) -> Estimate {
    let keys: u64 = game.keys().into();
    Estimate { by_ply: vec![keys as f64], exact_plies: 1, memory: None }
}
