//! The parts of a solver that a game can implement itself.

use std::path::Path;

use crate::estimate::{self, Estimate, Limits};
use crate::{Costs, Decide, Search, Strategy, levels};
use yomikiri_rules::{Game, Side};
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

/// The parts of a solver that a game can implement itself: costs, estimates, searches, provers and certificates.
/// Everything has a default. A plain acyclic game overrides nothing.
pub trait Adapter: Game {
    /// Measured costs of a whole run, per undecided position. The default was measured with levels of sorted keys.
    const COSTS: Costs = levels::COSTS;

    /// True if [`Adapter::decider`] returns a prover.
    const HAS_PROOFS: bool = false;

    /// The side to move in all positions of a ply; `None` if the ply does not determine it, as in cyclic games.
    fn side_at(&self, ply: u32) -> Option<Side> {
        Some(Side::at_ply(ply))
    }

    /// Estimates the number of undecided positions that can arise from `root` in an acyclic game. The default samples
    /// positions by their keys ([`estimate::positions_by_keys`]). [`estimate::positions`] is more accurate for a game
    /// that implements [`estimate::Capacity`].
    fn estimate_from(&self, root: &Self::Position) -> Estimate {
        estimate::positions_by_keys(self, root, Limits::default())
    }

    /// Returns a search for the values of single positions that uses at most `memory` bytes; `None` if the game has
    /// none.
    fn searcher(&self, _memory: u64) -> Option<Box<dyn Search<Self>>> {
        None
    }

    /// Returns a prover for single positions that uses at most `memory` bytes and `threads` threads. With 0 threads, it
    /// works on the thread that calls it. `None` if the game has no prover ([`Adapter::HAS_PROOFS`]). A game has a
    /// prover only if the winner tells everything about a value except the number of plies.
    fn decider(&self, _memory: u64, _threads: usize) -> Option<Box<dyn Decide<Self>>> {
        None
    }

    /// Opens the certificate in `source`. Error messages name it `path`. The default, for games without certificates,
    /// returns an error.
    fn strategy(&self, _source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        Err(TableError::foreign(path, format!("{} has no certificates", self.code())))
    }

    /// The error message for a variant that has no tables, because its positions have no keys.
    fn why_no_tables(&self) -> String {
        format!("{}: this board has no tables: its positions do not fit 64-bit keys", self.code())
    }
}
