//! Sheets that a worker keeps from one task to the next: tasks of neighbouring plies need the same ones, and their
//! memory is used again.

use super::run::Step;
use crate::tiers::{LaneSheets, RowSheets};

/// Sheets of one run in one step, those of parts by unit. They are what the files of the run say: a worker whose sheets
/// are lost reads them again.
#[derive(Default)]
pub struct KeptSheets {
    /// Those of enumeration; none while there are rows.
    lanes: Option<LaneSheets>,
    /// Those of another step, with the step: an audit wants other rows than a solver.
    rows: Option<(Step, RowSheets)>,
}

impl KeptSheets {
    /// Those of enumeration that are wanted, and room for more, of at most so many bytes.
    pub(super) fn lanes(&mut self, budget: u64, is_wanted: impl Fn(usize) -> bool) -> &mut LaneSheets {
        self.rows = None;
        let sheets = self.lanes.get_or_insert_with(|| LaneSheets::new(budget));
        sheets.begin_anew(budget, is_wanted);
        sheets
    }

    /// The same of another step; of those of a step before no more than the memory is used.
    pub(super) fn rows(&mut self, step: Step, budget: u64, is_wanted: impl Fn(usize) -> bool) -> &mut RowSheets {
        self.lanes = None;
        let (of, sheets) = self.rows.get_or_insert_with(|| (step, RowSheets::new(budget)));
        let is_same = std::mem::replace(of, step) == step;
        sheets.begin_anew(budget, |unit| is_same && is_wanted(unit));
        sheets
    }
}
