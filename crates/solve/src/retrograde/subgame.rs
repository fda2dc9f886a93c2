//! Subgames in memory.

use super::Cyclic;
use super::cost::SORTED_KEYS;
use crate::{Result, SolveError, Solved, TooLarge, sparse};
use yomikiri_table::Progress;

/// Solves a position and all positions that can follow it, in memory. Returns [`SolveError::TooLarge`] for most
/// positions: most of the game can follow them, so only a table can give their values.
pub fn solve_subgame<G: Cyclic>(
    game: &G,
    position: &G::Position,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Solved> {
    /// Bytes of memory for each position, more than solving needs, so that a question with little memory ends soon.
    const EACH: u64 = 200;
    let limits = sparse::Limits { positions: SORTED_KEYS.min(memory / EACH), memory };
    match sparse::solve(game, position, limits, progress) {
        Ok((solved, _)) => Ok(solved),
        Err(SolveError::TooLarge(source)) => {
            let (position, code) = (game.position_text(position), game.code());
            let most = (limits.positions == SORTED_KEYS).then_some(SORTED_KEYS);
            Err(TooLarge::NoTable { position, code, most, source: source.into() }.into())
        }
        Err(error) => Err(error),
    }
}
