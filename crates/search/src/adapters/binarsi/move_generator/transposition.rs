//! The transposition table of the endgame solver: bounds on the distance to a forced win.
//!
//! An entry is two words, and a bucket is four entries, one cache line. The two words contain the whole position, so
//! positions are never confused:
//!
//! ```text
//! word 0   bit 8r + f   black stone on file f, rank r    bit 8t + 7   target t is cleared    bits 48..61   locks
//! word 1   bits 0..48   squares of the stones, with bit 7 set if Black is the attacker
//!          bits 48..53  Bounds::wins_in (31: unknown)          bits 53..58  Bounds::safe_for
//!          bits 58..63  binary logarithm of the node count     bit 63       set if the entry is in use
//! ```

use super::compact::{CompactPosition, SPREAD};
use yomikiri_rules::Side;

/// Bounds on the plies that one side, the attacker, needs for a forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Upper bound: the attacker can force a win within this number of plies. [`Bounds::NEVER`] if unknown.
    pub wins_in: u8,
    /// Lower bound: the attacker cannot force a win within this number of plies.
    pub safe_for: u8,
}

impl Bounds {
    /// The value of [`Bounds::wins_in`] if no win is known. No game has this number of plies.
    pub const NEVER: u8 = 31;
    pub const NOTHING: Bounds = Bounds { wins_in: Bounds::NEVER, safe_for: 0 };

    /// Returns true if the attacker wins within `plies` plies and false if it does not, or `None` if the bounds leave
    /// this open.
    #[inline]
    pub fn answer(self, plies: u32) -> Option<bool> {
        if u32::from(self.wins_in) <= plies {
            return Some(true);
        }
        (u32::from(self.safe_for) >= plies).then_some(false)
    }

    /// Returns the bounds, tightened by the answer `wins` to a query about `plies` plies.
    #[inline]
    fn with(self, plies: u32, wins: bool) -> Bounds {
        let plies = plies as u8;
        match wins {
            true => Bounds { wins_in: self.wins_in.min(plies), ..self },
            false => Bounds { safe_for: self.safe_for.max(plies), ..self },
        }
    }
}

const ENTRIES: usize = 4;
type Bucket = [[u64; 2]; ENTRIES];

/// The bits of word 1 that contain the squares of the stones and the side of the attacker.
const PLACE: u64 = (1 << 48) - 1;
const IN_USE: u64 = 1 << 63;

/// A hash table of bounds for pairs of a position and an attacker.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
}

#[inline]
fn words(position: &CompactPosition, attacker: Side) -> [u64; 2] {
    let targets = SPREAD[usize::from(position.targets)] << 7;
    let side = u64::from(attacker == Side::Black) << 7;
    [position.stones | targets | u64::from(position.locks) << 48, position.squares | side]
}

#[inline]
fn bounds(word: u64) -> Bounds {
    Bounds { wins_in: (word >> 48 & 31) as u8, safe_for: (word >> 53 & 31) as u8 }
}

/// Returns the replacement priority of an entry from its word 1: 32 plus the binary logarithm of the number of nodes,
/// or 0 for a free entry.
#[inline]
fn cost(word: u64) -> u64 {
    word >> 58
}

impl TranspositionTable {
    /// Creates a table of at most `bytes` bytes, but at least one bucket. The size is halved until the allocation
    /// succeeds.
    pub fn new(bytes: usize) -> TranspositionTable {
        let most = (bytes / size_of::<Bucket>()).max(1).ilog2();
        let given = (0..=most).rev().find_map(|log| bytemuck::try_zeroed_vec(1 << log).ok());
        TranspositionTable { buckets: given.unwrap_or_else(|| bytemuck::zeroed_vec(1)) }
    }

    #[inline]
    fn place(&self, words: [u64; 2]) -> usize {
        let hash = (words[0] ^ words[1].rotate_left(23)).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let hash = (hash ^ hash >> 29).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        (hash >> 32) as usize & (self.buckets.len() - 1)
    }

    /// Returns the bounds for a position and an attacker, or [`Bounds::NOTHING`] if there is no entry.
    #[inline]
    pub fn get(&self, position: &CompactPosition, attacker: Side) -> Bounds {
        let words = words(position, attacker);
        let same = |entry: &&[u64; 2]| entry[0] == words[0] && (entry[1] ^ words[1]) & PLACE == 0 && entry[1] != 0;
        self.buckets[self.place(words)].iter().find(same).map_or(Bounds::NOTHING, |entry| bounds(entry[1]))
    }

    /// Stores the answer `wins` to a query about `plies` plies, which took `nodes` nodes. A new entry replaces the
    /// entry with the fewest nodes in its bucket.
    #[inline]
    pub fn put(&mut self, position: &CompactPosition, attacker: Side, plies: u32, wins: bool, nodes: u64) {
        let words = words(position, attacker);
        let place = self.place(words);
        let bucket = &mut self.buckets[place];
        let same = |entry: &[u64; 2]| entry[0] == words[0] && (entry[1] ^ words[1]) & PLACE == 0 && entry[1] != 0;
        let (at, before) = match bucket.iter().position(same) {
            Some(at) => (at, bounds(bucket[at][1])),
            None => ((0..ENTRIES).min_by_key(|&at| cost(bucket[at][1])).unwrap_or(0), Bounds::NOTHING),
        };
        let Bounds { wins_in, safe_for } = before.with(plies, wins);
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
        let mut table = TranspositionTable::new(1 << 12);
        let position = CompactPosition { stones: 0b10, squares: 0b111, locks: 5, targets: 0b100_001 };
        table.put(&position, Side::Black, 4, false, 10);
        table.put(&position, Side::Black, 7, true, 20);
        assert_eq!(table.get(&position, Side::Black), Bounds { wins_in: 7, safe_for: 4 });
        assert_eq!(
            [4, 5, 7].map(|plies| table.get(&position, Side::Black).answer(plies)),
            [Some(false), None, Some(true)]
        );
        assert_eq!(table.get(&position, Side::White), Bounds::NOTHING);
        for other in [
            CompactPosition { stones: 0b11, ..position },
            CompactPosition { squares: 0b11, ..position },
            CompactPosition { locks: 1, ..position },
            CompactPosition { targets: 1, ..position },
        ] {
            assert_eq!(table.get(&other, Side::Black), Bounds::NOTHING);
        }
        let empty = CompactPosition { stones: 0, squares: 0b1, locks: 0, targets: 0 };
        assert_eq!(table.get(&empty, Side::White), Bounds::NOTHING);
    }

    #[test]
    fn what_took_longest_stays() {
        let mut table = TranspositionTable::new(64);
        let position = |stones| CompactPosition { stones, squares: 0x7f, locks: 0, targets: 0 };
        table.put(&position(99), Side::White, 3, true, 1 << 20);
        for stones in 0..50 {
            table.put(&position(stones), Side::White, 3, true, 1);
        }
        assert_eq!(table.get(&position(99), Side::White).wins_in, 3);
        assert_eq!(table.get(&position(49), Side::White).wins_in, 3);
    }
}
