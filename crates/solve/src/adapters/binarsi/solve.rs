//! How Binarsi is solved: by tiers as a whole, ply by ply below a late position.

use std::path::Path;

use super::certificate::Certificate;
use crate::audit::{audit_keys, audit_tiers};
use crate::estimate::{self, Estimate, Limits};
use crate::{Costs, Job, Solvable, SolveError, Solved, Strategy, levels, subgame, tiers};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_table::progress::Progress;
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

    fn solve(&self, root: Option<&Position>, path: &Path, job: &Job) -> Result<(), SolveError> {
        match root {
            None => tiers::analyze(self, path, job),
            Some(root) => levels::analyze(self, root, path, job),
        }
    }

    fn audit(&self, root: Option<&Position>, table: &Table, job: &Job) -> Result<(), SolveError> {
        match root {
            None => audit_tiers(self, table, job.memory, job.progress),
            Some(root) => audit_keys(self, table, root, job.progress),
        }
    }

    fn strategy(&self, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        let (certificate, code) = (Certificate::read(path)?, self.code());
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
