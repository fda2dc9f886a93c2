//! Implements [`Solvable`] for every game of the registry, with the kernel that the game's line in the registry names.
//!
//! | kernel | a game implements | whole game | subgames |
//! |---|---|---|---|
//! | `levels` | nothing | levels of sorted keys | levels |
//! | `adapted_levels` | [`Adapter`] | levels of sorted keys | levels |
//! | `tiers` | [`Adapter`], [`tiers::Tiered`] | dense tiers | levels |
//! | `occupancy` | for reversi only | occupancies where they fit, else levels | levels |
//! | `retrograde` | [`Adapter`], [`retrograde::Cyclic`] | reachable: dense keys, or sorted ones if few | sorted keys |
//! | `retrograde_of_all` | [`Adapter`], [`retrograde::Complete`] | all positions, dense keys | sorted keys |

use std::ops::Range;
use std::path::Path;

use crate::adapter::Adapter;
use crate::adapters::reversi;
use crate::estimate::Estimate;
use crate::lookup::LookupCounts;
use crate::move_counts::CountMoves;
use crate::{
    Resident, Result, Solvable, SolveError, SolveOptions, Solved, Wins, audit, levels, retrograde, subgame, tiers,
};
use yomikiri_rules::Game;
use yomikiri_table::entries::{Entries, EntryReader, listed_within};
use yomikiri_table::{IndexKind, Progress, Table, TableError, probe};

/// Returns an error if the positions of the game have no keys.
fn needs_keys<G: Adapter>(game: &G) -> Result<()> {
    if game.has_keys() { Ok(()) } else { Err(SolveError::TooLarge(game.why_no_tables())) }
}

/// Implements [`Solvable`] for a game from the given functions. Adds what all acyclic games, or all cyclic games, have
/// in common.
macro_rules! solvable {
    (
        $Game:ty, $family:ident,
        memory_needed: $memory_needed:expr, estimate: $estimate:expr, solve: $solve:expr, audit: $audit:expr,
        move_counter: $move_counter:expr
    ) => {
        impl Solvable for $Game {
            solvable!($family);

            fn memory_needed(&self) -> Option<u64> {
                let memory_needed: fn(&Self) -> Option<u64> = $memory_needed;
                memory_needed(self)
            }

            fn estimate(&self) -> Estimate {
                let estimate: fn(&Self) -> Estimate = $estimate;
                estimate(self)
            }

            #[cfg(feature = "write")]
            fn solve(&self, root: Option<&Self::Position>, path: &Path, options: &SolveOptions) -> Result<()> {
                type Solve<G> = fn(&G, Option<&<G as Game>::Position>, &Path, &SolveOptions) -> Result<()>;
                let solve: Solve<Self> = $solve;
                solve(self, root, path, options)
            }

            #[cfg(feature = "write")]
            fn audit(&self, root: Option<&Self::Position>, table: &Table, options: &SolveOptions) -> Result<()> {
                type Audit<G> = fn(&G, Option<&<G as Game>::Position>, &Table, &SolveOptions) -> Result<()>;
                let audit: Audit<Self> = $audit;
                audit::check_root(self, root, table)?;
                audit(self, root, table, options)
            }

            fn move_counter<'a>(&'a self, table: &'a Table, memory: u64) -> Result<Box<dyn CountMoves + 'a>> {
                type Make<G> = for<'a> fn(&'a G, &'a Table, u64) -> Result<Box<dyn CountMoves + 'a>>;
                let make: Make<Self> = $move_counter;
                make(self, table, memory)
            }
        }
    };
    (acyclic) => {
        const CYCLIC: bool = false;

        #[cfg(feature = "write")]
        fn pack(&self, path: &Path, _: &dyn Progress) -> Result<bool> {
            Err(TableError::foreign(path, "has no smaller form: it lists all its positions").into())
        }

        fn probe(&self, table: &Table, position: &Self::Position) -> Result<Option<Self::Value>, TableError> {
            if self.has_keys() { probe::probe(table, self.rank(position)) } else { Ok(None) }
        }

        fn probe_all(&self, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError> {
            match resident {
                Some(resident) => Ok(resident.bytes_of(keys)),
                None => Ok(probe::listed(table, keys)?.into_iter().map(Option::unwrap_or_default).collect()),
            }
        }

        fn load(&self, table: &Table, _: Wins) -> Result<Option<Resident>> {
            Resident::of_rows(table)
        }

        fn entries(&self, table: &Table, _: Option<&Resident>, range: Range<u64>) -> Result<Entries> {
            Ok(listed_within(table, range)?)
        }

        fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
            needs_keys(self)?;
            audit::audit_sample(self, table, count, progress)
        }

        fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>> {
            Ok(Box::new(|range| listed_within(table, range)))
        }

        fn solve_subgame(&self, position: &Self::Position, memory: u64, progress: &dyn Progress) -> Result<Solved> {
            needs_keys(self)?;
            subgame::solve(self, position, memory, progress)
        }
    };
    (cyclic) => {
        const CYCLIC: bool = true;

        #[cfg(feature = "write")]
        fn pack(&self, path: &Path, progress: &dyn Progress) -> Result<bool> {
            retrograde::pack(self, path, progress)
        }

        fn probe(&self, table: &Table, position: &Self::Position) -> Result<Option<Self::Value>, TableError> {
            retrograde::value(self, table, position)
        }

        fn probe_all(&self, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError> {
            match resident {
                Some(resident) => retrograde::resident_values(self, table, resident, keys),
                None => retrograde::values(self, table, keys),
            }
        }

        fn load(&self, table: &Table, wins: Wins) -> Result<Option<Resident>> {
            retrograde::load(self, table, wins)
        }

        fn entries(&self, table: &Table, resident: Option<&Resident>, range: Range<u64>) -> Result<Entries> {
            retrograde::entries(self, table, resident, range)
        }

        fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
            audit::audit_retrograde_sample(self, table, count, progress)
        }

        fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>> {
            retrograde::entry_reader(self, table)
        }

        fn solve_subgame(&self, position: &Self::Position, memory: u64, progress: &dyn Progress) -> Result<Solved> {
            retrograde::solve_subgame(self, position, memory, progress)
        }
    };
}

/// Implements [`Solvable`] for a game with the given kernel. Every kernel has an arm, even if no game names it today.
#[allow(unused_macro_rules)]
macro_rules! solvable_by {
    (levels, $Game:ty) => {
        impl Adapter for $Game {}

        impl crate::evaluate::Evaluate for $Game {
            const REPEATS: bool = false;
        }

        impl crate::certificate::CertificateGame for $Game {}

        solvable_by!(adapted_levels, $Game);
    };
    (adapted_levels, $Game:ty) => {
        solvable! {
            $Game, acyclic,
            memory_needed: |game| levels::memory_for_estimate(&game.estimate()),
            estimate: |game| game.estimate_from(&game.start()),
            solve: |game, root, path, options| {
                needs_keys(game)?;
                levels::analyze(game, root.unwrap_or(&game.start()), path, options)
            },
            audit: |game, root, table, options| {
                needs_keys(game)?;
                audit::audit_keys(game, table, root.unwrap_or(&game.start()), options.progress)
            },
            move_counter: |game, table, _| Ok(Box::new(LookupCounts { game, table }))
        }
    };
    (tiers, $Game:ty) => {
        solvable! {
            $Game, acyclic,
            memory_needed: tiers::memory_for,
            estimate: |game| game.estimate_from(&game.start()),
            solve: |game, root, path, options| match root {
                None => tiers::analyze(game, path, options),
                Some(root) => levels::analyze(game, root, path, options),
            },
            audit: |game, root, table, options| match root {
                None => audit::audit_tiers(game, table, options),
                Some(root) => audit::audit_keys(game, table, root, options.progress),
            },
            move_counter: |game, table, memory| match table.header.index_kind {
                IndexKind::Tiers => Ok(Box::new(tiers::TierCounts::new(game, table, memory))),
                _ => Ok(Box::new(LookupCounts { game, table })),
            }
        }
    };
    (occupancy, $Game:ty) => {
        solvable! {
            $Game, acyclic,
            memory_needed: |game| match reversi::occupancy::takes(game.rules.board) {
                true => Some(reversi::occupancy::memory_needed(game)),
                false => levels::memory_for_estimate(&game.estimate()),
            },
            estimate: |game| game.estimate_from(&game.start()),
            solve: |game, root, path, options| {
                needs_keys(game)?;
                match root {
                    None if reversi::occupancy::takes(game.rules.board) => {
                        reversi::occupancy::analyze(game, path, options)
                    }
                    _ => levels::analyze(game, root.unwrap_or(&game.start()), path, options),
                }
            },
            audit: |game, root, table, options| {
                needs_keys(game)?;
                let start = game.start();
                let root = root.unwrap_or(&start);
                match table.header.index_kind {
                    IndexKind::Tiers => reversi::audit::audit(game, table, root, options.progress),
                    _ => audit::audit_keys(game, table, root, options.progress),
                }
            },
            move_counter: |game, table, _| Ok(Box::new(LookupCounts { game, table }))
        }
    };
    (retrograde, $Game:ty) => {
        solvable! {
            $Game, cyclic,
            memory_needed: |game| Some(retrograde::memory_for(game)),
            estimate: retrograde::estimate,
            solve: retrograde::solve_into_table,
            audit: |game, root, table, options| audit::audit_retrograde(game, root, table, options.progress),
            move_counter: |game, table, _| Ok(Box::new(retrograde::DenseCounts::new(game, table)?))
        }
    };
    (retrograde_of_all, $Game:ty) => {
        solvable! {
            $Game, cyclic,
            memory_needed: |game| Some(retrograde::memory_for_all(game)),
            estimate: retrograde::estimate_of_all,
            solve: retrograde::solve_all_into_table,
            audit: |game, root, table, options| match root {
                None => audit::audit_retrograde_of_all(game, table, options.progress),
                Some(_) => audit::audit_retrograde(game, root, table, options.progress),
            },
            move_counter: |game, table, _| Ok(Box::new(retrograde::DenseCounts::new(game, table)?))
        }
    };
}

macro_rules! all_solvable {
    ($($folder:ident $Game:ident $kernel:ident;)*) => {
        $(solvable_by!($kernel, yomikiri_rules::games::$folder::$Game);)*
    };
}

yomikiri_rules::games!(all_solvable);

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::heaps::Heaps;
    use crate::{brute, pipeline};
    use yomikiri_table::Silent;

    solvable_by!(levels, Heaps);

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
        assert!(entries.is_empty() && game.searcher(0).is_none());
    }
}
