//! Sheets (rows of tiers or parts in memory) that a worker keeps from one task to the next. Tasks of neighbouring plies
//! need the same sheets, and new sheets reuse the memory of old ones.

use super::run::Step;
use crate::tiers::{LaneSheets, RowSheets};

/// The sheets of one run in one step, by unit. The files of the run hold the same rows: a worker that loses its sheets
/// reads the files again.
#[derive(Default)]
pub struct KeptSheets {
    /// The sheets of enumeration; `None` while `rows` is in use.
    lanes: Option<LaneSheets>,
    /// A step other than enumeration, and the sheets of that step; `None` while `lanes` is in use. The step is kept
    /// because an audit needs other rows than solving does.
    rows: Option<(Step, RowSheets)>,
}

impl KeptSheets {
    /// Returns a cache of at most `budget` bytes for enumeration. Of the kept sheets, the cache has those of units for
    /// which `is_wanted` returns true. Drops the sheets of all other steps.
    pub(super) fn lanes(&mut self, budget: u64, is_wanted: impl Fn(usize) -> bool) -> &mut LaneSheets {
        self.rows = None;
        let sheets = self.lanes.get_or_insert_with(|| LaneSheets::new(budget));
        sheets.retain(budget, is_wanted);
        sheets
    }

    /// Like [`KeptSheets::lanes`], but for any step except enumeration. If the last call was for another step, the
    /// cache has no sheets, but reuses the memory of that step's sheets.
    pub(super) fn rows(&mut self, step: Step, budget: u64, is_wanted: impl Fn(usize) -> bool) -> &mut RowSheets {
        self.lanes = None;
        let (of, sheets) = self.rows.get_or_insert_with(|| (step, RowSheets::new(budget)));
        let is_same = std::mem::replace(of, step) == step;
        sheets.retain(budget, |unit| is_same && is_wanted(unit));
        sheets
    }
}
