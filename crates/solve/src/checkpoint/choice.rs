//! Which entries of a table a checkpoint has room for.

use super::kind::{Kind, RANKS};

/// Entries of a rank and higher.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    least: usize,
}

impl Choice {
    /// The most of these entries of which there are at most so many.
    pub fn of<K: Kind>(entries: impl Iterator<Item = K::Entry>, most: u64) -> Choice {
        let mut counts = [0u64; RANKS];
        entries.for_each(|entry| counts[K::rank(&entry)] += 1);
        let mut sum = 0;
        let fits = |&rank: &usize| {
            sum += counts[rank];
            sum <= most
        };
        Choice { least: (0..RANKS).rev().take_while(fits).last().unwrap_or(RANKS) }
    }

    pub fn takes<K: Kind>(&self, entry: &K::Entry) -> bool {
        K::rank(entry) >= self.least
    }
}

/// These entries until `go_on`, called many times a second, returns false.
pub fn watched<E>(entries: impl Iterator<Item = E>, go_on: &mut dyn FnMut() -> bool) -> impl Iterator<Item = E> {
    /// Entries between two calls.
    const CALL_INTERVAL: u32 = 1 << 16;
    let mut seen = 0u32;
    entries.take_while(move |_| {
        seen = seen.wrapping_add(1);
        !seen.is_multiple_of(CALL_INTERVAL) || go_on()
    })
}
