//! The interface of kernels, with defaults for games without repetition.

use std::ops::Range;
use std::path::Path;

use crate::adapter::Adapter;
use crate::estimate::{Estimate, Limits};
use crate::lookup::LookupCounts;
use crate::move_counts::CountMoves;
use crate::{Resident, Result, Solvable, SolveOptions, Solved, TooLarge, Wins, audit, subgame};
use yomikiri_rules::CodedValue;
use yomikiri_table::entries::{Entries, EntryReader, listed_within};
#[cfg(feature = "write")]
use yomikiri_table::recode::Packing;
use yomikiri_table::{Progress, Table, TableError, probe};

/// A kernel that solves games of type `G`. `root` is always the root position of a subgame, or `None` for the whole
/// game. [`Solvable`] documents the methods. The defaults are for games that never repeat a position; tables of such
/// games list all positions.
pub trait Kernel<G: Solvable + Adapter<Value: CodedValue>> {
    /// See [`Solvable::is_cyclic`].
    const IS_CYCLIC: bool = false;

    /// See [`Solvable::memory_needed`].
    fn memory_needed(game: &G) -> Option<u64>;

    /// See [`Solvable::estimate`].
    fn estimate(game: &G) -> Estimate {
        game.estimate_from(&game.start(), Limits::default())
    }

    /// See [`Solvable::solve`].
    #[cfg(feature = "write")]
    fn solve(game: &G, root: Option<&G::Position>, path: &Path, options: &SolveOptions) -> Result<()>;

    /// See [`Solvable::audit`]. The caller has checked that `root` is the root position of the table.
    #[cfg(feature = "write")]
    fn audit(game: &G, root: Option<&G::Position>, table: &Table, options: &SolveOptions) -> Result<()>;

    /// See [`Solvable::audit_memory`]. The default is for tables of sorted keys.
    #[cfg(feature = "write")]
    fn audit_memory(_game: &G, _root: Option<&G::Position>, table: &Table) -> Result<u64> {
        Ok(audit::memory_of_keys(table))
    }

    /// See [`Solvable::pack`].
    #[cfg(feature = "write")]
    fn pack(_game: &G, path: &Path, _progress: &dyn Progress) -> Result<Packing> {
        Err(TableError::foreign(path, "has no smaller form: it lists all its positions").into())
    }

    /// See [`Solvable::probe`].
    fn probe(game: &G, table: &Table, position: &G::Position) -> Result<Option<G::Value>, TableError> {
        if game.has_keys() { probe::probe(table, game.rank(position)) } else { Ok(None) }
    }

    /// See [`Solvable::probe_all`].
    fn probe_all(_game: &G, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError> {
        match resident {
            Some(resident) => Ok(resident.bytes_of(keys)),
            None => Ok(probe::listed(table, keys)?.into_iter().map(Option::unwrap_or_default).collect()),
        }
    }

    /// See [`Solvable::load`].
    fn load(_game: &G, table: &Table, _wins: Wins) -> Result<Option<Resident>> {
        Resident::of_rows(table)
    }

    /// See [`Solvable::entries`].
    fn entries(_game: &G, table: &Table, _resident: Option<&Resident>, range: Range<u64>) -> Result<Entries> {
        Ok(listed_within(table, range)?)
    }

    /// See [`Solvable::audit_sample`].
    fn audit_sample(game: &G, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
        needs_keys(game)?;
        audit::audit_sample(game, table, count, progress)
    }

    /// See [`Solvable::entry_reader`].
    fn entry_reader<'a>(_game: &'a G, table: &'a Table) -> Result<EntryReader<'a>> {
        Ok(Box::new(|range| listed_within(table, range)))
    }

    /// See [`Solvable::move_counter`].
    fn move_counter<'a>(game: &'a G, table: &'a Table, _memory: u64) -> Result<Box<dyn CountMoves + 'a>> {
        Ok(Box::new(LookupCounts { game, table }))
    }

    /// See [`Solvable::solve_subgame`].
    fn solve_subgame(game: &G, position: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Solved> {
        needs_keys(game)?;
        subgame::solve(game, position, memory, progress)
    }
}

/// Returns an error if the positions of the game have no keys.
pub(super) fn needs_keys<G: Adapter>(game: &G) -> Result<()> {
    if game.has_keys() { Ok(()) } else { Err(TooLarge::NoKeys(game.why_no_tables()).into()) }
}
