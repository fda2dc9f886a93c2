//! How the pyonpyon game is solved: in waves from the ends, all positions, whether or not they can arise.

use std::path::Path;

use super::board::Position;
use super::game::Pyonpyon;
use crate::progress::Progress;
use crate::query::EntryReader;
use crate::solve::estimate::Estimate;
use crate::solve::{Costs, Job, Solvable, SolveError, Solved, waves};
use crate::table::{Table, TableError};
use crate::value::Distance;

impl Solvable for Pyonpyon {
    const CYCLIC: bool = true;

    const COSTS: Costs = Costs { table: 0.05, work: 0.15, rate: 2e6 };

    fn memory_needed(&self) -> Option<u64> {
        Some(waves::memory_for_all(self))
    }

    /// Exact: every key is a position's.
    fn estimate(&self) -> Estimate {
        Estimate { by_ply: vec![f64::from(self.index.count())], exact_plies: 1 }
    }

    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        waves::solve_all_into_table(self, root, path, job)
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        match root {
            None => waves::audit_all(self, table, job.progress),
            Some(_) => waves::audit(self, root, table, job.progress),
        }
    }

    fn probe(&self, table: &Table, position: &Position) -> Result<Option<Distance>, TableError> {
        waves::value(self, table, position)
    }

    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
        waves::audit_sample(self, table, count, progress)
    }

    fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>, SolveError> {
        waves::entry_reader(self, table)
    }

    fn solve_below(&self, position: &Position, memory: u64, progress: &dyn Progress) -> Result<Solved, SolveError> {
        waves::solve_below(self, position, memory, progress)
    }
}
