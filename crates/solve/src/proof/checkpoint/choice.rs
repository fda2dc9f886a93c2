//! Which entries of a table a checkpoint has room for.

use crate::proof::game::ProofGame;
use crate::proof::table::{Entry, TranspositionTable};

/// Solved entries rank as unsolved ones with so many times the work (a logarithm to base 2): they save all of it,
/// while the numbers of unsolved positions follow from those below.
const SOLVED: usize = 4;

/// Ranks there are.
const RANKS: usize = 64 + SOLVED;

/// Entries of a rank and higher.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    least: usize,
}

fn rank(entry: &Entry) -> usize {
    usize::from(entry.work) + if entry.numbers.mover_wins().is_some() { SOLVED } else { 0 }
}

impl Choice {
    /// The most of these entries of which there are at most so many.
    pub fn of(entries: impl Iterator<Item = Entry>, most: u64) -> Choice {
        let mut counts = [0u64; RANKS];
        entries.for_each(|entry| counts[rank(&entry)] += 1);
        let mut sum = 0;
        let fits = |&rank: &usize| {
            sum += counts[rank];
            sum <= most
        };
        Choice { least: (0..RANKS).rev().take_while(fits).last().unwrap_or(RANKS) }
    }

    pub fn takes(&self, entry: &Entry) -> bool {
        rank(entry) >= self.least
    }
}

/// All entries of a table until `go_on`, called many times a second, returns false.
pub fn watched<'a, P: ProofGame>(
    table: &'a TranspositionTable<P>,
    go_on: &'a mut dyn FnMut() -> bool,
) -> impl Iterator<Item = Entry> + 'a {
    /// Entries between two calls.
    const CALL_INTERVAL: u32 = 1 << 16;
    let mut seen = 0u32;
    table.entries().take_while(move |_| {
        seen = seen.wrapping_add(1);
        !seen.is_multiple_of(CALL_INTERVAL) || go_on()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::ProofNumbers;

    #[test]
    fn what_took_most_work_is_chosen_and_what_is_solved() {
        let open = |work| Entry { key: 0, numbers: ProofNumbers::UNIT, work };
        let solved = |work| Entry { key: 0, numbers: ProofNumbers::LOSS, work };
        let all = || (0..64).map(open).chain((0..20).map(solved));
        let chosen = |most| {
            let choice = Choice::of(all(), most);
            all().filter(|entry| choice.takes(entry)).count()
        };
        // Unsolved ones have the ranks 0 to 63, solved ones 4 to 23.
        assert_eq!([0, 1, 5, 40, 41, 42, 43, 44, 84, u64::MAX].map(chosen), [0, 1, 5, 40, 40, 42, 42, 44, 84, 84]);
        let choice = Choice::of(all(), 43);
        assert!(choice.takes(&solved(19)) && choice.takes(&open(23)) && !choice.takes(&solved(17)));
        assert_eq!(Choice::of(std::iter::empty(), 0), Choice { least: 0 });
    }
}
