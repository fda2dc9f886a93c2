//! Sheets that a worker keeps from one task to the next. Tasks of neighbouring plies need the same sheets, and new
//! sheets reuse the memory of old ones.

use super::run::Step;
use crate::tiers::{LaneSheets, RowSheets};

/// The sheets of one run in one step, by unit. They hold the same as the files of the run: a worker that loses them
/// reads the files again.
#[derive(Default)]
pub struct KeptSheets {
    /// The sheets of enumeration; `None` while there are rows.
    lanes: Option<LaneSheets>,
    /// The sheets of another step, with the step: an audit needs other rows than a solver.
    rows: Option<(Step, RowSheets)>,
}

impl KeptSheets {
    /// Returns a cache of at most `budget` bytes for enumeration. Of the sheets that were kept, it has those that
    /// `is_wanted` accepts. Drops the sheets of all other steps.
    pub(super) fn lanes(&mut self, budget: u64, is_wanted: impl Fn(usize) -> bool) -> &mut LaneSheets {
        self.rows = None;
        let sheets = self.lanes.get_or_insert_with(|| LaneSheets::new(budget));
        sheets.retain(budget, is_wanted);
        sheets
    }

    /// As [`KeptSheets::lanes`], for another step. If the last call was for a different step, only the memory of its
    /// sheets is reused.
    pub(super) fn rows(&mut self, step: Step, budget: u64, is_wanted: impl Fn(usize) -> bool) -> &mut RowSheets {
        self.lanes = None;
        let (of, sheets) = self.rows.get_or_insert_with(|| (step, RowSheets::new(budget)));
        let is_same = std::mem::replace(of, step) == step;
        sheets.retain(budget, |unit| is_same && is_wanted(unit));
        sheets
    }
}
