//! Implements [`Kernel`] for each type of kernel: makes, audits and estimates tables.

use std::ops::Range;
use std::path::Path;

use super::kernel::{Kernel, needs_keys};
use super::{Levels, Occupancy, Retrograde, RetrogradeOfAll, Tiers};
use crate::adapter::Adapter;
use crate::adapters::reversi;
use crate::estimate::{Estimate, Limits};
use crate::lookup::LookupCounts;
use crate::move_counts::CountMoves;
use crate::retrograde::{self, Complete, Cyclic};
use crate::tiers::{self, Tiered};
use crate::{Resident, Result, Solvable, SolveOptions, Solved, Wins, audit, levels};
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{CodedValue, Game};
use yomikiri_table::entries::{Entries, EntryReader};
#[cfg(feature = "write")]
use yomikiri_table::recode::Packing;
use yomikiri_table::{IndexKind, Progress, Table, TableError};

impl<G: Solvable + Adapter<Value: CodedValue>> Kernel<G> for Levels {
    fn memory_needed(game: &G) -> Option<u64> {
        levels::least_memory_for_estimate(&game.estimate_from(&game.start(), Limits::default()))
    }

    /// Counts more plies than other estimates do, in about a second: the numbers of positions of later plies are the
    /// more accurate for it, and small games are counted whole.
    fn estimate(game: &G) -> Estimate {
        let estimate = game.estimate_from(&game.start(), Limits { exact: 500_000, ..Limits::default() });
        Estimate { memory: levels::memory_for_estimate(&estimate), ..estimate }
    }

    #[cfg(feature = "write")]
    fn solve(game: &G, root: Option<&G::Position>, path: &Path, options: &SolveOptions) -> Result<()> {
        needs_keys(game)?;
        levels::analyze(game, root.unwrap_or(&game.start()), path, options)
    }

    #[cfg(feature = "write")]
    fn audit(game: &G, root: Option<&G::Position>, table: &Table, options: &SolveOptions) -> Result<()> {
        needs_keys(game)?;
        audit::audit_keys(game, table, root.unwrap_or(&game.start()), options.progress)
    }
}

impl<G: Solvable + Tiered> Kernel<G> for Tiers {
    fn memory_needed(game: &G) -> Option<u64> {
        tiers::memory_for(game)
    }

    #[cfg(feature = "write")]
    fn solve(game: &G, root: Option<&G::Position>, path: &Path, options: &SolveOptions) -> Result<()> {
        match root {
            None => tiers::analyze(game, path, options),
            Some(root) => levels::analyze(game, root, path, options),
        }
    }

    #[cfg(feature = "write")]
    fn audit(game: &G, root: Option<&G::Position>, table: &Table, options: &SolveOptions) -> Result<()> {
        match root {
            None => audit::audit_tiers(game, table, options),
            Some(root) => audit::audit_keys(game, table, root, options.progress),
        }
    }

    #[cfg(feature = "write")]
    fn audit_memory(game: &G, root: Option<&G::Position>, table: &Table) -> Result<u64> {
        Ok(if root.is_some() { audit::memory_of_keys(table) } else { audit::memory_of_tiers(game) })
    }

    fn move_counter<'a>(game: &'a G, table: &'a Table, memory: u64) -> Result<Box<dyn CountMoves + 'a>> {
        match table.header.index_kind {
            IndexKind::Tiers => Ok(Box::new(tiers::TierCounts::new(game, table, memory))),
            _ => Ok(Box::new(LookupCounts { game, table })),
        }
    }
}

impl Kernel<Reversi> for Occupancy {
    fn memory_needed(game: &Reversi) -> Option<u64> {
        match reversi::occupancy::takes(game.rules.board) {
            true => Some(reversi::occupancy::memory_needed(game)),
            false => levels::least_memory_for_estimate(&game.estimate_from(&game.start(), Limits::default())),
        }
    }

    fn estimate(game: &Reversi) -> Estimate {
        let estimate = game.estimate_from(&game.start(), Limits::default());
        let memory = match reversi::occupancy::takes(game.rules.board) {
            true => estimate.memory,
            false => levels::memory_for_estimate(&estimate),
        };
        Estimate { memory, ..estimate }
    }

    #[cfg(feature = "write")]
    fn solve(
        game: &Reversi,
        root: Option<&<Reversi as Game>::Position>,
        path: &Path,
        options: &SolveOptions,
    ) -> Result<()> {
        needs_keys(game)?;
        match root {
            None if reversi::occupancy::takes(game.rules.board) => reversi::occupancy::analyze(game, path, options),
            _ => levels::analyze(game, root.unwrap_or(&game.start()), path, options),
        }
    }

    #[cfg(feature = "write")]
    fn audit(
        game: &Reversi,
        root: Option<&<Reversi as Game>::Position>,
        table: &Table,
        options: &SolveOptions,
    ) -> Result<()> {
        needs_keys(game)?;
        let start = game.start();
        let root = root.unwrap_or(&start);
        match table.header.index_kind {
            IndexKind::Tiers => reversi::audit::audit(game, table, root, options.progress),
            _ => audit::audit_keys(game, table, root, options.progress),
        }
    }

    #[cfg(feature = "write")]
    fn audit_memory(game: &Reversi, _root: Option<&<Reversi as Game>::Position>, table: &Table) -> Result<u64> {
        match table.header.index_kind {
            IndexKind::Tiers => reversi::audit::memory(game, table),
            _ => Ok(audit::memory_of_keys(table)),
        }
    }
}

/// Implements the methods that all kernels for games with repetition share. A table of dense keys leaves out wins or
/// draws, whichever are more frequent. A table of sorted keys lists all positions.
macro_rules! with_repetition {
    () => {
        const IS_CYCLIC: bool = true;

        #[cfg(feature = "write")]
        fn pack(game: &G, path: &Path, progress: &dyn Progress) -> Result<Packing> {
            retrograde::pack(game, path, progress)
        }

        fn probe(game: &G, table: &Table, position: &G::Position) -> Result<Option<G::Value>, TableError> {
            retrograde::value(game, table, position)
        }

        fn probe_all(
            game: &G,
            table: &Table,
            resident: Option<&Resident>,
            keys: &[u64],
        ) -> Result<Vec<u8>, TableError> {
            match resident {
                Some(resident) => retrograde::resident_values(game, table, resident, keys),
                None => retrograde::values(game, table, keys),
            }
        }

        fn load(game: &G, table: &Table, wins: Wins) -> Result<Option<Resident>> {
            retrograde::load(game, table, wins)
        }

        fn entries(game: &G, table: &Table, resident: Option<&Resident>, range: Range<u64>) -> Result<Entries> {
            retrograde::entries(game, table, resident, range)
        }

        fn audit_sample(game: &G, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
            audit::audit_retrograde_sample(game, table, count, progress)
        }

        fn entry_reader<'a>(game: &'a G, table: &'a Table) -> Result<EntryReader<'a>> {
            retrograde::entry_reader(game, table)
        }

        fn solve_subgame(game: &G, position: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Solved> {
            retrograde::solve_subgame(game, position, memory, progress)
        }

        fn move_counter<'a>(game: &'a G, table: &'a Table, _: u64) -> Result<Box<dyn CountMoves + 'a>> {
            Ok(Box::new(retrograde::DenseCounts::new(game, table)?))
        }
    };
}

impl<G: Solvable + Adapter + Cyclic> Kernel<G> for Retrograde {
    with_repetition!();

    fn memory_needed(game: &G) -> Option<u64> {
        Some(retrograde::memory_for(game))
    }

    fn estimate(game: &G) -> Estimate {
        retrograde::estimate(game)
    }

    #[cfg(feature = "write")]
    fn solve(game: &G, root: Option<&G::Position>, path: &Path, options: &SolveOptions) -> Result<()> {
        retrograde::solve_into_table(game, root, path, options)
    }

    #[cfg(feature = "write")]
    fn audit(game: &G, root: Option<&G::Position>, table: &Table, options: &SolveOptions) -> Result<()> {
        audit::audit_retrograde(game, root, table, options)
    }

    #[cfg(feature = "write")]
    fn audit_memory(game: &G, _root: Option<&G::Position>, table: &Table) -> Result<u64> {
        Ok(retrograde::memory_of_audit(game, table))
    }
}

impl<G: Solvable + Adapter + Complete> Kernel<G> for RetrogradeOfAll {
    with_repetition!();

    fn memory_needed(game: &G) -> Option<u64> {
        Some(retrograde::memory_for_all(game))
    }

    fn estimate(game: &G) -> Estimate {
        retrograde::estimate_of_all(game)
    }

    #[cfg(feature = "write")]
    fn solve(game: &G, root: Option<&G::Position>, path: &Path, options: &SolveOptions) -> Result<()> {
        retrograde::solve_all_into_table(game, root, path, options)
    }

    #[cfg(feature = "write")]
    fn audit(game: &G, root: Option<&G::Position>, table: &Table, options: &SolveOptions) -> Result<()> {
        match root {
            None => audit::audit_retrograde_of_all(game, table, options.progress),
            Some(_) => audit::audit_retrograde(game, root, table, options),
        }
    }

    #[cfg(feature = "write")]
    fn audit_memory(game: &G, root: Option<&G::Position>, table: &Table) -> Result<u64> {
        Ok(match root {
            None => retrograde::memory_of_audit_of_all(game),
            Some(_) => retrograde::memory_of_audit(game, table),
        })
    }
}
