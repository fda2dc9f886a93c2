//! Subgames: one position and all positions that can follow it, solved in memory.

use crate::adapter::Adapter;
use crate::levels::{self, Levels};
use crate::{Result, SolveError, Solved, TooLarge};
use yomikiri_table::Progress;

/// Solves a position and all positions that can follow it. Returns [`SolveError::TooLarge`] if that takes more than
/// `memory` bytes.
pub fn solve<G: Adapter>(game: &G, position: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Solved> {
    let found = enumerate(game, position, memory, progress)?;
    let values = levels::solve(game, &found, progress);
    Ok(Solved { levels: found.levels.into_iter().zip(values).collect() })
}

/// Enumerates a subgame. If a little memory is not enough, makes an estimate before it uses more.
fn enumerate<G: Adapter>(game: &G, position: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Levels> {
    /// The memory, in bytes, for an enumeration that takes less time than an estimate.
    const LITTLE: u64 = 16 << 20;
    match levels::enumerate(game, position, memory.min(LITTLE), progress) {
        Err(SolveError::TooLarge(_)) if memory > LITTLE => {
            refuse_hopeless(game, position, memory)?;
            levels::enumerate(game, position, memory, progress)
        }
        done => done,
    }
}

/// Does nothing. Builds without `write` make no estimates: they enumerate until the memory is used up.
#[cfg(not(feature = "write"))]
fn refuse_hopeless<G: Adapter>(_: &G, _: &G::Position, _memory: u64) -> Result<()> {
    Ok(())
}

/// Returns an error if, by an estimate, the subgame would take far more than `memory` bytes.
#[cfg(feature = "write")]
fn refuse_hopeless<G: Adapter>(game: &G, position: &G::Position, memory: u64) -> Result<()> {
    use crate::estimate::Limits;

    /// Estimates for late positions can be too high by about this factor.
    const DOUBT: f64 = 30.0;
    let estimate = game.estimate_from(position, Limits::ROUGH);
    if levels::memory_for(estimate.by_ply.iter().copied()) < DOUBT * memory as f64 {
        return Ok(());
    }
    Err(TooLarge::Subgame { position: game.position_text(position), positions: estimate.total() }.into())
}
