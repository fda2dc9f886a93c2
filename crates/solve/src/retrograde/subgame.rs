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
    match sparse::solve(game, position, sparse::Limits { positions: SORTED_KEYS, memory }, progress) {
        Ok((solved, _)) => Ok(solved),
        // With more memory, the subgame might be solved without a table.
        Err(error @ SolveError::TooLarge(TooLarge::SortedKeys(found))) if found as u64 <= SORTED_KEYS => Err(error),
        Err(SolveError::TooLarge(source)) => {
            let (position, code) = (game.position_text(position), game.code());
            Err(TooLarge::NoTable { position, code, source: source.into() }.into())
        }
        Err(error) => Err(error),
    }
}
