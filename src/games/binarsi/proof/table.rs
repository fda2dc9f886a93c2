//! Proof numbers by position, for several threads without locks.
//!
//! An entry is two words, a bucket four entries, a cache line:
//!
//! ```text
//! word 0   key of the place, xor word 1: an entry that two threads have written half each belongs to no place
//! word 1   bits 0..26  wins    bits 26..52  loses    bits 52..58  logarithm of the work    bit 63  in use
//! ```

use std::sync::atomic::{AtomicU64, Ordering};

use super::prover::Numbers;

/// What is certain stands for endless numbers.
pub const ENDLESS: u32 = (1 << 26) - 1;

const ENTRIES: usize = 4;
const IN_USE: u64 = 1 << 63;

#[repr(align(64))]
#[derive(Default)]
struct Bucket([[AtomicU64; 2]; ENTRIES]);

/// A table of proof numbers.
pub struct Table {
    buckets: Vec<Bucket>,
}

fn numbers(word: u64) -> Numbers {
    Numbers { wins: word as u32 & ENDLESS, loses: (word >> 26) as u32 & ENDLESS }
}

fn work(word: u64) -> u64 {
    word >> 52 & 63
}

impl Table {
    /// Room of at most so many bytes.
    pub fn new(bytes: u64) -> Table {
        let buckets = 1usize << (bytes as usize / size_of::<Bucket>()).max(1).ilog2();
        Table { buckets: std::iter::repeat_with(Bucket::default).take(buckets).collect() }
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let mixed = (key ^ key >> 31).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        &self.buckets[(mixed >> 24) as usize & (self.buckets.len() - 1)]
    }

    /// The numbers of a place, if it has been seen and not been forgotten.
    pub fn get(&self, key: u64) -> Option<Numbers> {
        self.bucket(key).0.iter().find_map(|entry| {
            let [first, second] = [0, 1].map(|word| entry[word].load(Ordering::Relaxed));
            (first ^ second == key && second != 0).then(|| numbers(second))
        })
    }

    /// Keeps the numbers of a place on which so much work was done, instead of those with the least work if there is no room. What
    /// is decided stays so: another thread may not have heard of it.
    pub fn put(&self, key: u64, numbers: Numbers, done: u64) {
        let entries = &self.bucket(key).0;
        let words = |entry: &[AtomicU64; 2]| [0, 1].map(|word| entry[word].load(Ordering::Relaxed));
        let known = entries.iter().find(|entry| {
            let [first, second] = words(entry);
            first ^ second == key && second != 0
        });
        let Some(entry) = known.or_else(|| entries.iter().min_by_key(|entry| work(words(entry)[1]))) else { return };
        let before = known.map_or(0, |entry| words(entry)[1]);
        if known.is_some() && self::numbers(before).decided().is_some() {
            return;
        }
        let log = u64::from(done.max(1).ilog2()).max(work(before));
        let second = u64::from(numbers.wins) | u64::from(numbers.loses) << 26 | log << 52 | IN_USE;
        entry[0].store(key ^ second, Ordering::Relaxed);
        entry[1].store(second, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_by_their_keys_and_much_work_stays() {
        let table = Table::new(64);
        let some = |wins| Numbers { wins, loses: ENDLESS };
        assert_eq!(table.get(0), None);
        table.put(0, some(3), 1 << 30);
        for key in 1..100 {
            table.put(key, some(key as u32), 1);
            assert_eq!(table.get(key), Some(some(key as u32)));
        }
        table.put(0, some(0), 1);
        assert_eq!(table.get(0), Some(some(0)));
        table.put(0, some(5), 1 << 40);
        assert_eq!(table.get(0), Some(some(0)), "what is decided stays");
        for key in 100..200 {
            table.put(key, some(7), 2);
        }
        assert_eq!(table.get(0), Some(some(0)), "what took most work stays");
        assert_eq!((1..200).filter(|&key| table.get(key).is_some()).count(), ENTRIES - 1);
    }
}
