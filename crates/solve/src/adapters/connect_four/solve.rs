//! How Connect Four is solved: by sorted keys ply by ply, from the start or from a later position, where keys fit.

use std::path::Path;

use crate::audit::verify_keys;
use crate::estimate::{self, Capacity, Estimate, Limits};
use crate::{Costs, Job, Solvable, SolveError, Solved, levels, subgame};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::connect_four::board::Position;
use yomikiri_rules::value::Distance;
use yomikiri_table::progress::Progress;
use yomikiri_table::{Table, TableError};

impl Solvable for ConnectFour {
    const CYCLIC: bool = false;

    const COSTS: Costs = Costs { table: 1.6, work: 1.6, rate: 1.2e6 };

    fn memory_needed(&self) -> Option<u64> {
        /// No machine has as much memory.
        const OUT_OF_QUESTION: f64 = 1e12;
        let positions = Some(self.estimate().total()).filter(|&positions| positions < OUT_OF_QUESTION);
        positions.map(|positions| levels::memory_for(positions as u64))
    }

    /// By sampling; where positions have no keys, the room they have.
    fn estimate(&self) -> Estimate {
        if self.has_keys() {
            return estimate::positions(self, &self.start(), Limits::default());
        }
        let room = (0..self.rules.board.area()).map(|ply| self.capacity((), ply));
        Estimate { by_ply: room.collect(), exact_plies: 0 }
    }

    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        refuse_without_keys(self)?;
        levels::analyze(self, root.unwrap_or(&self.start()), path, job)
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        refuse_without_keys(self)?;
        let meta = table.meta()?;
        let tally = verify_keys(self, table, root.unwrap_or(&self.start()), job.progress)?;
        let same = tally == meta.tally && tally.positions() == table.header.positions.get();
        let wrong = || table.damaged("the counts in its meta data are not those of its positions");
        if same { Ok(()) } else { Err(wrong().into()) }
    }

    fn probe(&self, table: &Table, position: &Position) -> Result<Option<Distance>, TableError> {
        if self.has_keys() { yomikiri_table::probe::probe(table, self.key(position)) } else { Ok(None) }
    }

    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
        refuse_without_keys(self)?;
        crate::audit::verify_sample(self, table, count, progress)
    }

    fn solve_below(&self, position: &Position, memory: u64, progress: &dyn Progress) -> Result<Solved, SolveError> {
        refuse_without_keys(self)?;
        subgame::solve(self, position, memory, progress)
    }
}

fn refuse_without_keys(game: &ConnectFour) -> Result<(), SolveError> {
    match game.has_keys() {
        true => Ok(()),
        false => Err(SolveError::TooLarge(format!(
            "{}: positions of this board do not fit a key, so it has no tables",
            game.code()
        ))),
    }
}
