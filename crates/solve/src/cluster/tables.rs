//! Assembles the table of a run whose tiers are all solved.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::run::{ClusterRun, Step};
use crate::tiers::Tiered;
use crate::{Result, SolveError};
use yomikiri_table::format::MAGIC;
use yomikiri_table::{Assembly, Contents, IndexKind, Meta, PutPolicy, SectionRecord, TableError, Tally, pieces};

/// The number of bytes at the beginning of a piece of a table by which the piece is recognised.
const COMPARED: usize = 4096;

impl<G: Tiered> ClusterRun<'_, G> {
    /// Returns the tiers in the order of their sections, as a run on one machine writes them: the last tier first.
    fn order(&self) -> impl Iterator<Item = usize> {
        (0..self.graph.len()).rev()
    }

    /// Lays out the table. All tiers must be solved, and cut tiers must also be packed.
    pub fn assembly(&self) -> Result<Assembly> {
        let entries: Vec<SectionRecord> = self.order().map(|tier| self.tier_entry(tier)).collect::<Result<_>>()?;
        let mut tally = Tally::default();
        entries.iter().for_each(|entry| tally.merge(&entry.tally));
        let (start, identity) = (self.game.start(), self.identity(Step::Solve.folder()));
        let contents = Contents {
            kind: IndexKind::Tiers,
            value_codec: self.game.codec() as u8,
            rule_code: &identity.rule_code,
            rules_revision: identity.rules_revision,
            positions: tally.positions(),
        };
        let (root, root_key) = (self.game.position_text(&start), self.game.rank(&start));
        let meta = Meta { root, root_key, tally, ended: Default::default() };
        Ok(Assembly::new(&entries, &contents, &meta))
    }

    /// Writes a piece of the table, the bytes in `range`, to the file `name`. Checks the hashes of the blocks on the
    /// way. The first piece of a table replaces an existing file only if the file begins as a table does. A later piece
    /// replaces any file if the first piece of its table exists. Otherwise it replaces only a file that begins with the
    /// same bytes as the piece itself.
    pub fn write_piece(&self, assembly: &Assembly, range: Range<u64>, name: &str) -> Result<()> {
        let order: Vec<usize> = self.order().collect();
        let packed = |at: usize| {
            let section = self.packed(order[at]);
            section.map_err(|error| foreign(&self.storage.path(&self.packed_name(order[at])), error))?.into_packed()
        };
        let bytes = assembly.bytes(range, packed)?;
        self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let first = bytes[..bytes.len().min(COMPARED)].to_vec();
        let over = match self.is_beside_first(name)? {
            true => PutPolicy::Any,
            false if first.starts_with(&MAGIC) => {
                PutPolicy::Beginning { what: "a table of this program", first: &MAGIC }
            }
            false => PutPolicy::Beginning { what: "this piece of the table", first: &first },
        };
        Ok(self.storage.put(name, bytes, over)?)
    }

    /// Returns true if `name` is a later piece of a table whose first piece exists.
    fn is_beside_first(&self, name: &str) -> Result<bool> {
        let first = pieces::whole_of(Path::new(name)).map(|whole| pieces::piece(&whole, 0));
        let Some(first) = first.as_deref().and_then(Path::to_str).filter(|first| *first != name) else {
            return Ok(false);
        };
        let Some(file) = self.storage.open(first)? else { return Ok(false) };
        let end = file.length().min(MAGIC.len() as u64);
        let bytes = file.read_at(0..end).map_err(TableError::read(&self.storage.path(first)))?;
        Ok(*bytes == MAGIC)
    }
}

/// Turns an error that names no file into an error about the file at `path`.
fn foreign(path: &Path, error: SolveError) -> TableError {
    match error {
        SolveError::Table(error) => error,
        other => TableError::foreign(path, other.to_string()),
    }
}
