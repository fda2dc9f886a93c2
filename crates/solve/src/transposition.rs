//! A transposition table that all threads of a search share, without locks.
//!
//! An entry is the words of its key and one word of what is known. The key's words are mixed with that word, so that
//! an entry that two threads wrote at once is not found instead of being wrong. The entries that a key can be in lie
//! side by side in a bucket, which begins at a cache line:
//!
//! ```text
//! keys of one word    4 entries of 2 words, 64 bytes
//! keys of two words   5 entries of 3 words and one word unused, 128 bytes
//! ```

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::Result;
use crate::memory::{self, Zeros};
use crate::space::prefetch;

/// What positions are kept by: a fingerprint, or the whole position, so that no two are taken for each other.
pub trait Key: Copy {
    /// Words of a key.
    const WORDS: usize;
    /// Words of a bucket, whole cache lines.
    const BUCKET: usize;

    fn word(self, at: usize) -> u64;

    /// The key of these words.
    fn from_words(word: impl Fn(usize) -> u64) -> Self;

    /// Chooses the bucket, by its lowest bits.
    fn hash(self) -> u64;
}

impl Key for u64 {
    const WORDS: usize = 1;
    const BUCKET: usize = 8;

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
    const BUCKET: usize = 16;

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

/// What is kept of a position, in a word.
pub trait Entry: Copy {
    /// The age after this one; `None` where no further ages can be told from it.
    fn next_age(age: u8) -> Option<u8>;

    /// Not 0, which stands for no entry.
    fn to_word(self, age: u8) -> u64;

    fn from_word(word: u64) -> Self;

    /// Whether a word is found by searches of this age; 0 is not.
    fn is_found(word: u64, age: u8) -> bool;

    /// The less a word is worth, the sooner another entry takes its place; 0 for what has no use any more.
    fn worth(word: u64, age: u8) -> u32;
}

/// The table.
pub struct TranspositionTable<K, E> {
    words: Zeros<AtomicU64>,
    /// Number of buckets; a power of two.
    buckets: usize,
    /// Number of buckets in use less one; that number is a power of two as well.
    mask: AtomicUsize,
    age: AtomicU8,
    of: PhantomData<fn(K) -> E>,
}

/// Spreads a word over all its bits.
#[inline(always)]
fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9fb2_1c65_1e98_df25);
    word ^ word >> 29
}

impl<K: Key, E: Entry> TranspositionTable<K, E> {
    const ENTRIES: usize = K::BUCKET / (K::WORDS + 1);

    /// Bytes of a bucket.
    const SIZE: usize = K::BUCKET * size_of::<u64>();

    /// Room of at most so many bytes, but for one bucket at least, and for no more than the machine has. One bucket is
    /// in use before [`Self::begin`].
    pub fn new(bytes: u64) -> Self {
        Self::of(Zeros::at_most(Self::buckets(bytes), K::BUCKET))
    }

    /// As [`Self::new`]; an error where the machine has less.
    pub fn try_new(bytes: u64) -> Result<Self> {
        let words = Zeros::new(Self::buckets(bytes) * K::BUCKET).map_err(|_| memory::refusal(bytes))?;
        Ok(Self::of(words))
    }

    /// Number of buckets in so many bytes, a power of two.
    fn buckets(bytes: u64) -> usize {
        1 << (usize::try_from(bytes).unwrap_or(usize::MAX) / Self::SIZE).max(1).ilog2()
    }

    fn of(words: Zeros<AtomicU64>) -> Self {
        let buckets = words.len() / K::BUCKET;
        TranspositionTable { words, buckets, mask: AtomicUsize::new(0), age: AtomicU8::new(0), of: PhantomData }
    }

    /// Before another search that needs so many buckets, as [`Self::grow`]: what is kept from now on is worth more than
    /// what has been before.
    pub fn begin(&self, needed: usize) {
        let age = self.age.load(Relaxed);
        self.age.store(E::next_age(age).unwrap_or(1), Relaxed);
        self.grow(needed);
    }

    /// Takes so many buckets into use, a power of two, or all if there are not so many, while no thread searches. What
    /// has been kept moves to where it belongs now. So a small search stays in the caches, and touches little memory.
    pub fn grow(&self, needed: usize) {
        let (before, after) = (self.mask.load(Relaxed) + 1, self.buckets.min(needed));
        if after <= before {
            return;
        }
        self.mask.store(after - 1, Relaxed);
        let size = K::WORDS + 1;
        // A bucket gets entries from no more than one: they keep their places.
        for (at, words) in self.words[..before * K::BUCKET].chunks_exact(K::BUCKET).enumerate() {
            for (place, words) in words.chunks_exact(size).enumerate() {
                let (key, word) = Self::unmixed(words);
                let to = key.hash() as usize & (after - 1);
                // What two threads wrote at once belongs nowhere.
                if word == 0 || to == at || to & (before - 1) != at {
                    continue;
                }
                let new = &self.words[to * K::BUCKET + place * size..][..size];
                new.iter().zip(words).for_each(|(to, from)| to.store(from.swap(0, Relaxed), Relaxed));
            }
        }
    }

    /// Before another search that must not find what was kept before, where entries say so by their age. All buckets
    /// are in use from now on.
    pub fn forget(&mut self) {
        *self.mask.get_mut() = self.buckets - 1;
        let age = self.age.get_mut();
        *age = E::next_age(*age).unwrap_or_else(|| {
            self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
            1
        });
    }

    /// The key of an entry, and its last word.
    fn unmixed(words: &[AtomicU64]) -> (K, u64) {
        let word = words[K::WORDS].load(Relaxed);
        let mask = mixed(word);
        (K::from_words(|at| words[at].load(Relaxed) ^ mask.rotate_left(17 * at as u32)), word)
    }

    /// What is kept of all positions, while other threads may write. Leaves out what two threads wrote at once: it has
    /// the key of another bucket or, once in as many times as there are buckets, one that hardly any position has.
    pub fn entries(&self) -> impl Iterator<Item = (K, E)> {
        let mask = self.mask.load(Relaxed);
        let buckets = self.words[..(mask + 1) * K::BUCKET].chunks_exact(K::BUCKET).enumerate();
        buckets.flat_map(move |(at, bucket)| {
            bucket.chunks_exact(K::WORDS + 1).filter_map(move |words| {
                let (key, word) = Self::unmixed(words);
                (word != 0 && key.hash() as usize & mask == at).then(|| (key, E::from_word(word)))
            })
        })
    }

    #[inline(always)]
    fn bucket(&self, key: K) -> &[AtomicU64] {
        let at = key.hash() as usize & self.mask.load(Relaxed);
        &self.words[at * K::BUCKET..][..K::BUCKET]
    }

    /// The word of an entry of a bucket, and whether it is to be found by a key.
    #[inline(always)]
    fn read(bucket: &[AtomicU64], entry: usize, key: K, age: u8) -> (u64, bool) {
        let words = &bucket[(K::WORDS + 1) * entry..][..=K::WORDS];
        let word = words[K::WORDS].load(Relaxed);
        let mask = mixed(word);
        let same = (0..K::WORDS).all(|at| words[at].load(Relaxed) ^ mask.rotate_left(17 * at as u32) == key.word(at));
        (word, same && E::is_found(word, age))
    }

    /// Asks for the cache lines of a key that will be wanted soon.
    #[inline(always)]
    pub fn prefetch(&self, key: K) {
        self.bucket(key).iter().step_by(8).for_each(prefetch);
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: K) -> Option<E> {
        let (bucket, age) = (self.bucket(key), self.age.load(Relaxed));
        (0..Self::ENTRIES).find_map(|entry| {
            let (word, found) = Self::read(bucket, entry, key, age);
            found.then(|| E::from_word(word))
        })
    }

    /// Keeps what is known of a position, instead of what is worth least if there is no room.
    #[inline]
    pub fn put(&self, key: K, entry: E) {
        self.put_at(key, entry, self.age.load(Relaxed));
    }

    /// Keeps what another table has of a position as if it were from the search that begins next, unless all there is
    /// room for is worth more.
    pub fn restore(&self, key: K, entry: E) {
        let age = self.age.load(Relaxed);
        let age = E::next_age(age).unwrap_or(1);
        let words = self.bucket(key).chunks_exact(K::WORDS + 1).map(|words| words[K::WORDS].load(Relaxed));
        let least = words.map(|word| E::worth(word, age)).min();
        if least.is_some_and(|least| least <= E::worth(entry.to_word(age), age)) {
            self.put_at(key, entry, age);
        }
    }

    /// [`Self::put`] at an age.
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

    /// A number and what it is worth; those of earlier ages are worth less.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Kept(u32, u8);

    impl Entry for Kept {
        fn next_age(age: u8) -> Option<u8> {
            (age < 5).then_some(age + 1)
        }

        fn to_word(self, age: u8) -> u64 {
            u64::from(self.0) << 32 | u64::from(self.1) << 16 | u64::from(age) << 8 | 1
        }

        fn from_word(word: u64) -> Kept {
            Kept((word >> 32) as u32, (word >> 16) as u8)
        }

        fn is_found(word: u64, _: u8) -> bool {
            word != 0
        }

        fn worth(word: u64, age: u8) -> u32 {
            let current = (word >> 8) as u8 == age;
            if word == 0 { 0 } else { 1 + (u32::from(current) << 8) + u32::from(Kept::from_word(word).1) }
        }
    }

    #[test]
    fn what_is_put_comes_back() {
        let table = TranspositionTable::<[u64; 2], Kept>::new(1 << 16);
        table.begin(1 << 8);
        for number in 0..200 {
            let [own, other] = [number << 20 | 1, number << 40 | 2];
            assert_eq!(table.get([own, other]), None);
            for kept in [Kept(number as u32, 3), Kept(9, 1)] {
                table.put([own, other], kept);
                assert_eq!(table.get([own, other]), Some(kept));
            }
            // Neither the other way round nor half of it.
            assert_eq!([table.get([other, own]), table.get([own, other ^ 4])], [None; 2]);
        }
    }

    #[test]
    fn the_least_worth_and_the_oldest_go_first() {
        let table = TranspositionTable::<[u64; 2], Kept>::new(1);
        let key = |number| [number, 0];
        for number in 0..5 {
            table.put(key(number + 1), Kept(0, 10 + number as u8));
        }
        table.put(key(99), Kept(0, 1));
        assert_eq!([table.get(key(1)), table.get(key(2))], [None, Some(Kept(0, 11))]);
        table.begin(1);
        table.put(key(100), Kept(0, 1));
        table.put(key(101), Kept(0, 1));
        // First what was just put for 1, then what was worth least of those before.
        assert_eq!([table.get(key(99)), table.get(key(2))], [None; 2]);
        assert!(table.get(key(100)).is_some() && table.get(key(101)).is_some());
    }

    #[test]
    fn all_entries_go_over_to_another_table_and_the_least_worth_stay_behind() {
        let table = TranspositionTable::<[u64; 2], Kept>::new(1 << 16);
        table.begin(1 << 8);
        (0..200).for_each(|number| table.put([number << 20 | 1, number], Kept(number as u32, number as u8)));
        let sorted = |table: &TranspositionTable<[u64; 2], Kept>| {
            let mut entries: Vec<_> = table.entries().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            entries
        };
        assert_eq!(sorted(&table).len(), 200);
        let [other, least] = [1 << 16, 1].map(TranspositionTable::<[u64; 2], Kept>::new);
        other.grow(1 << 8);
        sorted(&table).into_iter().for_each(|(key, kept)| {
            other.restore(key, kept);
            least.restore(key, kept);
        });
        other.begin(1 << 8);
        assert_eq!(sorted(&other), sorted(&table));
        let kept: Vec<u32> = sorted(&least).into_iter().map(|(_, kept)| kept.0).collect();
        assert_eq!(kept, [195, 196, 197, 198, 199]);
        // They are of the search that has begun: what is worth less does not take their place.
        least.begin(1);
        least.put([7, 7], Kept(7, 0));
        assert_eq!(sorted(&least).into_iter().filter(|(_, kept)| kept.0 > 195).count(), 4);
    }

    #[test]
    fn fingerprints_have_buckets_of_a_cache_line() {
        let mut table = TranspositionTable::<u64, Kept>::new(300);
        table.forget();
        assert_eq!((table.buckets, TranspositionTable::<u64, Kept>::ENTRIES), (4, 4));
        for key in 0..50 {
            table.put(key, Kept(key as u32, 0));
            assert_eq!(table.get(key), Some(Kept(key as u32, 0)));
        }
        let kept = (0..50).filter(|&key| table.get(key).is_some()).count();
        assert!((8..=16).contains(&kept), "{kept}");
        // These entries are found at any age, until there are no further ages.
        (0..4).for_each(|_| table.forget());
        assert_eq!((0..50).filter(|&key| table.get(key).is_some()).count(), kept);
        table.forget();
        assert!((0..50).all(|key| table.get(key).is_none()));
    }

    #[test]
    fn the_part_in_use_grows_and_keeps_all() {
        let table = TranspositionTable::<u64, Kept>::new(64 << 10);
        let in_use = || table.mask.load(Relaxed) + 1;
        table.begin(16);
        let kept = |number: u64| Kept(number as u32, 1);
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

    /// Threads that write the same few buckets at once never make an entry that nobody wrote.
    #[test]
    fn torn_entries_are_not_found() {
        let table = TranspositionTable::<[u64; 2], Kept>::new(1);
        let number = |key: u64| (key as u32).wrapping_mul(0x9e37_79b9);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..20_000 {
                        let key = (round * 7 + thread) % 40;
                        table.put([key, !key], Kept(number(key), thread as u8));
                        let other = (round * 11 + thread) % 40;
                        assert!(table.get([other, !other]).is_none_or(|kept| kept.0 == number(other)));
                    }
                });
            }
        });
    }
}
