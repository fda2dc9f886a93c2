//! How Connect Four is solved: by sorted keys ply by ply, from the start or from a later position, where keys fit; single
//! positions by search.

use std::path::Path;

use super::board::Position;
use super::game::ConnectFour;
use super::search;
use crate::game::Game;
use crate::progress::Progress;
use crate::query::{self, verify_keys};
use crate::solve::estimate::{self, Capacity, Estimate, Limits};
use crate::solve::{Costs, Job, Search, Solvable, SolveError, Solved, below, layers};
use crate::table::{Table, TableError};
use crate::value::Distance;

impl Solvable for ConnectFour {
    const CYCLIC: bool = false;

    const COSTS: Costs = Costs { table: 2.0, work: 2.0, rate: 2e6 };

    fn memory_needed(&self) -> Option<u64> {
        /// No machine has as much memory.
        const OUT_OF_QUESTION: f64 = 1e12;
        let positions = Some(self.estimate().total()).filter(|&positions| positions < OUT_OF_QUESTION);
        positions.map(|positions| layers::memory_for(positions as u64))
    }

    /// By sampling; where positions have no keys, the room they have.
    fn estimate(&self) -> Estimate {
        if self.has_keys() {
            return estimate::positions(self, &self.start(), Limits::default());
        }
        let room = (0..self.rules.board.area()).map(|ply| self.capacity((), ply));
        Estimate { by_ply: room.collect(), exact_plies: 0 }
    }

    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        self.refuse_without_keys()?;
        layers::analyze(self, root.unwrap_or(&self.start()), path, job)
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        self.refuse_without_keys()?;
        let meta = table.meta()?;
        let tally = verify_keys(self, table, root.unwrap_or(&self.start()), job.progress)?;
        let same = tally == meta.tally && tally.positions() == table.header.positions;
        let wrong = || table.damaged("the counts in its meta data are not those of its positions");
        if same { Ok(()) } else { Err(wrong().into()) }
    }

    fn probe(&self, table: &Table, position: &Position) -> Result<Option<Distance>, TableError> {
        if self.has_keys() { query::probe(table, self.key(position)) } else { Ok(None) }
    }

    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
        self.refuse_without_keys()?;
        query::verify_sample(self, table, count, progress)
    }

    fn searcher(&self, memory: u64) -> Option<Box<dyn Search<Self>>> {
        Some(search::searcher(*self, memory))
    }

    fn solve_below(&self, position: &Position, memory: u64, progress: &dyn Progress) -> Result<Solved, SolveError> {
        self.refuse_without_keys()?;
        below::solve(self, position, memory, progress)
    }
}

impl ConnectFour {
    fn refuse_without_keys(&self) -> Result<(), SolveError> {
        match self.has_keys() {
            true => Ok(()),
            false => Err(SolveError::TooLarge(format!(
                "{}: positions of this board do not fit a key, so it has no tables",
                self.code()
            ))),
        }
    }
}
