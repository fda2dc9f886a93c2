//! Makes the reports of games and variants: the list of games, the meaning of a rule code, the cost of solving.

#[cfg(feature = "write")]
use std::path::Path;

use super::json::{CostReport, GameList, GameReport, RulesReport};
use yomikiri_rules::{AnyGame, Family, Game, Presentation};
use yomikiri_solve::{Adapter, Solvable};
#[cfg(feature = "write")]
use yomikiri_table::disk;

impl GameList {
    /// Makes the list of the games of these families.
    pub fn of(families: &[Family]) -> GameList {
        let game = |family: &Family| GameReport {
            codes: family.codes.into(),
            example: family.example.into(),
            game: family.name.into(),
        };
        GameList { games: families.iter().map(game).collect() }
    }
}

impl RulesReport {
    /// Makes the report of a variant.
    pub fn of(game: &AnyGame) -> RulesReport {
        let settings = game.settings().into_iter().map(|(name, value)| (name.into(), value)).collect();
        let formats = game.family().formats.named().map(|(name, formats)| (name.into(), formats.into())).into();
        RulesReport { rules: game.code(), same_game: game.representative_code(), settings, formats }
    }
}

impl CostReport {
    /// Estimates the cost of solving the whole game by sampling positions.
    pub fn of(game: &AnyGame) -> CostReport {
        let estimate = game.estimate();
        let positions = estimate.total();
        CostReport {
            rules: game.code(),
            positions,
            exact_plies: estimate.exact_plies,
            by_ply: if game.is_cyclic() { Vec::new() } else { estimate.by_ply },
            memory: estimate.memory.or_else(|| game.memory_needed()),
            disk: positions * (game.costs().table + game.costs().work),
            table: positions * game.costs().table,
            seconds: positions / game.costs().rate,
        }
    }

    /// Returns the least memory, in bytes, with which a run of the game begins; `None` if no machine has that much. It
    /// is less than [`CostReport::memory`] for small games, because that includes the program itself, and for games
    /// that can repeat. There, only the run finds out how many positions there are, and whether its audit needs more
    /// memory.
    pub fn least_memory(&self, game: &AnyGame) -> Option<u64> {
        Some(self.memory?.min(game.memory_needed()?))
    }

    /// Returns the memory, in bytes, with which a run of the game ends, audit included; `None` if no machine has that
    /// much.
    pub fn sufficient_memory(&self, game: &AnyGame) -> Option<u64> {
        if game.is_cyclic() { self.memory } else { self.least_memory(game) }
    }

    /// Returns true if a run that solves `game` whole begins with `memory` bytes of memory, and if it has enough space
    /// with `free` bytes on disk. If `free` is `None`, the free space is unknown and counts as enough.
    pub fn fits(&self, game: &AnyGame, memory: u64, free: Option<u64>) -> bool {
        let has_memory = self.least_memory(game).is_some_and(|needed| needed <= memory);
        has_memory && free.is_none_or(|free| self.disk <= free as f64)
    }

    /// Estimates the cost of solving a whole game. Returns the estimate if the run would not fit in `memory` bytes or
    /// on the disk of `folder`, and `None` if it fits.
    #[cfg(feature = "write")]
    pub fn too_large(game: &AnyGame, folder: &Path, memory: u64) -> Option<CostReport> {
        /// A run that needs at most this number of bytes of memory fits on any machine.
        const SURELY_FITS: u64 = 256 << 20;
        if game.memory_needed().is_some_and(|needed| needed <= SURELY_FITS.min(memory)) {
            return None;
        }
        Some(CostReport::of(game)).filter(|cost| !cost.fits(game, memory, disk::free_space(folder)))
    }
}
