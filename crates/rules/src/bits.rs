//! Walks through the set bits of words.

use std::iter::FusedIterator;

/// An iterator over the indices of the set bits of a word, in ascending order.
#[derive(Clone, Debug)]
pub struct SetBits(u64);

/// Returns the indices of the set bits of a word, in ascending order. A loop over the iterator compiles to the same
/// code as a loop that clears the lowest set bit by hand.
#[inline(always)]
pub fn set_bits(word: impl Into<u64>) -> SetBits {
    SetBits(word.into())
}

/// Returns the squares of a set as bit indices, in ascending order.
#[inline(always)]
pub fn squares_of(set: impl Into<u64>) -> impl ExactSizeIterator<Item = u8> {
    set_bits(set).map(|bit| bit as u8)
}

impl Iterator for SetBits {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for SetBits {}

impl FusedIterator for SetBits {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_in_ascending_order() {
        for word in [0, 1, 0b1010_0110, 1 << 63, 0x8000_0001_0000_4001, u64::MAX] {
            let expected: Vec<u32> = (0..64).filter(|bit| word >> bit & 1 == 1).collect();
            assert_eq!(set_bits(word).len(), expected.len());
            assert_eq!(set_bits(word).collect::<Vec<_>>(), expected);
            assert!(squares_of(word).map(u32::from).eq(expected));
        }
        assert!(set_bits(0x81u8).eq([0, 7]));
    }
}
