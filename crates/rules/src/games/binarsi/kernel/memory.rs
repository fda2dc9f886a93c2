//! What has been found out about wins, by position.
//!
//! An entry is two words, a bucket four entries, a cache line. Both words together hold the whole position, so that no two
//! are taken for each other:
//!
//! ```text
//! word 0   bit 8r + f   black stone on file f, rank r     bit 8t + 7   target t is cleared     bits 48..61   locks
//! word 1   bits 0..48   squares, their bit 7 clear        bit 7        Black is the attacker
//!          bits 48..53  plies within which it wins (31: not known)     bits 53..58  plies within which it does not
//!          bits 58..63  logarithm of the positions looked at           bit 63       in use
//! ```

use super::field::{Field, SPREAD};
use crate::value::Side;

/// What is known of the wins of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// It can force a win within so many plies; [`Known::NEVER`] if that is not known.
    pub wins_in: u8,
    /// It cannot within so many.
    pub safe_for: u8,
}

impl Known {
    /// More plies than any game takes.
    pub const NEVER: u8 = 31;
    pub const NOTHING: Known = Known { wins_in: Known::NEVER, safe_for: 0 };

    /// Whether the attacker wins within so many plies.
    #[inline]
    pub fn answer(self, plies: u32) -> Option<bool> {
        if u32::from(self.wins_in) <= plies {
            return Some(true);
        }
        (u32::from(self.safe_for) >= plies).then_some(false)
    }

    /// What is known after the question about so many plies has been answered.
    fn with(self, plies: u32, wins: bool) -> Known {
        let plies = plies as u8;
        match wins {
            true => Known { wins_in: self.wins_in.min(plies), ..self },
            false => Known { safe_for: self.safe_for.max(plies), ..self },
        }
    }
}

const ENTRIES: usize = 4;
type Bucket = [[u64; 2]; ENTRIES];

/// The bits of word 1 that belong to the position.
const PLACE: u64 = (1 << 48) - 1;
const IN_USE: u64 = 1 << 63;

/// A table of what is known.
pub struct Memory {
    buckets: Vec<Bucket>,
}

#[inline]
fn words(field: &Field, attacker: Side) -> [u64; 2] {
    let targets = SPREAD[usize::from(field.targets)] << 7;
    let side = u64::from(attacker == Side::Black) << 7;
    [field.stones | targets | u64::from(field.locks) << 48, field.squares | side]
}

fn known(word: u64) -> Known {
    Known { wins_in: (word >> 48 & 31) as u8, safe_for: (word >> 53 & 31) as u8 }
}

/// Logarithm of the positions looked at; 0 for free entries.
fn cost(word: u64) -> u64 {
    word >> 58
}

impl Memory {
    /// Room of at most so many bytes.
    pub fn new(bytes: usize) -> Memory {
        let buckets = 1 << (bytes / size_of::<Bucket>()).max(1).ilog2();
        Memory { buckets: bytemuck::zeroed_vec(buckets) }
    }

    fn place(&self, words: [u64; 2]) -> usize {
        let hash = (words[0] ^ words[1].rotate_left(23)).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let hash = (hash ^ hash >> 29).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        (hash >> 32) as usize & (self.buckets.len() - 1)
    }

    /// What is known of the attacker's wins.
    #[inline]
    pub fn get(&self, field: &Field, attacker: Side) -> Known {
        let words = words(field, attacker);
        let same = |entry: &&[u64; 2]| entry[0] == words[0] && (entry[1] ^ words[1]) & PLACE == 0 && entry[1] != 0;
        self.buckets[self.place(words)].iter().find(same).map_or(Known::NOTHING, |entry| known(entry[1]))
    }

    /// Keeps an answer for which so many positions were looked at, instead of what took the fewest if there is no room.
    #[inline]
    pub fn put(&mut self, field: &Field, attacker: Side, plies: u32, wins: bool, nodes: u64) {
        let words = words(field, attacker);
        let place = self.place(words);
        let bucket = &mut self.buckets[place];
        let same = |entry: &[u64; 2]| entry[0] == words[0] && (entry[1] ^ words[1]) & PLACE == 0 && entry[1] != 0;
        let (at, before) = match bucket.iter().position(same) {
            Some(at) => (at, known(bucket[at][1])),
            None => ((0..ENTRIES).min_by_key(|&at| cost(bucket[at][1])).unwrap_or(0), Known::NOTHING),
        };
        let Known { wins_in, safe_for } = before.with(plies, wins);
        let cost = u64::from(nodes.max(1).ilog2().min(31));
        let found = u64::from(wins_in) << 48 | u64::from(safe_for) << 53 | cost << 58 | IN_USE;
        bucket[at] = [words[0], words[1] | found];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_by_the_whole_position_and_the_attacker() {
        let mut memory = Memory::new(1 << 12);
        let field = Field { stones: 0b10, squares: 0b111, locks: 5, targets: 0b100_001 };
        memory.put(&field, Side::Black, 4, false, 10);
        memory.put(&field, Side::Black, 7, true, 20);
        assert_eq!(memory.get(&field, Side::Black), Known { wins_in: 7, safe_for: 4 });
        assert_eq!(
            [4, 5, 7].map(|plies| memory.get(&field, Side::Black).answer(plies)),
            [Some(false), None, Some(true)]
        );
        assert_eq!(memory.get(&field, Side::White), Known::NOTHING);
        for other in [
            Field { stones: 0b11, ..field },
            Field { squares: 0b11, ..field },
            Field { locks: 1, ..field },
            Field { targets: 1, ..field },
        ] {
            assert_eq!(memory.get(&other, Side::Black), Known::NOTHING);
        }
        let empty = Field { stones: 0, squares: 0b1, locks: 0, targets: 0 };
        assert_eq!(memory.get(&empty, Side::White), Known::NOTHING);
    }

    #[test]
    fn what_took_longest_stays() {
        let mut memory = Memory::new(64);
        let field = |stones| Field { stones, squares: 0x7f, locks: 0, targets: 0 };
        memory.put(&field(99), Side::White, 3, true, 1 << 20);
        for stones in 0..50 {
            memory.put(&field(stones), Side::White, 3, true, 1);
        }
        assert_eq!(memory.get(&field(99), Side::White).wins_in, 3);
        assert_eq!(memory.get(&field(49), Side::White).wins_in, 3);
    }
}
