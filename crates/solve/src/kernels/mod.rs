//! Implements [`Solvable`] for every game of the registry, with the kernel that the game's line in the registry names.
//!
//! | kernel | type | a game implements | whole game | subgames |
//! |---|---|---|---|---|
//! | `levels` | [`Levels`] | nothing | levels of sorted keys | levels |
//! | `adapted_levels` | [`Levels`] | [`Adapter`] | levels of sorted keys | levels |
//! | `tiers` | [`Tiers`] | [`Adapter`], [`tiers::Tiered`] | dense tiers | levels |
//! | `occupancy` | [`Occupancy`] | for reversi only | occupancies where they fit, else levels | levels |
//! | `retrograde` | [`Retrograde`] | [`Adapter`], [`retrograde::Cyclic`] | reachable: dense keys, or sorted ones if few | sorted keys |
//! | `retrograde_of_all` | [`RetrogradeOfAll`] | [`Adapter`], [`retrograde::Complete`] | all positions, dense keys | sorted keys |
//!
//! `kernel` defines the trait [`Kernel`], and `runs` implements it for these types.

mod kernel;
mod runs;

use std::ops::Range;
use std::path::Path;

use crate::adapter::Adapter;
use crate::estimate::Estimate;
use crate::move_counts::CountMoves;
use crate::{Resident, Result, Solvable, SolveOptions, Solved, Wins, audit};
use yomikiri_rules::CodedValue;
use yomikiri_table::entries::{Entries, EntryReader};
#[cfg(feature = "write")]
use yomikiri_table::recode::Packing;
use yomikiri_table::{Progress, Table, TableError};

#[cfg(doc)]
use crate::{retrograde, tiers};
pub use kernel::Kernel;

/// Solves games without repetition ply by ply, with sorted keys ([`crate::levels`]).
pub struct Levels;
/// Solves whole boards in dense tiers ([`crate::tiers`]), and subgames in levels.
pub struct Tiers;
/// Solves small whole boards of reversi by the set of occupied squares, and larger boards and subgames in levels.
pub struct Occupancy;
/// Solves games with repetition by retrograde analysis of the positions that can arise ([`crate::retrograde`]).
pub struct Retrograde;
/// Solves all positions of a game with repetition, whether they can arise or not.
pub struct RetrogradeOfAll;

/// A game of the registry, with its kernel.
pub trait SolvedBy: Adapter<Value: CodedValue> {
    /// The kernel that solves the game.
    type Kernel: Kernel<Self>;
}

impl<G: SolvedBy> Solvable for G {
    fn is_cyclic(&self) -> bool {
        G::Kernel::IS_CYCLIC
    }

    fn memory_needed(&self) -> Option<u64> {
        G::Kernel::memory_needed(self)
    }

    fn estimate(&self) -> Estimate {
        G::Kernel::estimate(self)
    }

    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&G::Position>, path: &Path, options: &SolveOptions) -> Result<()> {
        G::Kernel::solve(self, root, path, options)
    }

    #[cfg(feature = "write")]
    fn audit(&self, root: Option<&G::Position>, table: &Table, options: &SolveOptions) -> Result<()> {
        audit::check_root(self, root, table)?;
        G::Kernel::audit(self, root, table, options)
    }

    #[cfg(feature = "write")]
    fn audit_memory(&self, root: Option<&G::Position>, table: &Table) -> Result<u64> {
        G::Kernel::audit_memory(self, root, table)
    }

    #[cfg(feature = "write")]
    fn pack(&self, path: &Path, progress: &dyn Progress) -> Result<Packing> {
        G::Kernel::pack(self, path, progress)
    }

    fn probe(&self, table: &Table, position: &G::Position) -> Result<Option<G::Value>, TableError> {
        G::Kernel::probe(self, table, position)
    }

    fn probe_all(&self, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError> {
        G::Kernel::probe_all(self, table, resident, keys)
    }

    fn load(&self, table: &Table, wins: Wins) -> Result<Option<Resident>> {
        G::Kernel::load(self, table, wins)
    }

    fn entries(&self, table: &Table, resident: Option<&Resident>, range: Range<u64>) -> Result<Entries> {
        G::Kernel::entries(self, table, resident, range)
    }

    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
        G::Kernel::audit_sample(self, table, count, progress)
    }

    fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>> {
        G::Kernel::entry_reader(self, table)
    }

    fn move_counter<'a>(&'a self, table: &'a Table, memory: u64) -> Result<Box<dyn CountMoves + 'a>> {
        G::Kernel::move_counter(self, table, memory)
    }

    fn solve_subgame(&self, position: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Solved> {
        G::Kernel::solve_subgame(self, position, memory, progress)
    }
}

/// Connects a game to the kernel with this name in the registry. Every kernel has an arm, even if no game names it
/// today.
#[allow(unused_macro_rules)]
macro_rules! solved_by {
    (levels, $Game:ty) => {
        impl Adapter for $Game {}

        solved_by!(adapted_levels, $Game);
    };
    (adapted_levels, $Game:ty) => {
        solved_by!(@ Levels, $Game);
    };
    (tiers, $Game:ty) => {
        solved_by!(@ Tiers, $Game);
    };
    (occupancy, $Game:ty) => {
        solved_by!(@ Occupancy, $Game);
    };
    (retrograde, $Game:ty) => {
        solved_by!(@ Retrograde, $Game);
    };
    (retrograde_of_all, $Game:ty) => {
        solved_by!(@ RetrogradeOfAll, $Game);
    };
    (@ $Kernel:ident, $Game:ty) => {
        impl SolvedBy for $Game {
            type Kernel = $Kernel;
        }
    };
}

macro_rules! all_solved_by {
    ($($folder:ident $Game:ident $kernel:ident;)*) => {
        $(solved_by!($kernel, yomikiri_rules::games::$folder::$Game);)*
    };
}

yomikiri_rules::games!(all_solved_by);

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::heaps::Heaps;
    use crate::pipeline;
    use yomikiri_rules::Game;
    use yomikiri_search::brute;
    use yomikiri_table::Silent;

    solved_by!(levels, Heaps);

    /// A game that implements nothing but its rules can be solved, probed and audited.
    #[test]
    fn a_plain_game_is_solved_by_levels() {
        let (game, folder) = (Heaps, tempfile::tempdir().unwrap());
        let options = SolveOptions { memory: 1 << 20, force: false, checkpoint: Duration::MAX, progress: &Silent };
        let table = pipeline::analyze(&game, None, folder.path(), &options).unwrap().table;
        let oracle = brute::solve(&game, &game.start());
        assert_eq!((table.header.positions.get(), game.estimate().total()), (oracle.len() as u64, oracle.len() as f64));
        let below = game.solve_subgame(&game.start(), 1 << 20, &Silent).unwrap();
        for (&key, &value) in &oracle {
            assert_eq!(game.probe(&table, &key).unwrap(), Some(value));
            assert_eq!(below.byte(key), Some(yomikiri_rules::Value::to_byte(value)));
        }
        assert_eq!(game.audit_sample(&table, 9, &Silent).unwrap(), 9);
        let mut entries = game.entry_reader(&table).unwrap()(0..u64::MAX).unwrap().keys;
        entries.retain(|key| !oracle.contains_key(key));
        assert!(entries.is_empty());
    }
}
