//! The parts of a solver that a game can implement itself.

use std::path::Path;

use crate::estimate::{self, Estimate, Limits};
use crate::{Costs, Decide, Search, Strategy, levels};
use yomikiri_rules::{Game, Side};
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

/// The parts of a solver that a game can implement itself: costs, estimates, searches, provers and certificates.
/// Everything has a default. A plain acyclic game overrides nothing.
///
/// **Estimates and costs** say how large a run will be:
///
/// ```
/// use yomikiri_rules::{AnyGame, Game, Side};
/// use yomikiri_solve::Adapter;
///
/// let game = AnyGame::parse("bin3x3")?;
/// assert!(game.estimate_from(&game.start()).total() > 1e3 && game.costs().rate > 0.0);
/// assert_eq!(game.side_at(1), Some(Side::White));
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
///
/// **Searches and provers** answer for single positions, where the game has them:
///
/// ```
/// use yomikiri_rules::{AnyGame, Game, Outcome, Side, Value};
/// use yomikiri_solve::Adapter;
/// use yomikiri_table::Silent;
///
/// let connect_four = AnyGame::parse("con4x4")?;
/// let search = connect_four.searcher(16 << 20).expect("Connect Four has a search");
/// assert_eq!(search.solve(&connect_four.start(), &Silent).value.outcome(), Outcome::Draw);
///
/// let binarsi = AnyGame::parse("bin3x3")?;
/// let mut prover = binarsi.decider(16 << 20, 0).expect("Binarsi has a prover");
/// assert_eq!(prover.winner(&binarsi.start(), &mut || true)?, Some(Side::White));
/// assert!(binarsi.has_proofs() && !connect_four.has_proofs());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Adapter: Game {
    /// Measured costs of a whole run, per undecided position. The default was measured with levels of sorted keys.
    fn costs(&self) -> Costs {
        levels::COSTS
    }

    /// True if [`Adapter::decider`] returns a prover.
    fn has_proofs(&self) -> bool {
        false
    }

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
    /// works on the thread that calls it. `None` if the game has no prover ([`Adapter::has_proofs`]). A game has a
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
