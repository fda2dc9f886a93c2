//! How the pyonpyon game is solved: in waves from the ends, all positions, whether or not they can arise.

use std::path::Path;

use crate::estimate::Estimate;
use crate::{Costs, Job, Solvable, SolveError, Solved, retrograde};
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::Position;
use yomikiri_rules::value::Distance;
use yomikiri_table::entries::EntryReader;
use yomikiri_table::progress::Progress;
use yomikiri_table::{Table, TableError};

impl Solvable for Pyonpyon {
    const CYCLIC: bool = true;

    const COSTS: Costs = Costs { table: 0.05, work: 0.15, rate: 2e6 };

    fn memory_needed(&self) -> Option<u64> {
        Some(retrograde::memory_for_all(self))
    }

    /// Exact: every key is a position's.
    fn estimate(&self) -> Estimate {
        Estimate { by_ply: vec![f64::from(self.index.count())], exact_plies: 1 }
    }

    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        retrograde::solve_all_into_table(self, root, path, job)
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        match root {
            None => retrograde::audit_all(self, table, job.progress),
            Some(_) => retrograde::audit(self, root, table, job.progress),
        }
    }

    fn probe(&self, table: &Table, position: &Position) -> Result<Option<Distance>, TableError> {
        retrograde::value(self, table, position)
    }

    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
        retrograde::audit_sample(self, table, count, progress)
    }

    fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>, SolveError> {
        retrograde::entry_reader(self, table)
    }

    fn solve_below(&self, position: &Position, memory: u64, progress: &dyn Progress) -> Result<Solved, SolveError> {
        retrograde::solve_below(self, position, memory, progress)
    }
}
