//! The values of one ply: a byte per position that can arise.

use rayon::prelude::*;

/// Words counted by one thread at a time.
const PART: usize = 1 << 16;

/// Positions of a ply with their table bytes.
pub struct Sheet {
    /// As `reach` has them.
    words: Vec<u64>,
    /// Number of positions before each word.
    before: Vec<u32>,
    /// In the order of positions, and one more that belongs to nothing.
    bytes: Vec<u8>,
}

impl Sheet {
    /// `bytes` are those of the positions in `words`, in their order.
    pub fn new(words: Vec<u64>, mut bytes: Vec<u8>) -> Sheet {
        assert!(u32::try_from(bytes.len()).is_ok(), "more positions in a ply than a sheet can count");
        let counts: Vec<u32> =
            words.par_chunks(PART).map(|words| words.iter().map(|word| word.count_ones()).sum()).collect();
        let sums = counts.iter().scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count)));
        let sums: Vec<u32> = sums.collect();
        let mut before = vec![0; words.len()];
        before.par_chunks_mut(PART).zip(words.par_chunks(PART)).zip(sums).for_each(|((before, words), first)| {
            let mut count = first;
            for (before, word) in before.iter_mut().zip(words) {
                *before = count;
                count += word.count_ones();
            }
        });
        bytes.push(0);
        Sheet { words, before, bytes }
    }

    /// The byte of bit `lane` of a word; some byte if there is no such position.
    #[inline(always)]
    pub fn byte(&self, word: usize, lane: u32) -> u8 {
        let earlier = self.words[word] & ((1 << lane) - 1);
        self.bytes[(self.before[word] + earlier.count_ones()) as usize]
    }
}
