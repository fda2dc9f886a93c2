//! How reversi is solved: by sorted keys, ply by ply, where keys fit.

use std::path::Path;

use super::board::Position;
use super::game::Reversi;
use super::index::MOST_SQUARES;
use super::search::Solver;
use crate::game::Game;
use crate::progress::Progress;
use crate::query::{self, verify_keys};
use crate::solve::estimate::{self, Capacity, Estimate, Limits};
use crate::solve::{Costs, Job, Search, Solvable, SolveError, Solved, below, layers};
use crate::table::{Table, TableError};
use crate::value::{Score, Side};

/// Largest board whose whole table needs no estimate: some hundred thousand positions.
const SMALL: u32 = 16;

impl Solvable for Reversi {
    const CYCLIC: bool = false;

    const COSTS: Costs = Costs { table: 2.2, work: 2.4, rate: 6e5 };

    /// Passes and symmetry leave no side of its own to a number of discs.
    fn side_at(&self, _: u32) -> Option<Side> {
        None
    }

    fn memory_needed(&self) -> Option<u64> {
        if self.rules.board.area() <= SMALL {
            return Some(layers::memory_for(1 << 20));
        }
        /// No machine has as much memory.
        const OUT_OF_QUESTION: f64 = 1e13;
        let positions = Some(self.estimate().total()).filter(|&positions| positions < OUT_OF_QUESTION);
        positions.map(|positions| layers::memory_for(positions as u64))
    }

    /// By sampling; where positions have no keys, the room they have.
    fn estimate(&self) -> Estimate {
        if self.has_keys() {
            return estimate::positions(self, &self.start(), Limits::default());
        }
        let room = |discs: u32| (1..discs).map(|own| self.capacity(own, discs)).sum();
        let room = (4..self.rules.board.area()).map(room);
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

    fn probe(&self, table: &Table, position: &Position) -> Result<Option<Score>, TableError> {
        if self.has_keys() { query::probe(table, self.key(position)) } else { Ok(None) }
    }

    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
        self.refuse_without_keys()?;
        query::verify_sample(self, table, count, progress)
    }

    fn searcher(&self, memory: u64) -> Option<Box<dyn Search<Self>>> {
        Some(Box::new(Solver::new(*self, memory)))
    }

    fn solve_below(&self, position: &Position, memory: u64, progress: &dyn Progress) -> Result<Solved, SolveError> {
        self.refuse_without_keys()?;
        below::solve(self, position, memory, progress)
    }
}

impl Reversi {
    fn refuse_without_keys(&self) -> Result<(), SolveError> {
        match self.has_keys() {
            true => Ok(()),
            false => Err(SolveError::TooLarge(format!(
                "{}: boards of more than {MOST_SQUARES} squares have no tables",
                self.code()
            ))),
        }
    }
}
