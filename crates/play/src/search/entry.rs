//! The entries of the search's transposition table. The key of an entry is the fingerprint of its position, a 64-bit
//! number. The entry itself is one 64-bit word:
//!
//! ```text
//! bits 0..16   score, two's complement     bits 16..24   depth     bits 24..26   bound     bits 26..32   age
//! bits 32..64  hint, by which the best move is found again
//! ```
//!
//! The age tells which search has stored the entry. Entries of earlier searches count as absent. Among entries of the
//! current search, the shallowest are replaced first.

use yomikiri_search::transposition;

/// The relation of a score to the value of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

/// The result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PvEntry {
    pub score: i16,
    /// The depth of the search in plies.
    pub depth: u8,
    pub bound: Bound,
    /// The best move. The lower 16 bits are its index among the moves, the upper 16 bits a hash of the position after
    /// the move.
    pub hint: u32,
}

/// The highest age. The age of an entry, from 1 to 63, tells which search has stored it. Age 0 marks an empty word.
const AGES: u8 = 63;

fn age_of(word: u64) -> u8 {
    (word >> 26 & 63) as u8
}

fn depth_of(word: u64) -> u8 {
    (word >> 16) as u8
}

impl transposition::PackedEntry for PvEntry {
    fn next_age(age: u8) -> Option<u8> {
        (age < AGES).then_some(age + 1)
    }

    fn to_word(self, age: u8) -> u64 {
        u64::from(self.score as u16)
            | u64::from(self.depth) << 16
            | (self.bound as u64) << 24
            | u64::from(age) << 26
            | u64::from(self.hint) << 32
    }

    fn from_word(word: u64) -> PvEntry {
        let bound = match word >> 24 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        PvEntry { score: word as u16 as i16, depth: depth_of(word), bound, hint: (word >> 32) as u32 }
    }

    fn is_found(word: u64, age: u8) -> bool {
        word != 0 && age_of(word) == age
    }

    fn worth(word: u64, age: u8) -> u32 {
        if age_of(word) == age { 1 + u32::from(depth_of(word)) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_search::transposition::{PackedEntry as _, TranspositionTable};

    fn entry(score: i16, depth: u8) -> PvEntry {
        PvEntry { score, depth, bound: Bound::Upper, hint: 0xdead_beef }
    }

    #[test]
    fn entries_are_found_by_their_keys_alone() {
        let mut table = TranspositionTable::<u64, PvEntry>::new(300);
        table.forget();
        for key in 0..50 {
            table.put(key, entry(-(key as i16), key as u8));
            assert_eq!(table.get(key), Some(entry(-(key as i16), key as u8)));
        }
        let kept = (0..50).filter(|&key| table.get(key).is_some()).count();
        assert!((8..=16).contains(&kept), "{kept}");
        for _ in 0..3 * AGES {
            table.forget();
            assert!((0..50).all(|key| table.get(key).is_none()));
        }
    }

    #[test]
    fn words_keep_all_of_an_entry() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for score in [i16::MIN, -1, 0, 1, 32_000, i16::MAX] {
                let entry = PvEntry { score, depth: 100, bound, hint: u32::MAX };
                assert_eq!(PvEntry::from_word(entry.to_word(AGES)), entry);
                assert_eq!(age_of(entry.to_word(AGES)), AGES);
            }
        }
    }

    #[test]
    fn the_deepest_of_a_bucket_stay() {
        let mut table = TranspositionTable::<u64, PvEntry>::new(1);
        table.forget();
        table.put(7, entry(1, 9));
        for key in 100..120 {
            table.put(key, entry(2, 1));
        }
        assert_eq!(table.get(7), Some(entry(1, 9)));
        assert_eq!(table.get(119), Some(entry(2, 1)));
        table.forget();
        for key in 100..104 {
            table.put(key, entry(2, 1));
        }
        assert!((100..104).all(|key| table.get(key).is_some()));
    }
}
