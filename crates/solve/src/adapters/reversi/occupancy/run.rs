//! The whole run over all occupancies of a board.

use std::path::Path;

use super::capacity::memory_needed;
use super::occupancies::Occupancies;
use super::{enumerate, solve};
use crate::{Result, SolveOptions, TooLarge, two_steps};
use yomikiri_rules::Game;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_table::Store;

/// The Zstandard level of the enumeration file, which is read once.
const REACH_LEVEL: i32 = 1;

/// Enumerates, solves and packs the game into `path`. The audit is separate.
pub fn analyze(game: &Reversi, path: &Path, options: &SolveOptions) -> Result<()> {
    let needed = memory_needed(game);
    if needed > options.memory {
        return Err(TooLarge::Run { code: game.code(), needed }.into());
    }
    let occupancies = Occupancies::new(game.rules);
    let enumerate = |reach: &mut Store| {
        reach.set_level(REACH_LEVEL);
        enumerate::enumerate(game, &occupancies, reach, options.progress)
    };
    two_steps::analyze(game, path, options, enumerate, |reach, store| {
        solve::solve(game.rules, &occupancies, reach, store, options.progress)
    })
}
