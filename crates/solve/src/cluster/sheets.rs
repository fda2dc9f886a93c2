//! Sheets (rows of tiers or parts in memory) that a worker keeps from one task to the next. Tasks of neighbouring plies
//! need the same sheets, and new sheets reuse the memory of old ones.

use super::run::Step;
use crate::tiers::{LaneSheets, RowSheets};

/// The sheets (rows of tiers or parts in memory) that a worker keeps for one step of a run, by unit. The files of the
/// run hold the same rows: a worker that loses its sheets reads the files again.
#[derive(Default)]
pub struct KeptSheets {
    /// For enumeration: a cache of sheets with the set of lanes of each row. `None` while `rows` is in use.
    lanes: Option<LaneSheets>,
    /// For any other step: the step, and a cache of sheets with 64 bytes for each row. `None` while `lanes` is in use.
    /// The step is kept because an audit needs other rows than solving does.
    rows: Option<(Step, RowSheets)>,
}

impl KeptSheets {
    /// Returns the cache of sheets for enumeration, with a budget of `budget` bytes. Drops the sheets of other steps,
    /// and those of units for which `is_wanted` returns false.
    pub(super) fn lanes(&mut self, budget: u64, is_wanted: impl Fn(usize) -> bool) -> &mut LaneSheets {
        self.rows = None;
        let sheets = self.lanes.get_or_insert_with(|| LaneSheets::new(budget));
        sheets.retain(budget, is_wanted);
        sheets
    }

    /// Like [`KeptSheets::lanes`], but for any step except enumeration. If the last call was for another step, the
    /// cache is empty at first, but reuses the memory of that step's sheets.
    pub(super) fn rows(&mut self, step: Step, budget: u64, is_wanted: impl Fn(usize) -> bool) -> &mut RowSheets {
        self.lanes = None;
        let (of, sheets) = self.rows.get_or_insert_with(|| (step, RowSheets::new(budget)));
        let is_same = std::mem::replace(of, step) == step;
        sheets.retain(budget, |unit| is_same && is_wanted(unit));
        sheets
    }
}
