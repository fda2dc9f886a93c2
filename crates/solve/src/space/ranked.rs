//! A set of dense numbers that also tells the place of each of its numbers.

use std::ops::Range;

use zerocopy::FromZeros;

use crate::Result;
use yomikiri_rules::bits::set_bits;
use yomikiri_table::memory::{Zeros, prefetch};
use yomikiri_table::parallel;

/// The number of words of 64 bits in a [`Line`].
const LINE_WORDS: usize = 6;

/// The number of successive numbers that a [`Line`] covers.
const LINE: u64 = 64 * LINE_WORDS as u64;

/// The number of lines that a thread fills at a time.
const PART_LINES: usize = 64;

/// The number of successive numbers in a part. Threads fill a [`RankedSet`] part by part.
pub const RANKED_PART: u64 = LINE * PART_LINES as u64;

/// 384 successive numbers, in one cache line.
#[derive(Clone, Copy, FromZeros)]
#[repr(C, align(64))]
struct Line {
    /// The number of members in all lines before this one.
    before: u32,
    /// For each word, the number of members in the words of this line before it.
    within: [u16; LINE_WORDS],
    /// Bit `i` of word `w` is set if the number `64 w + i` of this line is a member.
    words: [u64; LINE_WORDS],
}

/// A set of numbers. The *place* of a member is the number of smaller members. A place is found with one access to
/// memory. The set takes a sixth of a byte for each number below its length, members or not.
pub struct RankedSet {
    lines: Zeros<Line>,
    count: u64,
}

impl RankedSet {
    /// The greatest length of a set. Places have 32 bits.
    pub const MAX_LEN: u64 = u32::MAX as u64;

    /// Creates a set of numbers below `len`, which is at most [`RankedSet::MAX_LEN`]. Calls `fill` with each range of
    /// [`RANKED_PART`] numbers (fewer in the last range) and with 64-bit words for them, all 0. `fill` sets bit `i % 64`
    /// of word `i / 64` if the number `i` of the range, counted from 0, is a member. Returns the error of `fill`, or an
    /// error if the system refuses the memory.
    pub fn new(len: u64, fill: impl Fn(Range<u64>, &mut [u64]) -> Result<()> + Sync) -> Result<RankedSet> {
        assert!(len <= RankedSet::MAX_LEN, "{len} numbers are too many for places of 32 bits");
        let mut lines = Zeros::<Line>::filled(len.div_ceil(LINE) as usize)?;
        parallel::try_each_part_mut(&mut lines, PART_LINES, |part, lines| {
            let first = part as u64 * RANKED_PART;
            let mut words = [0; PART_LINES * LINE_WORDS];
            fill(first..(first + RANKED_PART).min(len), &mut words)?;
            for (line, words) in lines.iter_mut().zip(words.as_chunks().0) {
                line.words = *words;
            }
            Ok::<_, crate::SolveError>(())
        })?;
        let mut count = 0;
        for line in lines.iter_mut() {
            line.before = count;
            let mut within = 0;
            for (before, word) in line.within.iter_mut().zip(line.words) {
                *before = within;
                within += word.count_ones() as u16;
            }
            count += u32::from(within);
        }
        Ok(RankedSet { lines, count: count.into() })
    }

    /// Bytes of memory of a set of numbers below `len`.
    pub fn memory(len: u64) -> u64 {
        len.div_ceil(LINE) * size_of::<Line>() as u64
    }

    /// Returns the number of members.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the place of a number, or `None` if it is not a member.
    #[inline]
    pub fn place(&self, number: u64) -> Option<u64> {
        let line = self.lines.get((number / LINE) as usize)?;
        let word = (number % LINE / 64) as usize;
        let (bits, bit) = (line.words[word], 1 << (number % 64));
        let smaller = || u64::from(line.within[word]) + u64::from((bits & (bit - 1)).count_ones());
        (bits & bit != 0).then(|| u64::from(line.before) + smaller())
    }

    /// Prefetches the memory that [`RankedSet::place`] reads for a number.
    #[inline]
    pub fn prefetch(&self, number: u64) {
        if let Some(line) = self.lines.get((number / LINE) as usize) {
            prefetch(line);
        }
    }

    /// Returns the members among the 64 numbers from `64 * word` on, as bits.
    #[inline]
    pub fn word(&self, word: u64) -> u64 {
        let line = self.lines.get((word / LINE_WORDS as u64) as usize);
        line.map_or(0, |line| line.words[word as usize % LINE_WORDS])
    }

    /// Calls `visit` with each member in a range whose start is a multiple of 64, and with its place, in ascending
    /// order.
    #[inline]
    pub fn each(&self, range: Range<u64>, mut visit: impl FnMut(u64, u64)) {
        let mut place = None;
        for word in range.start / 64..range.end.div_ceil(64) {
            for bit in set_bits(self.word(word)) {
                let number = word * 64 + u64::from(bit);
                if number < range.end {
                    let here = place.or_else(|| self.place(number)).unwrap_or_default();
                    visit(number, here);
                    place = Some(here + 1);
                }
            }
        }
    }

    /// Returns a cursor at the member with this place.
    pub fn cursor(&self, place: u64) -> RankedCursor<'_> {
        let after = self.lines.partition_point(|line| u64::from(line.before) <= place);
        let word = after.saturating_sub(1) as u64 * LINE_WORDS as u64;
        let place = self.lines.get(after.saturating_sub(1)).map_or(0, |line| line.before.into());
        RankedCursor { set: self, word, bits: self.word(word), place }
    }
}

/// Finds members by their places, in ascending order of places.
pub struct RankedCursor<'a> {
    set: &'a RankedSet,
    /// The index of the word that has the next member.
    word: u64,
    /// The members of that word that have not been passed yet.
    bits: u64,
    /// The place of the lowest bit of `bits`.
    place: u64,
}

impl RankedCursor<'_> {
    /// Returns the member with a place, which is not below the place of the last call. The place must be below
    /// [`RankedSet::count`].
    #[inline]
    pub fn number(&mut self, place: u64) -> u64 {
        loop {
            let count = u64::from(self.bits.count_ones());
            if self.place + count > place {
                break;
            }
            (self.place, self.word) = (self.place + count, self.word + 1);
            assert!(self.word < (self.set.lines.len() * LINE_WORDS) as u64, "place {place} is beyond the last member");
            self.bits = self.set.word(self.word);
        }
        while self.place < place {
            self.bits &= self.bits - 1;
            self.place += 1;
        }
        self.word * 64 + u64::from(self.bits.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a set of the numbers below `len` that `is_member` selects, and the list of its members.
    fn set_of(len: u64, is_member: impl Fn(u64) -> bool + Sync) -> (RankedSet, Vec<u64>) {
        let set = RankedSet::new(len, |range, words| {
            for number in range.clone().filter(|&number| is_member(number)) {
                let at = number - range.start;
                words[(at / 64) as usize] |= 1 << (at % 64);
            }
            Ok(())
        });
        (set.unwrap(), (0..len).filter(|&number| is_member(number)).collect())
    }

    /// Checks each way to ask a set against the list of its members.
    fn check(len: u64, is_member: impl Fn(u64) -> bool + Sync) {
        let (set, members) = set_of(len, &is_member);
        assert_eq!(set.count(), members.len() as u64);
        for number in 0..len + 500 {
            let place = members.binary_search(&number).ok().map(|place| place as u64);
            assert_eq!(set.place(number), place, "{number} of {len}");
        }
        for start in [0, 64, 384, 24_576, 30_016] {
            for end in [start + 1, start + 1000, len] {
                let mut visited = Vec::new();
                set.each(start..end, |number, place| visited.push((number, place)));
                let inside = (0..).zip(&members).filter(|(_, number)| (start..end).contains(number));
                assert_eq!(visited, inside.map(|(place, &number)| (number, place)).collect::<Vec<_>>());
            }
        }
        for (first, step) in [(0, 1), (0, 7), (1, 1000), (members.len() / 2, 3)] {
            let places: Vec<usize> = (first..members.len()).step_by(step).collect();
            let mut cursor = set.cursor(first as u64);
            for place in places {
                assert_eq!(cursor.number(place as u64), members[place], "place {place} of {len}");
            }
        }
    }

    #[test]
    fn places_count_the_smaller_members() {
        for len in [0, 1, 63, 64, 383, 384, 385, 24_576, 24_577, 100_000] {
            check(len, |_| true);
            check(len, |_| false);
            check(len, |number| number % 3 == 1);
            check(len, |number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58 == 0);
            check(len, |number| (30_000..40_000).contains(&number));
        }
    }
}
