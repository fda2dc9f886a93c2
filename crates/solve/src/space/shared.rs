//! A set of dense numbers that many threads fill at once.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Result;

use yomikiri_rules::bits::set_bits;
use yomikiri_table::memory::Zeros;
use yomikiri_table::parallel;

/// The summary of a [`SharedSet`] shows where the set is empty. It has one bit for this number of successive numbers:
/// 64 words of 64 bits.
const SPAN: u64 = 64 * 64;

/// The number of successive numbers in a chunk. Threads work on a set chunk by chunk. One word of the set's summary is
/// for one chunk.
pub const CHUNK: u64 = 64 * SPAN;

/// The least number of words that a thread counts at a time.
const WORDS: usize = 1 << 12;

/// Converts `set` to words of a [`SharedSet`]. Calls `visit` with the index and the bits of each word that is not 0. In
/// `set`, bit `i % 64` of word `i / 64` stands for the number `first + i`. In a [`SharedSet`], the first number of each
/// word is a multiple of 64.
#[inline(always)]
pub fn each_word(first: u64, set: &[u64; 4], mut visit: impl FnMut(u64, u64)) {
    let (word, shift) = (first / 64, first % 64);
    let mut below = 0;
    for (ahead, bits) in (0..).zip(set.iter().copied().chain([0])) {
        let here = bits << shift | below;
        below = bits >> 1 >> (63 - shift);
        if here != 0 {
            visit(word + ahead, here);
        }
    }
}

/// Returns the numbers in word `word` of a set, in ascending order. `bits` are the bits of the word.
#[inline(always)]
pub fn numbers_of(word: u64, bits: u64) -> impl Iterator<Item = u64> {
    set_bits(bits).map(move |bit| word * 64 + u64::from(bit))
}

/// A set of numbers, with a bit for each number. A summary with a bit for each 64 words makes it fast to skip empty
/// ranges. Threads are only sure to see each other's changes after they have joined.
pub struct SharedSet {
    words: Zeros<AtomicU64>,
    /// Bit `i` is set if any of the words `64 i` to `64 i + 63` may have a bit set.
    summary: Vec<AtomicU64>,
}

impl SharedSet {
    /// Creates an empty set of numbers below `len`. Returns an error if the system refuses the memory.
    pub fn new(len: u64) -> Result<SharedSet> {
        // `Zeros::filled` suits look-ups in random order, and untouched memory costs nothing.
        let words = Zeros::filled(len.div_ceil(64) as usize)?;
        Ok(SharedSet { words, summary: bytemuck::zeroed_vec(len.div_ceil(CHUNK) as usize) })
    }

    /// Creates the set of all numbers below `len`. Returns an error if the system refuses the memory.
    pub fn full(len: u64) -> Result<SharedSet> {
        let set = SharedSet::new(len)?;
        let fill = |words: &[AtomicU64], bits: u64| {
            let word = |at: u64| if at < bits / 64 { u64::MAX } else { !(u64::MAX << (bits % 64)) };
            let all = (0..bits.div_ceil(64)).zip(words);
            all.for_each(|(at, place)| place.store(word(at), Relaxed));
        };
        fill(&set.words, len);
        fill(&set.summary, len.div_ceil(SPAN));
        Ok(set)
    }

    /// Bytes of memory of a set of numbers below `len`.
    pub fn memory(len: u64) -> u64 {
        len / 8 + len / (8 * SPAN)
    }

    /// Returns true if a number is in the set.
    #[inline]
    pub fn contains(&self, number: u64) -> bool {
        self.words[(number / 64) as usize].load(Relaxed) >> (number % 64) & 1 == 1
    }

    /// Adds a number; returns true if it is new.
    #[inline]
    pub fn insert(&self, number: u64) -> bool {
        let (word, bit) = (&self.words[(number / 64) as usize], 1 << (number % 64));
        if word.load(Relaxed) & bit != 0 || word.fetch_or(bit, Relaxed) & bit != 0 {
            return false;
        }
        let (word, bit) = (&self.summary[(number / CHUNK) as usize], 1 << (number / SPAN % 64));
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
        true
    }

    /// Removes a number; returns true if it was in the set.
    #[inline]
    pub fn remove(&self, number: u64) -> bool {
        let (word, bit) = (&self.words[(number / 64) as usize], 1 << (number % 64));
        word.load(Relaxed) & bit != 0 && word.fetch_and(!bit, Relaxed) & bit != 0
    }

    /// Returns the members among the 256 numbers from `first` on. Bit `i % 64` of word `i / 64` stands for `first + i`.
    #[inline]
    pub fn window(&self, first: u64) -> [u64; 4] {
        let (word, shift) = ((first / 64) as usize, first % 64);
        let at = |word: usize| self.words.get(word).map_or(0, |word| word.load(Relaxed));
        let words: [u64; 5] = std::array::from_fn(|ahead| at(word + ahead));
        // Two shifts, because a single shift by 64 would overflow.
        std::array::from_fn(|ahead| words[ahead] >> shift | words[ahead + 1] << 1 << (63 - shift))
    }

    /// Adds the numbers of word `word` whose bits are set in `bits`. Returns the bits of the numbers that are new.
    #[inline]
    pub fn insert_word(&self, word: u64, bits: u64) -> u64 {
        let place = &self.words[word as usize];
        if bits & !place.load(Relaxed) == 0 {
            return 0;
        }
        let fresh = bits & !place.fetch_or(bits, Relaxed);
        let (summary, bit) = (&self.summary[(word * 64 / CHUNK) as usize], 1 << (word * 64 / SPAN % 64));
        if summary.load(Relaxed) & bit == 0 {
            summary.fetch_or(bit, Relaxed);
        }
        fresh
    }

    /// Removes the numbers of word `word` whose bits are set in `bits`. Returns the bits of the numbers that were in
    /// the set.
    #[inline]
    pub fn remove_word(&self, word: u64, bits: u64) -> u64 {
        let place = &self.words[word as usize];
        if bits & place.load(Relaxed) == 0 { 0 } else { bits & place.fetch_and(!bits, Relaxed) }
    }

    /// Removes the numbers of one chunk and calls `visit` with them, in ascending order. A number that another thread
    /// adds meanwhile is either visited or stays in the set.
    #[inline]
    pub fn take_chunk(&self, chunk: u64, mut visit: impl FnMut(u64)) {
        let words = self.words_of(chunk);
        for (number, word) in (words.start as u64..).zip(&self.words[words]) {
            if word.load(Relaxed) == 0 {
                continue;
            }
            numbers_of(number, word.swap(0, Relaxed)).for_each(&mut visit);
        }
    }

    /// Prefetches the word of a number.
    #[inline]
    pub fn prefetch(&self, number: u64) {
        yomikiri_table::memory::prefetch(&self.words[(number / 64) as usize]);
    }

    /// Returns the number of elements.
    pub fn count(&self) -> u64 {
        let ones = |word: &AtomicU64| u64::from(word.load(Relaxed).count_ones());
        parallel::sum(self.words.len(), WORDS, |share| self.words[share].iter().map(ones).sum())
    }

    /// Returns the number of elements that are also in `other`, a set of the same length.
    pub fn count_common(&self, other: &SharedSet) -> u64 {
        let common = |(word, other): (&AtomicU64, &AtomicU64)| {
            u64::from((word.load(Relaxed) & other.load(Relaxed)).count_ones())
        };
        parallel::sum(self.words.len(), WORDS, |share| {
            self.words[share.clone()].iter().zip(&other.words[share]).map(common).sum()
        })
    }

    fn words_of(&self, chunk: u64) -> Range<usize> {
        let first = (chunk * CHUNK / 64) as usize;
        first..(first + (CHUNK / 64) as usize).min(self.words.len())
    }

    /// Returns the number of chunks of [`CHUNK`] numbers that the set covers.
    pub fn chunks(&self) -> u64 {
        self.summary.len() as u64
    }

    /// Calls `work` with the index of each chunk, on all threads.
    pub fn each_chunk(&self, work: impl Fn(u64) + Sync) {
        parallel::each(self.summary.len(), |chunk| work(chunk as u64));
    }

    /// Calls `visit` with the numbers of one chunk, in ascending order.
    #[inline]
    pub fn visit_chunk(&self, chunk: u64, mut visit: impl FnMut(u64)) {
        self.visit_words(chunk, |word, bits| numbers_of(word, bits).for_each(&mut visit));
    }

    /// Calls `visit` with the words of one chunk that are not 0, in ascending order: the index and the bits of each.
    #[inline]
    pub fn visit_words(&self, chunk: u64, mut visit: impl FnMut(u64, u64)) {
        for span in set_bits(self.summary[chunk as usize].load(Relaxed)) {
            let first = (chunk * CHUNK + u64::from(span) * SPAN) / 64;
            let end = (first + 64).min(self.words.len() as u64);
            for word in first..end {
                let bits = self.word(word);
                if bits != 0 {
                    visit(word, bits);
                }
            }
        }
    }

    /// Calls `visit` with the numbers of one chunk that are not in `seen`, in ascending order, and adds them to `seen`.
    /// A number that another thread adds meanwhile is either visited or stays unseen. Only one thread at a time may
    /// visit a chunk.
    #[inline]
    pub fn visit_unseen(&self, seen: &SharedSet, chunk: u64, mut visit: impl FnMut(u64)) {
        self.visit_words(chunk, |word, bits| {
            let place = &seen.words[word as usize];
            let known = place.load(Relaxed);
            if bits & !known != 0 {
                place.store(bits | known, Relaxed);
                numbers_of(word, bits & !known).for_each(&mut visit);
            }
        });
    }

    /// Returns the number of elements of one chunk that are not in `seen`.
    pub fn count_unseen(&self, seen: &SharedSet, chunk: u64) -> u64 {
        let words = self.words_of(chunk);
        let pairs = self.words[words.clone()].iter().zip(&seen.words[words]);
        pairs.map(|(word, seen)| u64::from((word.load(Relaxed) & !seen.load(Relaxed)).count_ones())).sum()
    }

    /// Empties the set.
    pub fn clear(&self) {
        parallel::each(self.summary.len(), |chunk| {
            for span in set_bits(self.summary[chunk].swap(0, Relaxed)) {
                let first = chunk * 4096 + span as usize * 64;
                let end = (first + 64).min(self.words.len());
                self.words[first..end].iter().for_each(|word| word.store(0, Relaxed));
            }
        });
    }

    /// Returns the members among the 64 numbers from `64 * word` on, as bits.
    #[inline]
    pub fn word(&self, word: u64) -> u64 {
        self.words[word as usize].load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_no_memory_holds_is_an_error() {
        let errors = [SharedSet::new(1 << 62).err(), SharedSet::full(1 << 62).err()];
        for error in errors.map(|error| error.unwrap().to_string()) {
            assert_eq!(error, "the system refused 576460752303423488 bytes of memory");
        }
    }

    #[test]
    fn a_full_set_ends_where_it_should() {
        for len in [0, 1, 63, 64, 65, SPAN, CHUNK - 1, CHUNK, CHUNK + SPAN + 7] {
            let set = SharedSet::full(len).unwrap();
            assert_eq!(set.count(), len);
            let mut next = 0;
            (0..set.chunks()).for_each(|chunk| set.visit_chunk(chunk, |number| next += u64::from(number == next)));
            assert_eq!(next, len);
        }
    }

    #[test]
    fn holds_what_was_put_in() {
        let set = SharedSet::new(3 * CHUNK / 2).unwrap();
        let numbers = [0, 63, 64, SPAN - 1, SPAN, CHUNK - 1, CHUNK, 3 * CHUNK / 2 - 1];
        for number in numbers {
            assert!(set.insert(number) && !set.insert(number) && set.contains(number));
        }
        let mut seen = Vec::new();
        (0..set.chunks()).for_each(|chunk| set.visit_chunk(chunk, |number| seen.push(number)));
        assert_eq!(seen, numbers);
        assert!(set.remove(64) && !set.remove(64) && !set.contains(64));
        assert_eq!(set.count(), numbers.len() as u64 - 1);
        set.clear();
        assert_eq!(set.count(), 0);
    }

    #[test]
    fn stretches_are_the_numbers_of_a_set() {
        let set = SharedSet::new(3 * CHUNK).unwrap();
        let bits = [0x8000_0000_0000_0001, 0, 0x0123_4567_89ab_cdef, 1 << 63];
        let numbers = |first: u64| {
            (0..256).filter(move |at| bits[at / 64] >> (at % 64) & 1 == 1).map(move |at| first + at as u64)
        };
        for first in [0, 1, 63, 64, 100, CHUNK - 1, CHUNK - 130, 3 * CHUNK - 256] {
            each_word(first, &bits, |word, bits| {
                let fresh = set.insert_word(word, bits);
                assert_eq!((fresh, set.insert_word(word, bits)), (bits, 0));
            });
            assert!(numbers(first).all(|number| set.contains(number)));
            assert_eq!((set.window(first), set.count()), (bits, numbers(first).count() as u64));
            let mut taken = Vec::new();
            (0..set.chunks()).for_each(|chunk| set.take_chunk(chunk, |number| taken.push(number)));
            assert!(taken.iter().copied().eq(numbers(first)) && set.count() == 0);
            numbers(first).for_each(|number| assert!(set.insert(number)));
            each_word(first, &bits, |word, bits| assert_eq!(set.remove_word(word, bits), bits));
            assert_eq!(set.count(), 0);
        }
    }
}
