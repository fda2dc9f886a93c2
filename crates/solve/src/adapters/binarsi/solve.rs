//! The [`Adapter`] of Binarsi.

use crate::Costs;
use crate::adapter::Adapter;
use crate::estimate::{self, Estimate, Limits};
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::goal::Goal;

impl<V: Goal> Adapter for BinarsiOf<V> {
    fn costs(&self) -> Costs {
        Costs { table: 0.33, work: 0.25, rate: 8e6 }
    }

    fn estimate_from(&self, root: &Position, limits: Limits) -> Estimate {
        estimate::positions(self, root, limits)
    }
}
