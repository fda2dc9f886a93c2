//! How reversi is solved: small boards occupancy by occupancy, what lies below a later position by sorted keys, where keys fit.

use std::path::Path;

use super::audit;
use super::search;
use crate::adapters::reversi::occupancy;
use crate::audit::verify_keys;
use crate::estimate::{self, Capacity, Estimate, Limits};
use crate::{Costs, Job, Search, Solvable, SolveError, Solved, levels, subgame};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::Position;
use yomikiri_rules::games::reversi::index::MOST_SQUARES;
use yomikiri_rules::value::{Score, Side};
use yomikiri_table::progress::Progress;
use yomikiri_table::{IndexKind, Table, TableError};

impl Solvable for Reversi {
    const CYCLIC: bool = false;

    const COSTS: Costs = Costs { table: 1.6, work: 1.5, rate: 2e6 };

    /// Passes and symmetry leave no side of its own to a number of discs.
    fn side_at(&self, _: u32) -> Option<Side> {
        None
    }

    fn memory_needed(&self) -> Option<u64> {
        if occupancy::takes(self.rules.board) {
            return Some(occupancy::memory_needed(self));
        }
        /// No machine has as much memory.
        const OUT_OF_QUESTION: f64 = 1e13;
        let positions = Some(self.estimate().total()).filter(|&positions| positions < OUT_OF_QUESTION);
        positions.map(|positions| levels::memory_for(positions as u64))
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

    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        refuse_without_keys(self)?;
        match root {
            None if occupancy::takes(self.rules.board) => occupancy::analyze(self, path, job),
            _ => levels::analyze(self, root.unwrap_or(&self.start()), path, job),
        }
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        refuse_without_keys(self)?;
        let meta = table.meta()?;
        let start = self.start();
        let root = root.unwrap_or(&start);
        let tally = match table.header.index_kind {
            IndexKind::Tiers => audit::audit(self, table, root, job.progress)?,
            _ => verify_keys(self, table, root, job.progress)?,
        };
        let same = tally == meta.tally && tally.positions() == table.header.positions.get();
        let wrong = || table.damaged("the counts in its meta data are not those of its positions");
        if same { Ok(()) } else { Err(wrong().into()) }
    }

    fn probe(&self, table: &Table, position: &Position) -> Result<Option<Score>, TableError> {
        if self.has_keys() { yomikiri_table::probe::probe(table, self.key(position)) } else { Ok(None) }
    }

    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
        refuse_without_keys(self)?;
        crate::audit::verify_sample(self, table, count, progress)
    }

    fn searcher(&self, memory: u64) -> Option<Box<dyn Search<Self>>> {
        Some(search::searcher(*self, memory))
    }

    fn solve_below(&self, position: &Position, memory: u64, progress: &dyn Progress) -> Result<Solved, SolveError> {
        refuse_without_keys(self)?;
        subgame::solve(self, position, memory, progress)
    }
}

fn refuse_without_keys(game: &Reversi) -> Result<(), SolveError> {
    match game.has_keys() {
        true => Ok(()),
        false => Err(SolveError::TooLarge(format!(
            "{code}: boards of more than {MOST_SQUARES} squares have no tables; yomikiri solve {code} POSITION finds \
             exact scores by search",
            code = game.code()
        ))),
    }
}
