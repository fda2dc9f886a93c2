//! Finds keys in an ascending list with few cache misses.

/// An index of an ascending list of keys, by their leading bits. A search in the list reads one entry of the index and a
/// few neighbouring keys. A binary search of the whole list misses the cache at most of its steps.
///
/// The index takes at most half a byte for each key. Lists of more than `u32::MAX` keys, and short lists, have no index;
/// they are searched as a whole.
pub struct KeyIndex {
    least: u64,
    /// The number of low bits in which the keys of a bucket may differ.
    shift: u32,
    /// The index of the first key of each bucket in the list, then the length of the list. Empty without an index.
    first: Vec<u32>,
}

impl KeyIndex {
    /// The mean number of keys in a bucket, if the keys are evenly distributed.
    const EACH: usize = 8;
    /// The minimum length of a list with an index. Shorter lists fit the cache.
    const MIN_LEN: usize = 1 << 12;

    /// Makes the index of a list of distinct keys in ascending order.
    pub fn new(keys: &[u64]) -> KeyIndex {
        let mut index = KeyIndex { least: 0, shift: 0, first: Vec::new() };
        let (Some(&least), Some(&most), Ok(_)) = (keys.first(), keys.last(), u32::try_from(keys.len())) else {
            return index;
        };
        if keys.len() < KeyIndex::MIN_LEN {
            return index;
        }
        let buckets = (keys.len() / KeyIndex::EACH) as u64;
        index.least = least;
        while (most - least) >> index.shift >= buckets {
            index.shift += 1;
        }
        index.first.reserve_exact(buckets as usize + 1);
        for (at, &key) in keys.iter().enumerate() {
            index.first.resize(index.bucket(key) + 1, at as u32);
        }
        index.first.push(keys.len() as u32);
        index
    }

    fn bucket(&self, key: u64) -> usize {
        ((key - self.least) >> self.shift) as usize
    }

    /// Returns the index of a key in the list that the index was made for, or `None` if the list does not have it.
    #[inline]
    pub fn find(&self, keys: &[u64], key: u64) -> Option<usize> {
        if self.first.is_empty() {
            return keys.binary_search(&key).ok();
        }
        if key < self.least {
            return None;
        }
        let bucket = self.bucket(key);
        let [start, end] = [*self.first.get(bucket)?, *self.first.get(bucket + 1)?].map(|at| at as usize);
        keys[start..end].binary_search(&key).ok().map(|at| start + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_and_others_are_not() {
        let spread = |factor: u64| (0..10_000u64).map(move |at| at.wrapping_mul(factor) >> 3);
        let mut lists: Vec<Vec<u64>> = vec![vec![], vec![7], (0..5000).collect()];
        for factor in [3, 0x9e37_79b9_7f4a_7c15, 1 << 50] {
            lists.push(spread(factor).chain([0, u64::MAX]).collect());
        }
        // Most keys are in one bucket.
        lists.push((0..9000).chain([1 << 63]).collect());
        for keys in &mut lists {
            keys.sort_unstable();
            keys.dedup();
            let index = KeyIndex::new(keys);
            assert_eq!(index.first.is_empty(), keys.len() < KeyIndex::MIN_LEN);
            assert!(index.first.len() <= keys.len() / KeyIndex::EACH + 1);
            for (at, &key) in keys.iter().enumerate() {
                assert_eq!(index.find(keys, key), Some(at));
                for other in [key.wrapping_sub(1), key.wrapping_add(1)] {
                    assert_eq!(index.find(keys, other), keys.binary_search(&other).ok());
                }
            }
        }
    }
}
