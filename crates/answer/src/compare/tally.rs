//! What was found so far: counts by pairs of values, and examples.

use std::collections::BinaryHeap;

use xxhash_rust::xxh3::xxh3_64;

use super::change::{Change, Ranking, pair_at, pair_place};

/// Where the game is over. Positions that are over in both variants are in no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    Nowhere,
    InFirst,
    InSecond,
}

/// A position as it is kept for an example. Ordered by what is shown first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Place of [`Ranking::of`].
    place: u16,
    /// Hash of its first key: positions of the same place come from anywhere.
    lot: u64,
    /// Its key in either variant.
    pub keys: [u64; 2],
    /// Its table byte in either variant, 0 if that does not have it.
    pub bytes: [u8; 2],
}

/// Counts and examples of positions that are over in the same variant, if in any.
pub struct Group {
    /// By [`pair_place`].
    counts: Vec<u64>,
    /// By number in [`Ranking::kinds`].
    examples: Vec<Nearest>,
}

impl Group {
    /// Nothing yet; at most `examples` positions are kept of each change.
    fn new(examples: usize) -> Group {
        let nearest = |_| Nearest { most: examples, heap: BinaryHeap::new() };
        Group { counts: vec![0; 1 << 16], examples: (0..Change::KINDS).map(nearest).collect() }
    }

    #[inline]
    fn add(&mut self, keys: [u64; 2], bytes: [u8; 2], ranking: &Ranking) {
        self.counts[pair_place(bytes)] += 1;
        if let Some((change, place)) = ranking.of(bytes) {
            self.examples[change].offer(place, keys, bytes);
        }
    }

    /// Both together; the order does not matter.
    fn merged(mut self, other: Group) -> Group {
        self.counts.iter_mut().zip(&other.counts).for_each(|(mine, theirs)| *mine += theirs);
        for (mine, theirs) in self.examples.iter_mut().zip(other.examples) {
            theirs.heap.into_iter().for_each(|found| mine.insert(found));
        }
        self
    }

    /// The pairs of bytes that were counted, 0 where a variant does not have a position, and how often.
    pub fn counts(&self) -> impl Iterator<Item = ([u8; 2], u64)> {
        self.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(place, &count)| (pair_at(place), count))
    }

    /// The examples of each change, in the order in which they are shown.
    pub fn into_examples(self) -> Vec<Vec<Found>> {
        self.examples.into_iter().map(|nearest| nearest.heap.into_sorted_vec()).collect()
    }
}

/// Everything found.
pub struct Tally {
    /// By [`Over`].
    pub groups: [Group; 3],
}

impl Tally {
    /// Nothing yet; at most `examples` positions are kept of each change in a group.
    pub fn new(examples: usize) -> Tally {
        Tally { groups: [(); 3].map(|()| Group::new(examples)) }
    }

    /// Adds a position by its keys and bytes in both variants.
    #[inline]
    pub fn add(&mut self, over: Over, keys: [u64; 2], bytes: [u8; 2], ranking: &Ranking) {
        self.groups[over as usize].add(keys, bytes, ranking);
    }

    /// Both together; the order does not matter.
    pub fn merged(self, other: Tally) -> Tally {
        let mut theirs = other.groups.into_iter();
        Tally { groups: self.groups.map(|mine| mine.merged(theirs.next().expect("as many groups"))) }
    }
}

/// The first few of many.
struct Nearest {
    most: usize,
    /// The last of them on top.
    heap: BinaryHeap<Found>,
}

impl Nearest {
    #[inline]
    fn offer(&mut self, place: u16, keys: [u64; 2], bytes: [u8; 2]) {
        if self.heap.len() < self.most || self.heap.peek().is_some_and(|last| place <= last.place) {
            self.insert(Found { place, lot: xxh3_64(&keys[0].to_le_bytes()), keys, bytes });
        }
    }

    fn insert(&mut self, found: Found) {
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
    use yomikiri_rules::Distance;

    #[test]
    fn the_same_examples_stay_in_any_order() {
        let ranking = Ranking::new::<Distance>();
        let fill = |examples: usize, keys: &mut dyn Iterator<Item = u64>| {
            let mut tally = Tally::new(examples);
            // Won in 2 to 6 plies, then drawn.
            keys.for_each(|key| tally.add(Over::InFirst, [key, 0], [130 + (key * 7 % 5) as u8, 1], &ranking));
            tally
        };
        let examples = |tally: Tally| {
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
