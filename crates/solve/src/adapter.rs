//! The parts of a solver that a game can implement itself.

use crate::estimate::{self, Estimate, Limits};
use crate::{Costs, levels};
use yomikiri_rules::{Notation, Side};

/// The parts of a solver that a game can implement itself, such as costs and estimates, which say how large a run will
/// be. Every method has a default, which suits a plain acyclic game.
///
/// ```
/// use yomikiri_rules::{AnyGame, Game, Side};
/// use yomikiri_solve::Adapter;
/// use yomikiri_solve::estimate::Limits;
///
/// let game = AnyGame::parse("bin3x3")?;
/// assert!(game.estimate_from(&game.start(), Limits::default()).total() > 1e3 && game.costs().rate > 0.0);
/// assert_eq!(game.side_at(1), Some(Side::White));
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
pub trait Adapter: Notation {
    /// Returns the measured costs of a whole run: bytes of files per undecided position (one in which the game is not
    /// over), and undecided positions per second. The default was measured with the kernel `levels`.
    fn costs(&self) -> Costs {
        levels::COSTS
    }

    /// Returns the side to move in all positions of a ply; `None` if the ply does not determine the side, as in cyclic
    /// games.
    fn side_at(&self, ply: u32) -> Option<Side> {
        Some(Side::at_ply(ply))
    }

    /// Estimates the number of positions that can arise from `root` in an acyclic game, without those in which the game
    /// is over. `limits` bound the work. The default samples positions by their keys ([`estimate::positions_by_keys`]).
    /// [`estimate::positions`] is more accurate for a game that implements [`estimate::Capacity`].
    fn estimate_from(&self, root: &Self::Position, limits: Limits) -> Estimate {
        estimate::positions_by_keys(self, root, limits)
    }

    /// Returns the error message for a variant that has no tables, because its positions have no keys.
    fn why_no_tables(&self) -> String {
        format!("{}: this board has no tables, because its positions do not fit 64-bit keys", self.code())
    }
}
