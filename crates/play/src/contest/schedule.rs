//! Who plays which side in which game, and what chance decides there.

use xxhash_rust::xxh3::xxh3_64;

use yomikiri_rules::value::Side;

/// What is different from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// From 0 on. Games 0 and 1 are a pair, as are 2 and 3: the same opening, the other colours.
    pub number: u32,
    /// The side that player A has.
    pub a: Side,
    /// The same for both games of a pair.
    pub opening_seed: u64,
    /// For the players A and B.
    pub player_seeds: [u64; 2],
}

impl Setting {
    /// Everything follows from the contest's seed and the number of the game.
    pub fn of(seed: u64, number: u32) -> Setting {
        let a = if number.is_multiple_of(2) { Side::Black } else { Side::White };
        let player_seeds = [1, 2].map(|player| mixed(seed, number, player));
        Setting { number, a, opening_seed: mixed(seed, number / 2, 0), player_seeds }
    }

    /// The player at a side: 0 for A, 1 for B.
    pub fn player(self, side: Side) -> usize {
        usize::from(side != self.a)
    }
}

/// A seed of its own for each purpose.
fn mixed(seed: u64, number: u32, purpose: u8) -> u64 {
    let mut bytes = [0; 13];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..12].copy_from_slice(&number.to_le_bytes());
    bytes[12] = purpose;
    xxh3_64(&bytes)
}
