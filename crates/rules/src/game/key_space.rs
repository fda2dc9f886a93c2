//! Key spaces: the positions to which the keys of a variant belong. Two tables can be compared only if their variants
//! have keys for the same positions.

use std::ops::Range;

use super::{Game, TextError};

/// The keys of a variant and the positions to which they belong.
///
/// Two variants with the same text in `positions` have keys for the same positions, reachable or not. Their ranges have
/// the same ids. In both variants a position lies in the range with the same id, at the same offset from the first key
/// of the range. Only the first keys of the ranges may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySpace {
    /// A description of the positions that have keys. No two games use the same text.
    pub positions: String,
    /// The ranges that make up all keys, in ascending order.
    pub ranges: Vec<KeyRange>,
}

/// A range of consecutive keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// Identifies the range within the variant.
    pub id: u32,
    /// The keys in the range. The end is exclusive.
    pub keys: Range<u64>,
}

/// A range of keys in each of two variants. Both ranges have the same length, and their keys belong to the same
/// positions in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedKeys {
    /// The first key of the range in each of the two variants.
    pub first: [u64; 2],
    /// The number of keys.
    pub length: u64,
}

impl SharedKeys {
    /// Returns the range of keys in the first (`variant` 0) or the second (1) of the two variants.
    pub fn keys(&self, variant: usize) -> Range<u64> {
        self.first[variant]..self.first[variant] + self.length
    }
}

impl KeySpace {
    /// Makes a key space with a single range, the keys below `end`. Variants with the same text `positions` then have
    /// the same key for each position.
    pub fn fixed(positions: String, end: u64) -> KeySpace {
        KeySpace { positions, ranges: vec![KeyRange { id: 0, keys: 0..end }] }
    }

    /// Pairs each range of `self` with the range of `other` that has the same id, in the order of `self`. Returns
    /// `None` if the key spaces are for different positions, or if their ranges differ in number, id or length.
    fn beside(&self, other: &KeySpace) -> Option<Vec<SharedKeys>> {
        if self.positions != other.positions || self.ranges.len() != other.ranges.len() {
            return None;
        }
        let shared = |mine: &KeyRange| {
            let theirs = other.ranges.iter().find(|theirs| theirs.id == mine.id)?;
            let length = mine.keys.end - mine.keys.start;
            let as_long = theirs.keys.end - theirs.keys.start == length;
            as_long.then_some(SharedKeys { first: [mine.keys.start, theirs.keys.start], length })
        };
        self.ranges.iter().map(shared).collect()
    }
}

/// Pairs each key range of `first` with the key range of `second` for the same positions, in ascending order of the
/// keys of `first`.
///
/// # Errors
///
/// Returns an error if the variants have keys for different positions.
pub fn shared_keys<G: Game>(first: &G, second: &G) -> Result<Vec<SharedKeys>, TextError> {
    let numberings = [first.key_space(), second.key_space()];
    let different =
        || not_shared([first.code(), second.code()], numberings.each_ref().map(|one| one.positions.as_str()));
    numberings[0].beside(&numberings[1]).ok_or_else(different)
}

/// Returns the error for two rule codes that have keys for different positions. `positions` describes the positions of
/// each code.
pub fn not_shared(codes: [String; 2], positions: [&str; 2]) -> TextError {
    let ([first, second], [mine, theirs]) = (codes, positions);
    let problem = format!("have keys for different positions ({mine}; {theirs})");
    TextError::new(format!("rule codes {first} and {second}"), problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_space(positions: &str, names: [u32; 3]) -> KeySpace {
        let range = |(at, name): (u64, u32)| KeyRange { id: name, keys: 10 * at..10 * at + 10 };
        KeySpace { positions: positions.into(), ranges: (0..).zip(names).map(range).collect() }
    }

    #[test]
    fn stretches_meet_by_name() {
        let (mine, theirs) = (key_space("a", [7, 8, 9]), key_space("a", [9, 7, 8]));
        let first: Vec<_> = mine.beside(&theirs).unwrap().iter().map(|shared| shared.first).collect();
        assert_eq!(first, [[0, 10], [10, 20], [20, 0]]);
        assert_eq!(mine.beside(&key_space("b", [7, 8, 9])), None);
        assert_eq!(mine.beside(&key_space("a", [7, 8, 6])), None);
        assert_eq!(mine.beside(&KeySpace::fixed("a".into(), 30)), None);
    }
}
