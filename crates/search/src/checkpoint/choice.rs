//! Chooses the entries of a table that a checkpoint has room for.

use super::kind::{Kind, PRIORITIES};

/// The entries of a table that are written to a checkpoint: all entries with a priority of at least `least`.
#[derive(Debug, PartialEq, Eq)]
pub struct EntryChoice {
    least: usize,
}

impl EntryChoice {
    /// Chooses the entries of the highest priorities. The least priority that is chosen is the lowest for which at most
    /// `most` entries are chosen.
    pub fn of<K: Kind>(entries: &mut dyn Iterator<Item = K::Entry>, most: u64) -> EntryChoice {
        let mut counts = [0u64; PRIORITIES];
        entries.for_each(|entry| counts[K::priority(&entry)] += 1);
        let mut sum = 0;
        let fits = |&priority: &usize| {
            sum += counts[priority];
            sum <= most
        };
        EntryChoice { least: (0..PRIORITIES).rev().take_while(fits).last().unwrap_or(PRIORITIES) }
    }

    pub fn takes<K: Kind>(&self, entry: &K::Entry) -> bool {
        K::priority(entry) >= self.least
    }
}

/// Passes entries on until `go_on`, which is called many times a second, returns false.
pub fn watched<E>(entries: impl Iterator<Item = E>, go_on: &mut dyn FnMut() -> bool) -> impl Iterator<Item = E> {
    /// The number of entries between two calls of `go_on`.
    const CALL_INTERVAL: u32 = 1 << 16;
    let mut seen = 0u32;
    entries.take_while(move |_| {
        seen = seen.wrapping_add(1);
        !seen.is_multiple_of(CALL_INTERVAL) || go_on()
    })
}
