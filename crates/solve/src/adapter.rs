//! What a game adds to the kernel that solves it.

use std::path::Path;

use crate::estimate::{self, Estimate, Limits};
use crate::{Costs, Search, Strategy, levels};
use yomikiri_rules::{Game, Side};
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

/// What a game adds to the kernel that solves it. A plain acyclic game adds nothing.
pub trait Adapter: Game {
    /// What a whole run takes per undecided position. The default was measured with levels of sorted keys.
    const COSTS: Costs = levels::COSTS;

    /// Whose wins a result calls whose: who is to move at a ply. `None` where positions are the same for both sides, as
    /// they are in cyclic games.
    fn side_at(&self, ply: u32) -> Option<Side> {
        Some(Side::at_ply(ply))
    }

    /// How many undecided positions can arise from `root` in an acyclic game. The default samples positions that have
    /// keys ([`estimate::positions_by_keys`]); [`estimate::positions`] does better where a game knows its room
    /// ([`estimate::Capacity`]).
    fn estimate_from(&self, root: &Self::Position) -> Estimate {
        estimate::positions_by_keys(self, root, Limits::default())
    }

    /// A search for the values of single positions that keeps at most `memory` bytes; `None` if the game has none.
    fn searcher(&self, _memory: u64) -> Option<Box<dyn Search<Self>>> {
        None
    }

    /// Opens a certificate of this game; `path` is what errors call it.
    fn strategy(&self, _source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        Err(TableError::foreign(path, format!("there are no certificates of {}", self.code())))
    }

    /// Why a variant without keys has no tables.
    fn why_no_tables(&self) -> String {
        format!("{}: positions of this board do not fit a key, so it has no tables", self.code())
    }
}
