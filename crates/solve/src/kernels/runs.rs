//! Implements [`Kernel`] for each type of kernel: makes, audits and estimates tables.

use std::path::Path;

use super::families::{WithRepetition, WithoutRepetition, needs_keys};
use super::{Kernel, Levels, Occupancy, Retrograde, RetrogradeOfAll, Tiers};
use crate::adapter::Adapter;
use crate::adapters::reversi;
use crate::estimate::{Estimate, Limits};
use crate::lookup::LookupCounts;
use crate::move_counts::CountMoves;
use crate::retrograde::{self, Complete, Cyclic};
use crate::tiers::{self, Tiered};
use crate::{Result, Solvable, SolveOptions, audit, levels};
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{CodedValue, Game};
use yomikiri_table::{IndexKind, Table};

impl<G: Solvable + Adapter<Value: CodedValue>> Kernel<G> for Levels {
    type Family = WithoutRepetition;

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

    fn move_counter<'a>(game: &'a G, table: &'a Table, _: u64) -> Result<Box<dyn CountMoves + 'a>> {
        Ok(Box::new(LookupCounts { game, table }))
    }
}

impl<G: Solvable + Tiered> Kernel<G> for Tiers {
    type Family = WithoutRepetition;

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

    fn move_counter<'a>(game: &'a G, table: &'a Table, memory: u64) -> Result<Box<dyn CountMoves + 'a>> {
        match table.header.index_kind {
            IndexKind::Tiers => Ok(Box::new(tiers::TierCounts::new(game, table, memory))),
            _ => Ok(Box::new(LookupCounts { game, table })),
        }
    }
}

impl Kernel<Reversi> for Occupancy {
    type Family = WithoutRepetition;

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

    fn move_counter<'a>(game: &'a Reversi, table: &'a Table, _: u64) -> Result<Box<dyn CountMoves + 'a>> {
        Ok(Box::new(LookupCounts { game, table }))
    }
}

impl<G: Adapter + Cyclic> Kernel<G> for Retrograde {
    type Family = WithRepetition;

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

    fn move_counter<'a>(game: &'a G, table: &'a Table, _: u64) -> Result<Box<dyn CountMoves + 'a>> {
        Ok(Box::new(retrograde::DenseCounts::new(game, table)?))
    }
}

impl<G: Adapter + Complete> Kernel<G> for RetrogradeOfAll {
    type Family = WithRepetition;

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

    fn move_counter<'a>(game: &'a G, table: &'a Table, _: u64) -> Result<Box<dyn CountMoves + 'a>> {
        Ok(Box::new(retrograde::DenseCounts::new(game, table)?))
    }
}
