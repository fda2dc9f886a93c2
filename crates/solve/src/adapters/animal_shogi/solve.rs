//! How animal shogi is solved: in waves as a whole, by sorted keys where few positions can arise.

use std::path::Path;

use crate::estimate::Estimate;
use crate::{Costs, Job, Solvable, SolveError, Solved, retrograde};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::animal_shogi::board::Position;
use yomikiri_rules::value::Alternating;
use yomikiri_table::entries::EntryReader;
use yomikiri_table::progress::Progress;
use yomikiri_table::{Table, TableError};

impl Solvable for AnimalShogi {
    const CYCLIC: bool = true;

    const COSTS: Costs = Costs { table: 0.36, work: 0.15, rate: 8e5 };

    fn memory_needed(&self) -> Option<u64> {
        Some(retrograde::memory_for(self))
    }

    fn estimate(&self) -> Estimate {
        retrograde::estimate(self)
    }

    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        retrograde::solve_into_table(self, root, path, job)
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        retrograde::audit(self, root, table, job.progress)
    }

    fn probe(&self, table: &Table, position: &Position) -> Result<Option<Alternating>, TableError> {
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
