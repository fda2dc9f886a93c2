//! Which positions the keys of a variant stand for: what has to be known before tables of two variants are laid side by
//! side.

use std::ops::Range;

use super::{Game, TextError};

/// What the keys of a variant number.
///
/// Variants with the same `positions` have keys for the same positions, whether these can arise or not, and ranges
/// of the same names. A position stands at the same place in the range of one name; only where the range begins
/// depends on the variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySpace {
    /// What has keys, in words that no other game uses.
    pub positions: String,
    /// All keys, in ascending order.
    pub ranges: Vec<KeyRange>,
}

/// Keys one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// Tells the ranges of a variant apart.
    pub name: u32,
    pub keys: Range<u64>,
}

/// Keys of the same positions, in the same order, in two variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// First key in either variant.
    pub first: [u64; 2],
    /// Number of keys.
    pub length: u64,
}

impl Shared {
    /// The keys in one of the variants, 0 or 1.
    pub fn keys(&self, variant: usize) -> Range<u64> {
        self.first[variant]..self.first[variant] + self.length
    }
}

impl KeySpace {
    /// Keys below `end` that every variant with the same positions uses alike.
    pub fn fixed(positions: String, end: u64) -> KeySpace {
        KeySpace { positions, ranges: vec![KeyRange { name: 0, keys: 0..end }] }
    }

    /// The keys of both variants side by side, ascending in `self`; `None` if they stand for different positions.
    fn beside(&self, other: &KeySpace) -> Option<Vec<Shared>> {
        if self.positions != other.positions || self.ranges.len() != other.ranges.len() {
            return None;
        }
        let shared = |mine: &KeyRange| {
            let theirs = other.ranges.iter().find(|theirs| theirs.name == mine.name)?;
            let length = mine.keys.end - mine.keys.start;
            let as_long = theirs.keys.end - theirs.keys.start == length;
            as_long.then_some(Shared { first: [mine.keys.start, theirs.keys.start], length })
        };
        self.ranges.iter().map(shared).collect()
    }
}

/// The keys of both variants side by side, ascending in the first. An error if they stand for different positions.
pub fn shared_keys<G: Game>(first: &G, second: &G) -> Result<Vec<Shared>, TextError> {
    let numberings = [first.key_space(), second.key_space()];
    let different =
        || not_shared([first.code(), second.code()], numberings.each_ref().map(|one| one.positions.as_str()));
    numberings[0].beside(&numberings[1]).ok_or_else(different)
}

/// Says that the keys of two rule codes stand for different positions.
pub fn not_shared(codes: [String; 2], positions: [&str; 2]) -> TextError {
    let ([first, second], [mine, theirs]) = (codes, positions);
    let problem = format!("do not have the same positions ({mine}; {theirs})");
    TextError::new(format!("rule codes {first} and {second}"), problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_space(positions: &str, names: [u32; 3]) -> KeySpace {
        let range = |(at, name): (u64, u32)| KeyRange { name, keys: 10 * at..10 * at + 10 };
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
