//! A transposition table that all threads of a search share without locks.
//!
//! An entry consists of the words of its key and one word of content. The words of the key are XORed with a hash of the
//! content. If two threads write an entry at once, its key no longer matches its content (a torn entry), and no look-up
//! finds it. A key can be in any slot of its bucket. Buckets are aligned to their size:
//!
//! ```text
//! keys of one word    4 entries of 2 words, 64 bytes
//! keys of two words   5 entries of 3 words and one word unused, 128 bytes
//! ```

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::Result;
use yomikiri_table::memory::{RefusedMemory, Zeros, prefetch};

/// The key of an entry: either a fingerprint of a position or an encoding of the whole position. The latter rules out
/// collisions.
pub trait Key: Copy {
    /// The number of words of a key.
    const WORDS: usize;
    /// The number of words in a bucket. It is a power of two, so that a bucket is part of one cache line or fills whole
    /// lines.
    const BUCKET_WORDS: usize;

    /// Returns the word at an index, from 0 to `WORDS` - 1.
    fn word(self, at: usize) -> u64;

    /// Builds a key from its words. `word` returns the word at an index.
    fn from_words(word: impl Fn(usize) -> u64) -> Self;

    /// The hash of the key. Its lowest bits select the bucket.
    fn hash(self) -> u64;
}

impl Key for u64 {
    const WORDS: usize = 1;
    const BUCKET_WORDS: usize = 8;

    #[inline(always)]
    fn word(self, _: usize) -> u64 {
        self
    }

    fn from_words(word: impl Fn(usize) -> u64) -> u64 {
        word(0)
    }

    #[inline(always)]
    fn hash(self) -> u64 {
        let hash = (self ^ self >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash ^ hash >> 29) >> 24
    }
}

impl Key for [u64; 2] {
    const WORDS: usize = 2;
    const BUCKET_WORDS: usize = 16;

    #[inline(always)]
    fn word(self, at: usize) -> u64 {
        self[at]
    }

    fn from_words(word: impl Fn(usize) -> u64) -> [u64; 2] {
        [word(0), word(1)]
    }

    #[inline(always)]
    fn hash(self) -> u64 {
        let hash = self[0].wrapping_mul(0xff51_afd7_ed55_8ccd) ^ self[1].rotate_left(32);
        let hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        hash ^ hash >> 32
    }
}

/// The content of an entry. It is packed into one word together with its age, a small number that differs from search
/// to search.
pub trait PackedEntry: Copy {
    /// Returns the age of the next search after a search of age `age`, or `None` if the entry format has no further
    /// age.
    fn next_age(age: u8) -> Option<u8>;

    /// Packs the entry. The result is never 0, which marks an empty slot.
    fn to_word(self, age: u8) -> u64;

    /// Unpacks an entry. The inverse of [`PackedEntry::to_word`], except for the age.
    fn from_word(word: u64) -> Self;

    /// Returns true if a search of age `age` may use the entry `word`; false if `word` is 0.
    fn is_found(word: u64, age: u8) -> bool;

    /// Returns the worth of an entry in a search of age `age`. The entry with the least worth is replaced first. An
    /// entry of no further use has worth 0.
    fn worth(word: u64, age: u8) -> u32;
}

/// A transposition table that threads share without locks.
pub struct TranspositionTable<K, E> {
    words: Zeros<AtomicU64>,
    /// The number of buckets; a power of two.
    buckets: usize,
    /// The number of buckets in use, minus one. The number of buckets in use is a power of two.
    mask: AtomicUsize,
    age: AtomicU8,
    of: PhantomData<fn(K) -> E>,
}

/// Mixes the bits of a word.
#[inline(always)]
fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9fb2_1c65_1e98_df25);
    word ^ word >> 29
}

impl<K: Key, E: PackedEntry> TranspositionTable<K, E> {
    const ENTRIES: usize = K::BUCKET_WORDS / (K::WORDS + 1);

    /// The size of a bucket in bytes.
    const SIZE: usize = K::BUCKET_WORDS * size_of::<u64>();

    /// Creates a table of at most `bytes` bytes, but of at least one bucket. If the machine has less memory, the table
    /// is smaller. Only one bucket is in use before [`Self::begin`].
    pub fn new(bytes: u64) -> Self {
        Self::of(Zeros::at_most(Self::buckets_in(bytes), K::BUCKET_WORDS))
    }

    /// Like [`Self::new`], but returns an error if the machine has less memory.
    pub fn try_new(bytes: u64) -> Result<Self> {
        let words = Zeros::new(Self::buckets_in(bytes) * K::BUCKET_WORDS).map_err(|_| RefusedMemory::Machine(bytes))?;
        Ok(Self::of(words))
    }

    /// Returns the number of buckets that fit into `bytes` bytes, rounded down to a power of two; at least 1.
    fn buckets_in(bytes: u64) -> usize {
        1 << (usize::try_from(bytes).unwrap_or(usize::MAX) / Self::SIZE).max(1).ilog2()
    }

    fn of(words: Zeros<AtomicU64>) -> Self {
        let buckets = words.len() / K::BUCKET_WORDS;
        TranspositionTable { words, buckets, mask: AtomicUsize::new(0), age: AtomicU8::new(0), of: PhantomData }
    }

    /// Begins another search with at least `needed` buckets in use, as in [`Self::grow`]. Entries that this search
    /// stores are worth more than older ones.
    pub fn begin(&self, needed: usize) {
        let age = self.age.load(Relaxed);
        self.age.store(E::next_age(age).unwrap_or(1), Relaxed);
        self.grow(needed);
    }

    /// The number of buckets in use, a power of two.
    pub fn in_use(&self) -> usize {
        self.mask.load(Relaxed) + 1
    }

    /// The number of buckets, a power of two.
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// Raises the number of buckets in use to `needed`, a power of two, or to all buckets if there are fewer. Never
    /// lowers it. Entries move to their new buckets. No thread may search meanwhile.
    ///
    /// Because the table begins small, a small search stays in the caches and touches little memory.
    pub fn grow(&self, needed: usize) {
        let (before, after) = (self.mask.load(Relaxed) + 1, self.buckets.min(needed));
        if after <= before {
            return;
        }
        self.mask.store(after - 1, Relaxed);
        let size = K::WORDS + 1;
        // Entries of a new bucket all come from one old bucket, so they keep their slots.
        for (at, words) in self.words[..before * K::BUCKET_WORDS].chunks_exact(K::BUCKET_WORDS).enumerate() {
            for (place, words) in words.chunks_exact(size).enumerate() {
                let (key, word) = Self::unmixed(words);
                let to = key.hash() as usize & (after - 1);
                // A torn entry, which mixes the words of two writes, has the key of another bucket: skip it.
                if word == 0 || to == at || to & (before - 1) != at {
                    continue;
                }
                let new = &self.words[to * K::BUCKET_WORDS + place * size..][..size];
                new.iter().zip(words).for_each(|(to, from)| to.store(from.swap(0, Relaxed), Relaxed));
            }
        }
    }

    /// Begins another search that must not find earlier entries; [`PackedEntry::is_found`] hides them by their age. If
    /// there is no further age, the table is cleared. All buckets are in use from now on.
    pub fn forget(&mut self) {
        *self.mask.get_mut() = self.buckets - 1;
        let age = self.age.get_mut();
        let next = E::next_age(*age);
        *age = next.unwrap_or(1);
        if next.is_none() {
            self.clear();
        }
    }

    /// Removes all entries. Because this writes to the whole table, the system provides all of its memory now, and not
    /// page by page during a search.
    pub fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    /// Returns the key of an entry and its content word.
    fn unmixed(words: &[AtomicU64]) -> (K, u64) {
        let word = words[K::WORDS].load(Relaxed);
        let mask = mixed(word);
        (K::from_words(|at| words[at].load(Relaxed) ^ mask.rotate_left(17 * at as u32)), word)
    }

    /// Iterates over all entries while other threads may write. Skips torn entries, which mix the words of two writes:
    /// their keys belong to other buckets. With probability 1 / buckets, a torn entry is not recognised, but then
    /// hardly any position has its key.
    pub fn entries(&self) -> impl Iterator<Item = (K, E)> {
        let mask = self.mask.load(Relaxed);
        let slots = Self::ENTRIES;
        let mut places = 0..(mask + 1) * slots;
        std::iter::from_fn(move || {
            places.find_map(|place| {
                let (bucket, slot) = (place / slots, place % slots);
                let first = bucket * K::BUCKET_WORDS + slot * (K::WORDS + 1);
                let (key, word) = Self::unmixed(&self.words[first..][..=K::WORDS]);
                (word != 0 && key.hash() as usize & mask == bucket).then(|| (key, E::from_word(word)))
            })
        })
    }

    #[inline(always)]
    fn bucket(&self, key: K) -> &[AtomicU64] {
        let at = key.hash() as usize & self.mask.load(Relaxed);
        &self.words[at * K::BUCKET_WORDS..][..K::BUCKET_WORDS]
    }

    /// Returns the content word of a slot, and true if the slot holds `key` and a search of age `age` may use it.
    #[inline(always)]
    fn read(bucket: &[AtomicU64], entry: usize, key: K, age: u8) -> (u64, bool) {
        let words = &bucket[(K::WORDS + 1) * entry..][..=K::WORDS];
        let word = words[K::WORDS].load(Relaxed);
        let mask = mixed(word);
        let same = (0..K::WORDS).all(|at| words[at].load(Relaxed) ^ mask.rotate_left(17 * at as u32) == key.word(at));
        (word, same && E::is_found(word, age))
    }

    /// Prefetches the cache lines of the bucket of `key`.
    #[inline(always)]
    pub fn prefetch(&self, key: K) {
        self.bucket(key).iter().step_by(8).for_each(prefetch);
    }

    /// Returns the entry of `key`, if the table has one.
    #[inline]
    pub fn get(&self, key: K) -> Option<E> {
        let (bucket, age) = (self.bucket(key), self.age.load(Relaxed));
        (0..Self::ENTRIES).find_map(|entry| {
            let (word, found) = Self::read(bucket, entry, key, age);
            found.then(|| E::from_word(word))
        })
    }

    /// Stores an entry. It replaces an entry of the same key, or else the entry with the least worth in the bucket.
    #[inline]
    pub fn put(&self, key: K, entry: E) {
        self.put_at(key, entry, self.age.load(Relaxed));
    }

    /// Stores an entry of another table as if the next search had stored it, unless all entries of its bucket are worth
    /// more.
    pub fn restore(&self, key: K, entry: E) {
        let age = self.age.load(Relaxed);
        let age = E::next_age(age).unwrap_or(1);
        let words = self.bucket(key).chunks_exact(K::WORDS + 1).map(|words| words[K::WORDS].load(Relaxed));
        let least = words.map(|word| E::worth(word, age)).min();
        if least.is_some_and(|least| least <= E::worth(entry.to_word(age), age)) {
            self.put_at(key, entry, age);
        }
    }

    /// Like [`Self::put`], but with a given age.
    #[inline(always)]
    fn put_at(&self, key: K, entry: E, age: u8) {
        let bucket = self.bucket(key);
        let mut least = (u32::MAX, 0);
        for at in 0..Self::ENTRIES {
            let (word, found) = Self::read(bucket, at, key, age);
            if found {
                least.1 = at;
                break;
            }
            least = least.min((E::worth(word, age), at));
        }
        let word = entry.to_word(age);
        let mask = mixed(word);
        let words = &bucket[(K::WORDS + 1) * least.1..][..=K::WORDS];
        (0..K::WORDS).for_each(|at| words[at].store(key.word(at) ^ mask.rotate_left(17 * at as u32), Relaxed));
        words[K::WORDS].store(word, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number and its worth. Entries of earlier ages are worth less.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct AgedEntry(u32, u8);

    impl PackedEntry for AgedEntry {
        fn next_age(age: u8) -> Option<u8> {
            (age < 5).then_some(age + 1)
        }

        fn to_word(self, age: u8) -> u64 {
            u64::from(self.0) << 32 | u64::from(self.1) << 16 | u64::from(age) << 8 | 1
        }

        fn from_word(word: u64) -> AgedEntry {
            AgedEntry((word >> 32) as u32, (word >> 16) as u8)
        }

        fn is_found(word: u64, _: u8) -> bool {
            word != 0
        }

        fn worth(word: u64, age: u8) -> u32 {
            let current = (word >> 8) as u8 == age;
            if word == 0 { 0 } else { 1 + (u32::from(current) << 8) + u32::from(AgedEntry::from_word(word).1) }
        }
    }

    #[test]
    fn what_is_put_comes_back() {
        let table = TranspositionTable::<[u64; 2], AgedEntry>::new(1 << 16);
        table.begin(1 << 8);
        for number in 0..200 {
            let [own, other] = [number << 20 | 1, number << 40 | 2];
            assert_eq!(table.get([own, other]), None);
            for kept in [AgedEntry(number as u32, 3), AgedEntry(9, 1)] {
                table.put([own, other], kept);
                assert_eq!(table.get([own, other]), Some(kept));
            }
            // Neither swapped words nor half of the key find the entry.
            assert_eq!([table.get([other, own]), table.get([own, other ^ 4])], [None; 2]);
        }
    }

    #[test]
    fn the_least_worth_and_the_oldest_go_first() {
        let table = TranspositionTable::<[u64; 2], AgedEntry>::new(1);
        let key = |number| [number, 0];
        for number in 0..5 {
            table.put(key(number + 1), AgedEntry(0, 10 + number as u8));
        }
        table.put(key(99), AgedEntry(0, 1));
        assert_eq!([table.get(key(1)), table.get(key(2))], [None, Some(AgedEntry(0, 11))]);
        table.begin(1);
        table.put(key(100), AgedEntry(0, 1));
        table.put(key(101), AgedEntry(0, 1));
        // Key 99, which replaced key 1, goes first. Then the least valuable of the older entries goes.
        assert_eq!([table.get(key(99)), table.get(key(2))], [None; 2]);
        assert!(table.get(key(100)).is_some() && table.get(key(101)).is_some());
    }

    #[test]
    fn all_entries_go_over_to_another_table_and_the_least_worth_stay_behind() {
        let table = TranspositionTable::<[u64; 2], AgedEntry>::new(1 << 16);
        table.begin(1 << 8);
        (0..200).for_each(|number| table.put([number << 20 | 1, number], AgedEntry(number as u32, number as u8)));
        let sorted = |table: &TranspositionTable<[u64; 2], AgedEntry>| {
            let mut entries: Vec<_> = table.entries().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            entries
        };
        assert_eq!(sorted(&table).len(), 200);
        let [other, least] = [1 << 16, 1].map(TranspositionTable::<[u64; 2], AgedEntry>::new);
        other.grow(1 << 8);
        sorted(&table).into_iter().for_each(|(key, kept)| {
            other.restore(key, kept);
            least.restore(key, kept);
        });
        other.begin(1 << 8);
        assert_eq!(sorted(&other), sorted(&table));
        let kept: Vec<u32> = sorted(&least).into_iter().map(|(_, kept)| kept.0).collect();
        assert_eq!(kept, [195, 196, 197, 198, 199]);
        // The restored entries count as entries of the new search, so the new entry replaces only the least valuable of
        // them.
        least.begin(1);
        least.put([7, 7], AgedEntry(7, 0));
        assert_eq!(sorted(&least).into_iter().filter(|(_, kept)| kept.0 > 195).count(), 4);
    }

    #[test]
    fn fingerprints_have_buckets_of_a_cache_line() {
        let mut table = TranspositionTable::<u64, AgedEntry>::new(300);
        table.forget();
        assert_eq!((table.buckets, TranspositionTable::<u64, AgedEntry>::ENTRIES), (4, 4));
        for key in 0..50 {
            table.put(key, AgedEntry(key as u32, 0));
            assert_eq!(table.get(key), Some(AgedEntry(key as u32, 0)));
        }
        let kept = (0..50).filter(|&key| table.get(key).is_some()).count();
        assert!((8..=16).contains(&kept), "{kept}");
        // Entries of this type are found at any age, until ages run out and the table is cleared.
        (0..4).for_each(|_| table.forget());
        assert_eq!((0..50).filter(|&key| table.get(key).is_some()).count(), kept);
        table.forget();
        assert!((0..50).all(|key| table.get(key).is_none()));
    }

    #[test]
    fn the_part_in_use_grows_and_keeps_all() {
        let table = TranspositionTable::<u64, AgedEntry>::new(64 << 10);
        let in_use = || table.mask.load(Relaxed) + 1;
        table.begin(16);
        let kept = |number: u64| AgedEntry(number as u32, 1);
        (0..64).for_each(|number| table.put(number, kept(number)));
        let found: Vec<u64> = (0..64).filter(|&number| table.get(number) == Some(kept(number))).collect();
        let sizes = [16, 4, 32, 1 << 20].map(|needed| {
            table.grow(needed);
            assert!(found.iter().all(|&number| table.get(number) == Some(kept(number))), "{needed}");
            assert_eq!((0..64).filter(|&number| table.get(number).is_some()).count(), found.len());
            in_use()
        });
        assert_eq!(sizes, [16, 16, 32, 1 << 10]);
        assert!(found.len() > 40);
    }

    /// Threads that write to the same bucket at once never produce an entry that no thread wrote.
    #[test]
    fn torn_entries_are_not_found() {
        let table = TranspositionTable::<[u64; 2], AgedEntry>::new(1);
        let number = |key: u64| (key as u32).wrapping_mul(0x9e37_79b9);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..20_000 {
                        let key = (round * 7 + thread) % 40;
                        table.put([key, !key], AgedEntry(number(key), thread as u8));
                        let other = (round * 11 + thread) % 40;
                        assert!(table.get([other, !other]).is_none_or(|kept| kept.0 == number(other)));
                    }
                });
            }
        });
    }
}
