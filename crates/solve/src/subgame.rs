//! What lies below one position, solved in memory for a question.

use crate::adapter::Adapter;
use crate::levels::{self, Levels};
use crate::{Result, SolveError, Solved};
use yomikiri_table::Progress;

/// Values of everything below a position by sorted keys, if that takes no more than `memory` bytes.
pub fn solve<G: Adapter>(game: &G, position: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Solved> {
    let found = enumerate(game, position, memory, progress)?;
    let values = levels::solve(game, &found, progress);
    Ok(Solved { levels: found.levels.into_iter().zip(values).collect() })
}

/// Enumerates what lies below a position. If it is not little, the estimate is asked before more memory is taken.
fn enumerate<G: Adapter>(game: &G, position: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Levels> {
    /// Memory of a search that is over before an estimate would be.
    const LITTLE: u64 = 16 << 20;
    match levels::enumerate(game, position, memory.min(LITTLE), progress) {
        Err(SolveError::TooLarge(_)) if memory > LITTLE => {
            refuse_hopeless(game, position, memory)?;
            levels::enumerate(game, position, memory, progress)
        }
        done => done,
    }
}

/// Builds that make no tables have no estimate: there a search takes what memory it may.
#[cfg(not(feature = "write"))]
fn refuse_hopeless<G: Adapter>(_: &G, _: &G::Position, _memory: u64) -> Result<()> {
    Ok(())
}

/// Refuses a search that would take far more memory than it may have, without starting it.
#[cfg(feature = "write")]
fn refuse_hopeless<G: Adapter>(game: &G, position: &G::Position, memory: u64) -> Result<()> {
    /// Estimates below late positions can be too high by some such factor.
    const DOUBT: f64 = 30.0;
    let about = game.estimate_from(position).total();
    if about < DOUBT * memory as f64 / levels::memory_for(1) as f64 {
        return Ok(());
    }
    let text = game.position_text(position);
    Err(SolveError::TooLarge(format!(
        "no table has {text}, and about {about:.1e} positions lie below it: too many to search; ask about a later one"
    )))
}
