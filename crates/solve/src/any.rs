//! The interfaces of this crate for [`AnyGame`], a game that is known only at run time. Each method dispatches to the
//! game once, and the work below it is compiled for that game.

use std::ops::Range;
use std::path::Path;

use crate::estimate::{Estimate, Limits};
use crate::move_counts::CountMoves;
use crate::{Adapter, Costs, Resident, Result, Solvable, SolveOptions, Solved, Wins};
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue, Registered, Side, with_game};
use yomikiri_table::entries::{Entries, EntryReader};
#[cfg(feature = "write")]
use yomikiri_table::recode::Packing;
use yomikiri_table::{Progress, Table, TableError};

impl Adapter for AnyGame {
    fn costs(&self) -> Costs {
        with_game!(self, game => game.costs())
    }

    fn side_at(&self, ply: u32) -> Option<Side> {
        with_game!(self, game => game.side_at(ply))
    }

    fn estimate_from(&self, root: &AnyPosition, limits: Limits) -> Estimate {
        with_game!(self, game => game.estimate_from(game.own(root), limits))
    }

    fn why_no_tables(&self) -> String {
        with_game!(self, game => game.why_no_tables())
    }
}

impl Solvable for AnyGame {
    fn is_cyclic(&self) -> bool {
        with_game!(self, game => game.is_cyclic())
    }

    fn memory_needed(&self) -> Option<u64> {
        with_game!(self, game => game.memory_needed())
    }

    fn estimate(&self) -> Estimate {
        with_game!(self, game => game.estimate())
    }

    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&AnyPosition>, path: &Path, options: &SolveOptions) -> Result<()> {
        with_game!(self, game => game.solve(root.map(|root| game.own(root)), path, options))
    }

    #[cfg(feature = "write")]
    fn audit(&self, root: Option<&AnyPosition>, table: &Table, options: &SolveOptions) -> Result<()> {
        with_game!(self, game => game.audit(root.map(|root| game.own(root)), table, options))
    }

    #[cfg(feature = "write")]
    fn audit_memory(&self, root: Option<&AnyPosition>, table: &Table) -> Result<u64> {
        with_game!(self, game => game.audit_memory(root.map(|root| game.own(root)), table))
    }

    #[cfg(feature = "write")]
    fn pack(&self, path: &Path, progress: &dyn Progress) -> Result<Packing> {
        with_game!(self, game => game.pack(path, progress))
    }

    fn probe(&self, table: &Table, position: &AnyPosition) -> Result<Option<AnyValue>, TableError> {
        with_game!(self, game => Ok(game.probe(table, game.own(position))?.map(Into::into)))
    }

    fn probe_all(&self, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError> {
        with_game!(self, game => game.probe_all(table, resident, keys))
    }

    fn load(&self, table: &Table, wins: Wins) -> Result<Option<Resident>> {
        with_game!(self, game => game.load(table, wins))
    }

    fn entries(&self, table: &Table, resident: Option<&Resident>, range: Range<u64>) -> Result<Entries> {
        with_game!(self, game => game.entries(table, resident, range))
    }

    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
        with_game!(self, game => game.audit_sample(table, count, progress))
    }

    fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>> {
        with_game!(self, game => game.entry_reader(table))
    }

    fn move_counter<'a>(&'a self, table: &'a Table, memory: u64) -> Result<Box<dyn CountMoves + 'a>> {
        with_game!(self, game => game.move_counter(table, memory))
    }

    fn solve_subgame(&self, position: &AnyPosition, memory: u64, progress: &dyn Progress) -> Result<Solved> {
        with_game!(self, game => game.solve_subgame(game.own(position), memory, progress))
    }
}
