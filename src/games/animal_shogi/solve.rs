//! How animal shogi is solved: in waves as a whole, by sorted keys where few positions can arise.

use std::path::Path;

use super::board::Position;
use super::game::AnimalShogi;
use crate::progress::Progress;
use crate::query::EntryReader;
use crate::solve::estimate::Estimate;
use crate::solve::{Costs, Job, Solvable, SolveError, Solved, waves};
use crate::table::{Table, TableError};
use crate::value::Alternating;

impl Solvable for AnimalShogi {
    const CYCLIC: bool = true;

    const COSTS: Costs = Costs { table: 0.36, work: 0.15, rate: 8e5 };

    fn memory_needed(&self) -> Option<u64> {
        Some(waves::memory_for(self))
    }

    fn estimate(&self) -> Estimate {
        waves::estimate(self)
    }

    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        waves::solve_into_table(self, root, path, job)
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        waves::audit(self, root, table, job.progress)
    }

    fn probe(&self, table: &Table, position: &Position) -> Result<Option<Alternating>, TableError> {
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
