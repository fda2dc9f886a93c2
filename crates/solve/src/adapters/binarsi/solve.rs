//! What Binarsi adds to the kernel of tiers.

use std::path::Path;

use crate::adapter::Adapter;
use crate::certificate::open_strategy;
use crate::estimate::{self, Estimate, Limits};
use crate::{Costs, Strategy};
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::goal::Goal;
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

impl<V: Goal> Adapter for BinarsiOf<V> {
    const COSTS: Costs = Costs { table: 0.33, work: 0.25, rate: 8e6 };

    fn estimate_from(&self, root: &Position) -> Estimate {
        estimate::positions(self, root, Limits::default())
    }

    fn strategy(&self, source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        open_strategy(self, source, path)
    }
}
