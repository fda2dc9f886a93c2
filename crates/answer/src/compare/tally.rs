//! Counts how often each pair of values occurs, and keeps examples.

use std::collections::BinaryHeap;

use xxhash_rust::xxh3::xxh3_64;

use super::change::{Ranking, ValueChange, pair_at_index, pair_index};

/// The variant whose table lacks a position because the game is over there by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    Nowhere,
    InFirst,
    InSecond,
}

/// A position kept as an example. The derived order is the display order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExampleEntry {
    /// The sort key that [`Ranking::of`] returns for `bytes`.
    place: u16,
    /// A hash of the key in the first variant. It orders examples with equal sort keys, so that they come from all
    /// parts of the table.
    lot: u64,
    /// The key in each variant.
    pub keys: [u64; 2],
    /// The value byte in the table of each variant, or 0 if the variant does not have the position.
    pub bytes: [u8; 2],
}

/// Counts and examples of one group of positions ([`Over`]).
pub struct GroupTally {
    /// The number of positions for each pair of value bytes, indexed by [`pair_index`].
    counts: Vec<u64>,
    /// The examples of each kind of change, in the order of [`Ranking::kinds`].
    examples: Vec<Nearest>,
}

impl GroupTally {
    /// Creates an empty group that keeps at most `examples` positions of each kind of change.
    fn new(examples: usize) -> GroupTally {
        let nearest = |_| Nearest { most: examples, heap: BinaryHeap::new() };
        GroupTally { counts: vec![0; 1 << 16], examples: (0..ValueChange::KINDS).map(nearest).collect() }
    }

    #[inline]
    fn add(&mut self, keys: [u64; 2], bytes: [u8; 2], ranking: &Ranking) {
        self.counts[pair_index(bytes)] += 1;
        if let Some((change, place)) = ranking.of(bytes) {
            self.examples[change].offer(place, keys, bytes);
        }
    }

    /// Merges two groups. The result does not depend on their order.
    fn merged(mut self, other: GroupTally) -> GroupTally {
        self.counts.iter_mut().zip(&other.counts).for_each(|(mine, theirs)| *mine += theirs);
        for (mine, theirs) in self.examples.iter_mut().zip(other.examples) {
            theirs.heap.into_iter().for_each(|found| mine.insert(found));
        }
        self
    }

    /// Returns the pairs of value bytes that occurred, one byte from each variant's table, with their counts. A byte is
    /// 0 if its variant does not have the position.
    pub fn counts(&self) -> impl Iterator<Item = ([u8; 2], u64)> {
        self.counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(place, &count)| (pair_at_index(place), count))
    }

    /// Returns one list of examples for each kind of change, each in display order.
    pub fn into_examples(self) -> Vec<Vec<ExampleEntry>> {
        self.examples.into_iter().map(|nearest| nearest.heap.into_sorted_vec()).collect()
    }
}

/// Counts of all compared positions, with some examples.
pub struct ComparisonTally {
    /// The groups, indexed by [`Over`].
    pub groups: [GroupTally; 3],
}

impl ComparisonTally {
    /// Creates an empty tally that keeps at most `examples` positions of each kind of change in each group.
    pub fn new(examples: usize) -> ComparisonTally {
        ComparisonTally { groups: [(); 3].map(|()| GroupTally::new(examples)) }
    }

    /// Adds a position by its keys and value bytes in both variants.
    #[inline]
    pub fn add(&mut self, over: Over, keys: [u64; 2], bytes: [u8; 2], ranking: &Ranking) {
        self.groups[over as usize].add(keys, bytes, ranking);
    }

    /// Merges two tallies. The result does not depend on their order.
    pub fn merged(self, other: ComparisonTally) -> ComparisonTally {
        let mut theirs = other.groups.into_iter();
        ComparisonTally { groups: self.groups.map(|mine| mine.merged(theirs.next().expect("as many groups"))) }
    }
}

/// A collection that keeps the `most` examples that come first in display order.
struct Nearest {
    most: usize,
    /// A max-heap, with the example that comes last in display order on top.
    heap: BinaryHeap<ExampleEntry>,
}

impl Nearest {
    #[inline]
    fn offer(&mut self, place: u16, keys: [u64; 2], bytes: [u8; 2]) {
        if self.heap.len() < self.most || self.heap.peek().is_some_and(|last| place <= last.place) {
            self.insert(ExampleEntry { place, lot: xxh3_64(&keys[0].to_le_bytes()), keys, bytes });
        }
    }

    fn insert(&mut self, found: ExampleEntry) {
        if self.heap.len() < self.most {
            self.heap.push(found);
        } else if let Some(mut last) = self.heap.peek_mut()
            && found < *last
        {
            *last = found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::ValueCodec;

    #[test]
    fn the_same_examples_stay_in_any_order() {
        let ranking = Ranking::new(ValueCodec::Distance);
        let fill = |examples: usize, keys: &mut dyn Iterator<Item = u64>| {
            let mut tally = ComparisonTally::new(examples);
            // The first value is a win in 2 to 6 plies, the second a draw.
            keys.for_each(|key| tally.add(Over::InFirst, [key, 0], [130 + (key * 7 % 5) as u8, 1], &ranking));
            tally
        };
        let examples = |tally: ComparisonTally| {
            let [_, group, _] = tally.groups;
            group.into_examples().swap_remove(0)
        };
        let expected = examples(fill(30, &mut (0..100)));
        let places: Vec<u16> = expected.iter().map(|found| found.place).collect();
        assert_eq!(places, [[2; 20].as_slice(), &[3; 10]].concat(), "the 20 nearest, then those a ply further");
        let split = fill(30, &mut (0..50).rev()).merged(fill(30, &mut (50..100)));
        assert_eq!(examples(split), expected);
        assert_eq!(examples(fill(0, &mut (0..9))), []);
    }
}
