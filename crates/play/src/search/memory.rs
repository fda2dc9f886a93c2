//! What a search has found, by fingerprint: a table that all its threads share.
//!
//! An entry is two words: the fingerprint, mixed with the other word so that an entry that two threads wrote at once is not
//! found instead of being wrong, and
//!
//! ```text
//! bits 0..16   score, two's complement     bits 16..24   depth     bits 24..26   bound     bits 26..32   age
//! bits 32..64  where to find the best move again
//! ```
//!
//! Four entries side by side are a bucket. A position goes to one of its bucket that is of an earlier search or, if there is
//! none, to the one that was looked at least deep.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a score bounds the value of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub score: i16,
    /// Plies that were looked ahead.
    pub depth: u8,
    pub bound: Bound,
    /// Where to find the best move again, as the search has it.
    pub hint: u32,
}

impl Entry {
    fn to_word(self, age: u8) -> u64 {
        u64::from(self.score as u16)
            | u64::from(self.depth) << 16
            | (self.bound as u64) << 24
            | u64::from(age) << 26
            | u64::from(self.hint) << 32
    }

    fn from_word(word: u64) -> Entry {
        let bound = match word >> 24 & 3 {
            0 => Bound::Exact,
            1 => Bound::AtLeast,
            _ => Bound::AtMost,
        };
        Entry { score: word as u16 as i16, depth: (word >> 16) as u8, bound, hint: (word >> 32) as u32 }
    }
}

fn age_of(word: u64) -> u8 {
    (word >> 26 & 63) as u8
}

const ENTRIES: usize = 4;
type Bucket = [[AtomicU64; 2]; ENTRIES];

/// Searches told apart; a word of 0 is of none.
const AGES: u8 = 63;

/// The table.
pub struct Memory {
    buckets: Vec<Bucket>,
    age: u8,
}

/// Spreads a word over all its bits.
#[inline]
fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ word >> 29
}

impl Memory {
    /// Room of at most so many bytes, but at least for one bucket.
    pub fn new(bytes: usize) -> Memory {
        let buckets = 1usize << (bytes / size_of::<Bucket>()).max(1).ilog2();
        // Pages fresh from the system cost nothing until they are touched.
        Memory { buckets: bytemuck::zeroed_vec(buckets), age: 0 }
    }

    /// Forgets everything: what was kept before is not found any more.
    pub fn forget(&mut self) {
        self.age += 1;
        if self.age > AGES {
            self.age = 1;
            self.buckets.iter_mut().flatten().flatten().for_each(|word| *word.get_mut() = 0);
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[(mixed(key) >> 24) as usize & (self.buckets.len() - 1)]
    }

    /// The words of what is known of a key, with its place in the bucket.
    #[inline]
    fn find(&self, bucket: &Bucket, key: u64) -> Option<(usize, u64)> {
        (0..ENTRIES).find_map(|at| {
            let [first, second] = &bucket[at];
            let word = second.load(Ordering::Relaxed);
            let same = first.load(Ordering::Relaxed) ^ word == key && age_of(word) == self.age;
            same.then_some((at, word))
        })
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.find(self.bucket(key), key).map(|(_, word)| Entry::from_word(word))
    }

    /// Keeps what has been found of a position.
    #[inline]
    pub fn put(&self, key: u64, entry: Entry) {
        let bucket = self.bucket(key);
        let worth = |at: &usize| {
            let word = bucket[*at][1].load(Ordering::Relaxed);
            if age_of(word) == self.age { 1 + u32::from(Entry::from_word(word).depth) } else { 0 }
        };
        let at = self.find(bucket, key).map(|(at, _)| at).or_else(|| (0..ENTRIES).min_by_key(worth)).unwrap_or(0);
        let word = entry.to_word(self.age);
        bucket[at][0].store(key ^ word, Ordering::Relaxed);
        bucket[at][1].store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i16, depth: u8) -> Entry {
        Entry { score, depth, bound: Bound::AtMost, hint: 0xdead_beef }
    }

    #[test]
    fn entries_are_found_by_their_keys_alone() {
        let mut memory = Memory::new(300);
        assert_eq!(memory.buckets.len(), 4);
        memory.forget();
        for key in 0..50 {
            memory.put(key, entry(-(key as i16), key as u8));
            assert_eq!(memory.get(key), Some(entry(-(key as i16), key as u8)));
        }
        let kept = (0..50).filter(|&key| memory.get(key).is_some()).count();
        assert!((8..=16).contains(&kept), "{kept}");
        for _ in 0..3 * AGES {
            memory.forget();
            assert!((0..50).all(|key| memory.get(key).is_none()));
        }
    }

    #[test]
    fn words_keep_all_of_an_entry() {
        for bound in [Bound::Exact, Bound::AtLeast, Bound::AtMost] {
            for score in [i16::MIN, -1, 0, 1, 32_000, i16::MAX] {
                let entry = Entry { score, depth: 100, bound, hint: u32::MAX };
                assert_eq!(Entry::from_word(entry.to_word(AGES)), entry);
                assert_eq!(age_of(entry.to_word(AGES)), AGES);
            }
        }
    }

    #[test]
    fn the_deepest_of_a_bucket_stay() {
        let mut memory = Memory::new(1);
        memory.forget();
        memory.put(7, entry(1, 9));
        for key in 100..120 {
            memory.put(key, entry(2, 1));
        }
        assert_eq!(memory.get(7), Some(entry(1, 9)));
        assert_eq!(memory.get(119), Some(entry(2, 1)));
        memory.forget();
        for key in 100..104 {
            memory.put(key, entry(2, 1));
        }
        assert!((100..104).all(|key| memory.get(key).is_some()));
    }
}
