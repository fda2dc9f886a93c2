//! A set of dense numbers that many threads fill at once.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

/// Numbers that a bit of the summary stands for: 64 words of 64 bits.
const SPAN: u64 = 64 * 64;

/// Numbers in a chunk, the unit of parallel work: a word of the summary.
pub const CHUNK: u64 = 64 * SPAN;

/// One bit per number, and a summary that lets nearly empty sets be walked quickly. What threads see of each other's
/// changes is only settled when they have joined.
pub struct SharedSet {
    words: Vec<AtomicU64>,
    /// Bit `i` is set if any of the words `64 i` to `64 i + 63` may have a bit.
    summary: Vec<AtomicU64>,
}

impl SharedSet {
    /// An empty set of numbers below `len`.
    pub fn new(len: u64) -> SharedSet {
        // Memory that nobody has touched costs nothing.
        let zeros = |count: u64| bytemuck::zeroed_vec(count as usize);
        SharedSet { words: zeros(len.div_ceil(64)), summary: zeros(len.div_ceil(CHUNK)) }
    }

    /// All numbers below `len`.
    pub fn full(len: u64) -> SharedSet {
        let ones = |bits: u64| {
            let word = |at| if at < bits / 64 { u64::MAX } else { !(u64::MAX << (bits % 64)) };
            (0..bits.div_ceil(64)).map(|at| AtomicU64::new(word(at))).collect()
        };
        SharedSet { words: ones(len), summary: ones(len.div_ceil(SPAN)) }
    }

    /// Bytes of memory of a set of numbers below `len`.
    pub fn memory(len: u64) -> u64 {
        len / 8 + len / (8 * SPAN)
    }

    #[inline]
    pub fn contains(&self, number: u64) -> bool {
        self.words[(number / 64) as usize].load(Relaxed) >> (number % 64) & 1 == 1
    }

    /// Adds a number; whether it is new.
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

    /// Removes a number; whether it was there.
    #[inline]
    pub fn remove(&self, number: u64) -> bool {
        let (word, bit) = (&self.words[(number / 64) as usize], 1 << (number % 64));
        word.load(Relaxed) & bit != 0 && word.fetch_and(!bit, Relaxed) & bit != 0
    }

    /// Asks the memory for what is known about a number, which will be wanted soon.
    #[inline]
    pub fn prefetch(&self, number: u64) {
        super::prefetch(&self.words[(number / 64) as usize]);
    }

    /// Numbers in the set.
    pub fn count(&self) -> u64 {
        self.words.par_iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
    }

    /// Number of chunks.
    pub fn chunks(&self) -> u64 {
        self.summary.len() as u64
    }

    /// Calls `visit` with the numbers of one chunk, upwards.
    #[inline]
    pub fn visit_chunk(&self, chunk: u64, mut visit: impl FnMut(u64)) {
        let mut spans = self.summary[chunk as usize].load(Relaxed);
        while spans != 0 {
            let first = (chunk * CHUNK + u64::from(spans.trailing_zeros()) * SPAN) / 64;
            spans &= spans - 1;
            let end = (first + 64).min(self.words.len() as u64);
            for word in first..end {
                let mut bits = self.words[word as usize].load(Relaxed);
                while bits != 0 {
                    visit(word * 64 + u64::from(bits.trailing_zeros()));
                    bits &= bits - 1;
                }
            }
        }
    }

    /// Empties the set.
    pub fn clear(&self) {
        self.summary.par_iter().enumerate().for_each(|(chunk, summary)| {
            let mut spans = summary.swap(0, Relaxed);
            while spans != 0 {
                let first = chunk * 4096 + spans.trailing_zeros() as usize * 64;
                spans &= spans - 1;
                let end = (first + 64).min(self.words.len());
                self.words[first..end].iter().for_each(|word| word.store(0, Relaxed));
            }
        });
    }

    /// The 64 numbers from `64 * word` on, as bits.
    #[inline]
    pub fn word(&self, word: u64) -> u64 {
        self.words[word as usize].load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_set_ends_where_it_should() {
        for len in [0, 1, 63, 64, 65, SPAN, CHUNK - 1, CHUNK, CHUNK + SPAN + 7] {
            let set = SharedSet::full(len);
            assert_eq!(set.count(), len);
            let mut next = 0;
            (0..set.chunks()).for_each(|chunk| set.visit_chunk(chunk, |number| next += u64::from(number == next)));
            assert_eq!(next, len);
        }
    }

    #[test]
    fn holds_what_was_put_in() {
        let set = SharedSet::new(3 * CHUNK / 2);
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
}
