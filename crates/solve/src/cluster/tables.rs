//! The table of a run whose tiers are all there.

use std::ops::Range;
use std::path::Path;

use super::run::{ClusterRun, Step};
use crate::tiers::Tiered;
use crate::{Result, SolveError};
use yomikiri_rules::Value;
use yomikiri_table::{Assembly, Contents, Entry, IndexKind, Meta, TableError, Tally};

impl<G: Tiered> ClusterRun<'_, G> {
    /// The sections of values in the order of a run on one machine: the last tier first.
    fn order(&self) -> impl Iterator<Item = usize> {
        (0..self.graph.len()).rev()
    }

    /// Where everything lies in the table. All tiers have to be solved, and those that are cut packed.
    pub fn assembly(&self) -> Result<Assembly> {
        let entries: Vec<Entry> = self.order().map(|tier| self.tier_entry(tier)).collect::<Result<_>>()?;
        let mut tally = Tally::default();
        entries.iter().for_each(|entry| tally.merge(&entry.tally));
        let (start, identity) = (self.game.start(), self.identity(Step::Solve.folder()));
        let contents = Contents {
            kind: IndexKind::Tiers,
            value_codec: G::Value::CODEC as u8,
            rule_code: &identity.rule_code,
            rules_revision: identity.rules_revision,
            positions: tally.positions(),
        };
        let (root, root_key) = (self.game.position_text(&start), self.game.rank(&start));
        let meta = Meta { root, root_key, tally, ended: Default::default() };
        Ok(Assembly::new(&entries, &contents, &meta))
    }

    /// Writes a range of the table's bytes into a file. The hashes of the blocks are checked on the way.
    pub fn write_piece(&self, assembly: &Assembly, range: Range<u64>, name: &str) -> Result<()> {
        let order: Vec<usize> = self.order().collect();
        let packed = |at: usize| {
            let section = self.packed(order[at]);
            section.map_err(|error| foreign(&self.storage.path(&self.packed_name(order[at])), error))?.into_packed()
        };
        let bytes = assembly.bytes(range, packed)?;
        self.put_bytes(name, bytes)
    }
}

/// An error of another kind about a file.
fn foreign(path: &Path, error: SolveError) -> TableError {
    match error {
        SolveError::Table(error) => error,
        other => TableError::foreign(path, other.to_string()),
    }
}
