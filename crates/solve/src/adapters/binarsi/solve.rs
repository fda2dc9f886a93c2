//! How Binarsi is solved: by tiers as a whole, ply by ply below a late position.

use std::path::Path;

use super::certificate::Certificate;
use crate::audit::verify_keys;
use crate::estimate::{self, Estimate, Limits};
use crate::{Costs, Job, Solvable, SolveError, Solved, Strategy, levels, subgame, tiers};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_table::progress::Progress;
use yomikiri_table::source::ReadSeek;
use yomikiri_table::{Table, TableError};

impl Solvable for Binarsi {
    const CYCLIC: bool = false;

    const COSTS: Costs = Costs { table: 0.33, work: 0.25, rate: 2.5e6 };

    fn memory_needed(&self) -> Option<u64> {
        tiers::needs(self)
    }

    fn estimate(&self) -> Estimate {
        estimate::positions(self, &self.start(), Limits::default())
    }

    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        match root {
            None => tiers::analyze(self, path, job),
            Some(root) => levels::analyze(self, root, path, job),
        }
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        let meta = table.meta()?;
        let tally = match root {
            None => tiers::audit(self, table, job.memory, job.progress)?,
            Some(root) => verify_keys(self, table, root, job.progress)?,
        };
        let same = tally == meta.tally && tally.positions() == table.header.positions.get();
        let wrong = || table.damaged("the counts in its meta data are not those of its positions");
        if same { Ok(()) } else { Err(wrong().into()) }
    }

    fn strategy(&self, file: &mut dyn ReadSeek, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        let (certificate, code) = (Certificate::read_from(file, path)?, self.code());
        match certificate.game.code() {
            other if other != code => {
                Err(TableError::foreign(path, format!("is the certificate of {other}, not of {code}")))
            }
            _ => Ok(Box::new(certificate)),
        }
    }

    fn solve_below(&self, position: &Position, memory: u64, progress: &dyn Progress) -> Result<Solved, SolveError> {
        subgame::solve(self, position, memory, progress)
    }
}
