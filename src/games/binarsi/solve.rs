//! How Binarsi is solved: by tiers as a whole, ply by ply below a late position.

use std::path::Path;

use super::board::Position;
use super::game::Binarsi;
use crate::game::Game;
use crate::progress::Progress;
use crate::query::verify_keys;
use crate::solve::estimate::{self, Estimate, Limits};
use crate::solve::{Costs, Job, Solvable, SolveError, Solved, layers, tiers};
use crate::table::Table;

impl Solvable for Binarsi {
    const CYCLIC: bool = false;

    const COSTS: Costs = Costs { table: 0.33, work: 0.25, rate: 2.5e6 };

    fn memory_needed(&self) -> Option<u64> {
        tiers::needs(self)
    }

    fn estimate(&self) -> Estimate {
        estimate::positions(self, &self.start(), Limits::default())
    }

    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        match root {
            None => tiers::analyze(self, path, job),
            Some(root) => layers::analyze(self, root, path, job),
        }
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        let meta = table.meta()?;
        let same = match root {
            None => {
                let tally = tiers::audit(self, table, job.memory, job.progress)?;
                tally == meta.tally && tally.positions() == table.header.positions
            }
            Some(_) => {
                let positions = verify_keys(self, table, job.progress)?;
                positions == meta.tally.positions() && positions == table.header.positions
            }
        };
        let wrong = || table.damaged("the counts in its meta data are not those of its positions");
        if same { Ok(()) } else { Err(wrong().into()) }
    }

    fn solve_below(&self, position: &Position, memory: u64, progress: &dyn Progress) -> Result<Solved, SolveError> {
        let found = self.enumerate_below(position, memory, progress)?;
        let values = layers::solve(self, &found, progress);
        Ok(Solved { levels: found.levels.into_iter().zip(values).collect() })
    }
}

impl Binarsi {
    /// Enumerates what lies below a position. If it is not little, the estimate is asked before more memory is taken.
    fn enumerate_below(
        &self,
        position: &Position,
        memory: u64,
        progress: &dyn Progress,
    ) -> Result<layers::Layers, SolveError> {
        /// Memory of a search that is over before an estimate would be.
        const LITTLE: u64 = 16 << 20;
        match layers::enumerate(self, position, memory.min(LITTLE), progress) {
            Err(SolveError::TooLarge(_)) if memory > LITTLE => {
                self.refuse_hopeless(position, memory)?;
                layers::enumerate(self, position, memory, progress)
            }
            done => done,
        }
    }

    /// Refuses a search that would take far more memory than it may have, without starting it.
    fn refuse_hopeless(&self, position: &Position, memory: u64) -> Result<(), SolveError> {
        /// Estimates below late positions can be too high by some such factor.
        const DOUBT: f64 = 30.0;
        let about = estimate::positions(self, position, Limits::default()).total();
        if about < DOUBT * memory as f64 / layers::memory_for(1) as f64 {
            return Ok(());
        }
        let text = self.position_text(position);
        Err(SolveError::TooLarge(format!(
            "no table has {text}, and about {about:.1e} positions lie below it: too many to search; ask about a later one"
        )))
    }
}
