//! The pyonpyon game for the kernel that analyses all positions: its ends, and the rows in which the children of
//! positions lie together.

use super::audit;
use super::graph::{self, Seen};
use super::move_tables::MoveTables;
use super::rows::RowOfChildren;
use crate::retrograde::{Complete, Members, Verdict};
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::{Outcome, Side};

impl Complete for Pyonpyon {
    type AuditData = MoveTables;

    /// Returns all terminal positions. To find them, takes each set of pieces as the pieces of one side. Adds the
    /// pieces with which the other side completes its winning pattern against them. Does this for both sides. Only one
    /// set of pieces completes a pattern against given pieces: it has one piece in each file, and a side has no more
    /// pieces.
    fn ends(&self) -> Vec<(u32, Outcome)> {
        let mut ends = Vec::new();
        for &own in self.index.own_sets() {
            let lost = Seen { own, other: self.rules.completing(Side::White, own) };
            let won = Seen { own: self.rules.completing(Side::Black, own), other: own };
            for seen in [lost, won].into_iter().filter(|seen| seen.own & seen.other == 0) {
                ends.extend(graph::outcome(self, &seen).map(|outcome| (self.index.key(seen.own, seen.other), outcome)));
            }
        }
        ends.sort_unstable_by_key(|&(key, _)| key);
        ends.dedup();
        ends
    }

    fn parts(&self) -> u32 {
        self.index.rows() as u32
    }

    fn lost_before(&self, part: u32, frontier: &impl Members, won: &impl Members, found: impl FnMut(u32)) {
        RowOfChildren::new(self, part as usize).lost_before(frontier, won, found);
    }

    fn won_before(&self, part: u32, frontier: &impl Members, won: &impl Members, found: impl FnMut(u32)) {
        RowOfChildren::new(self, part as usize).won_before(frontier, won, found);
    }

    fn audit_data(&self) -> MoveTables {
        MoveTables::new(self)
    }

    fn check_part(
        &self,
        tables: &MoveTables,
        part: u32,
        bytes: &[u8],
        worth: &[u8; 256],
        check: impl FnMut(u32, Verdict),
    ) {
        audit::check_row(self, tables, part as usize, bytes, worth, check);
    }
}
