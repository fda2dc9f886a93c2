//! Records the byte ranges of a file that are in use, to find blocks that overlap.

use std::collections::BTreeMap;
use std::ops::Range;

/// Disjoint byte ranges: a map from start to end. Ranges that touch are merged, so blocks that lie back to back become
/// one range.
#[derive(Default)]
pub struct Extents(BTreeMap<u64, u64>);

impl Extents {
    /// Adds ranges, given in any order. If two ranges overlap, or if one overlaps a range from an earlier call, adds
    /// none and returns false; otherwise returns true. Empty ranges overlap nothing.
    pub fn take(&mut self, ranges: impl Iterator<Item = Range<u64>>) -> bool {
        let mut ranges: Vec<Range<u64>> = ranges.filter(|range| !range.is_empty()).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges.dedup_by(|next, before| {
            let touches = before.end == next.start;
            if touches {
                before.end = next.end;
            }
            touches
        });
        let are_disjoint = ranges.windows(2).all(|pair| pair[0].end < pair[1].start);
        let are_free = are_disjoint && ranges.iter().all(|range| self.is_free(range));
        if are_free {
            ranges.into_iter().for_each(|range| self.insert(range));
        }
        are_free
    }

    fn is_free(&self, range: &Range<u64>) -> bool {
        self.0.range(..range.end).next_back().is_none_or(|(_, &end)| end <= range.start)
    }

    /// Adds a range, which must overlap none of the present ones, and merges it with the ranges that it touches.
    fn insert(&mut self, mut range: Range<u64>) {
        if let Some(end) = self.0.remove(&range.end) {
            range.end = end;
        }
        match self.0.range_mut(..range.start).next_back() {
            Some((_, end)) if *end == range.start => *end = range.end,
            _ => drop(self.0.insert(range.start, range.end)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests all sequences of three ranges against a set of single bytes.
    #[test]
    fn ranges_are_refused_if_they_share_a_byte() {
        let all: Vec<Range<u64>> = (0..5).flat_map(|start| (start..5).map(move |end| start..end)).collect();
        for first in &all {
            for second in &all {
                for third in &all {
                    let (mut extents, mut bytes) = (Extents::default(), vec![false; 5]);
                    for ranges in [&[first][..], &[second, third]] {
                        let mut wanted = bytes.clone();
                        let mut places = ranges.iter().flat_map(|range| (*range).clone());
                        let is_free = places.all(|place| !std::mem::replace(&mut wanted[place as usize], true));
                        assert_eq!(extents.take(ranges.iter().map(|range| (*range).clone())), is_free);
                        bytes = if is_free { wanted } else { bytes };
                    }
                    let taken: u64 = extents.0.iter().map(|(start, end)| end - start).sum();
                    assert_eq!(taken, bytes.iter().filter(|&&byte| byte).count() as u64);
                }
            }
        }
    }

    #[test]
    fn ranges_back_to_back_are_one() {
        let mut extents = Extents::default();
        for start in [30, 10, 20, 0, 40] {
            assert!(extents.take(std::iter::once(start..start + 10)));
        }
        assert!(extents.take([60..70, 50..60, 100..101, 80..80].into_iter()));
        assert_eq!(Vec::from_iter(extents.0), [(0, 70), (100, 101)]);
    }
}
