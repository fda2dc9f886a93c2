//! The methods that all games without repetition, or all games with repetition, have in common. They read, sample and
//! pack tables in the same way, and solve subgames in memory.

use std::ops::Range;
use std::path::Path;

#[cfg(doc)]
use crate::Solvable;
use crate::adapter::Adapter;
use crate::retrograde::{self, Cyclic};
use crate::{Resident, Result, Solved, TooLarge, Wins, audit, subgame};
use yomikiri_rules::CodedValue;
use yomikiri_table::entries::{Entries, EntryReader, listed_within};
#[cfg(feature = "write")]
use yomikiri_table::recode::Packing;
use yomikiri_table::{Progress, Table, TableError, probe};

/// The part of a kernel that all games without repetition, or all games with repetition, share. [`Solvable`] documents
/// the methods.
pub trait Family<G: Adapter> {
    /// See [`Solvable::is_cyclic`].
    const IS_CYCLIC: bool;

    /// See [`Solvable::pack`].
    #[cfg(feature = "write")]
    fn pack(game: &G, path: &Path, progress: &dyn Progress) -> Result<Packing>;

    /// See [`Solvable::probe`].
    fn probe(game: &G, table: &Table, position: &G::Position) -> Result<Option<G::Value>, TableError>;

    /// See [`Solvable::probe_all`].
    fn probe_all(game: &G, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError>;

    /// See [`Solvable::load`].
    fn load(game: &G, table: &Table, wins: Wins) -> Result<Option<Resident>>;

    /// See [`Solvable::entries`].
    fn entries(game: &G, table: &Table, resident: Option<&Resident>, range: Range<u64>) -> Result<Entries>;

    /// See [`Solvable::audit_sample`].
    fn audit_sample(game: &G, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64>;

    /// See [`Solvable::entry_reader`].
    fn entry_reader<'a>(game: &'a G, table: &'a Table) -> Result<EntryReader<'a>>;

    /// See [`Solvable::solve_subgame`].
    fn solve_subgame(game: &G, position: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Solved>;
}

/// Returns an error if the positions of the game have no keys.
pub(super) fn needs_keys<G: Adapter>(game: &G) -> Result<()> {
    if game.has_keys() { Ok(()) } else { Err(TooLarge::NoKeys(game.why_no_tables()).into()) }
}

/// Games that never repeat a position. Their tables list all positions.
pub struct WithoutRepetition;

impl<G: Adapter<Value: CodedValue>> Family<G> for WithoutRepetition {
    const IS_CYCLIC: bool = false;

    #[cfg(feature = "write")]
    fn pack(_: &G, path: &Path, _: &dyn Progress) -> Result<Packing> {
        Err(TableError::foreign(path, "has no smaller form: it lists all its positions").into())
    }

    fn probe(game: &G, table: &Table, position: &G::Position) -> Result<Option<G::Value>, TableError> {
        if game.has_keys() { probe::probe(table, game.rank(position)) } else { Ok(None) }
    }

    fn probe_all(_: &G, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError> {
        match resident {
            Some(resident) => Ok(resident.bytes_of(keys)),
            None => Ok(probe::listed(table, keys)?.into_iter().map(Option::unwrap_or_default).collect()),
        }
    }

    fn load(_: &G, table: &Table, _: Wins) -> Result<Option<Resident>> {
        Resident::of_rows(table)
    }

    fn entries(_: &G, table: &Table, _: Option<&Resident>, range: Range<u64>) -> Result<Entries> {
        Ok(listed_within(table, range)?)
    }

    fn audit_sample(game: &G, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
        needs_keys(game)?;
        audit::audit_sample(game, table, count, progress)
    }

    fn entry_reader<'a>(_: &'a G, table: &'a Table) -> Result<EntryReader<'a>> {
        Ok(Box::new(|range| listed_within(table, range)))
    }

    fn solve_subgame(game: &G, position: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Solved> {
        needs_keys(game)?;
        subgame::solve(game, position, memory, progress)
    }
}

/// Games that can repeat positions. A table of dense keys leaves out wins or draws, whichever are more frequent. A
/// table of sorted keys lists all positions.
pub struct WithRepetition;

impl<G: Adapter + Cyclic> Family<G> for WithRepetition {
    const IS_CYCLIC: bool = true;

    #[cfg(feature = "write")]
    fn pack(game: &G, path: &Path, progress: &dyn Progress) -> Result<Packing> {
        retrograde::pack(game, path, progress)
    }

    fn probe(game: &G, table: &Table, position: &G::Position) -> Result<Option<G::Value>, TableError> {
        retrograde::value(game, table, position)
    }

    fn probe_all(game: &G, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError> {
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
}
