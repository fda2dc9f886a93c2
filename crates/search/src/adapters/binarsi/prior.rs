//! The prior of df-pn: initial proof numbers from an estimate of the winner, learned while a proof goes on.
//!
//! The estimate is a logistic regression. Every solved position is one step of gradient descent, with a learning rate
//! for each weight (AdaGrad: Duchi, Hazan, Singer, "Adaptive subgradient methods", 2011). Features:
//!
//! - for each way (file or rank), its content (the stones on it), its lock and its distance from the edge;
//! - for each way, its lock and the stones on those of its squares whose crossing way is locked;
//! - the cleared targets, as far as they matter (`ProofGame::reduced`);
//! - the number of stones by which Black leads, and the same for stones that can never change again;
//! - for each missing target, the number of open places (lines of squares that can still clear it), and the numbers of
//!   places that lack one stone and two stones;
//! - for each side, the combination of the distances ([`distance`]) of its three targets.
//!
//! Positions with an even and an odd number of plies left have separate weights.
//!
//! Threads share the weights without locks. One thread can overwrite the step of another, which does no harm.
//!
//! A proof that takes a second has no time to learn. Boards of 7x6 therefore begin with weights that were learned from
//! proofs of many positions (`crates/search/examples/prior.rs`). They are stored in `weights/7x6` as a signed byte for
//! each weight, in units of [`UNIT`], packed by zlib.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU32, Ordering};

use arrayvec::ArrayVec;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::adapters::binarsi::move_generator::{CompactPosition, TargetDistance, TargetPlaces, gathered};
use crate::proof::ProofNumbers;
use yomikiri_rules::Side;
use yomikiri_rules::games::binarsi::board::{FIRST_FILE, Squares};
use yomikiri_rules::games::binarsi::rules::Rules;

/// The initial learning rate.
const RATE: f32 = 0.1;

/// The unit of stored weights.
const UNIT: f32 = 1.0 / 32.0;

/// The initial sum of squared errors of a stored weight. With a larger sum, a proof changes the weight more slowly.
const TRUSTED: f32 = 30.0;

/// The stored weights, each with the numbers of files and ranks of its board.
const STORED_WEIGHTS: [((u8, u8), &[u8]); 1] = [((7, 6), include_bytes!("weights/7x6"))];

/// The proof number and the disproof number of a leaf with even odds at the ply from which on positions are solved
/// exactly. For every two plies that a leaf is earlier, both numbers are multiplied by `GROWTH`.
const EVEN_NUMBER: f32 = 4.0;
const GROWTH: f32 = 2.5;

/// The exponent applied to the odds that the side to move wins. The proof number of a leaf is divided by the resulting
/// power, and the disproof number is multiplied by it.
const TRUST: f32 = 0.25;

/// The maximum proof number and disproof number of a leaf.
const MAX_NUMBER: f32 = 1e6;

/// The number of contents of a way: three states for each of seven squares.
const CONTENTS: usize = 2187;

/// The index of the first weight of each kind of feature. A feature has a weight of its own for each combination of the
/// values after "by":
///
/// - 0: the content of a way (file or rank), by distance of the way from the edge, direction, lock and content;
/// - `CROSSED`: the part of a way's content that lies on locked crossing ways, by direction, lock of the way and this
///   part;
/// - `TARGETS`: the cleared targets, by plies left and set of targets;
/// - `STONES` and `FIXED`: the number of stones by which Black leads, and the same for stones that can never change
///   again, each by plies left and this number;
/// - `LACKING`: the distances ([`distance`]) of a side's three targets, by plies left, side and distances;
/// - `PROSPECTS`: a target that is not cleared, by target, numbers of its open places and cleared targets of its side.
///
/// `ALL` is the number of all these weights. A prior has them twice: for an even and for an odd number of plies left.
const CROSSED: usize = 4 * 2 * 2 * CONTENTS;
const TARGETS: usize = CROSSED + 2 * 2 * CONTENTS;
const STONES: usize = TARGETS + 32 * 64;
const FIXED: usize = STONES + 32 * 128;
const LACKING: usize = FIXED + 32 * 128;
const PROSPECTS: usize = LACKING + 32 * 2 * DISTANCES * DISTANCES * DISTANCES;
const ALL: usize = PROSPECTS + 6 * 64 * 8;

/// The number of different values of [`distance`].
const DISTANCES: usize = 6;

/// The maximum number of features of a position: two for each way, three for the whole board, one for each side, one
/// for each target.
const MAX_FEATURES: usize = 2 * 13 + 3 + 2 + 6;

/// The indices of the weights that a position uses.
type Features = ArrayVec<u32, MAX_FEATURES>;

/// An `f32` that threads share.
#[derive(Default)]
struct Float(AtomicU32);

impl Float {
    #[inline]
    fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }

    #[inline]
    fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }
}

impl Clone for Float {
    fn clone(&self) -> Float {
        Float(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

/// The prior of one variant.
#[derive(Clone)]
pub struct Prior {
    files: u32,
    ranks: u32,
    max_plies: u32,
    /// Two tables from sets of squares of a way (bit 0 for the first square) to numbers to base 3. Each square of the
    /// set gets the digit 1 in the first table, and the digit 2 in the second. `mirrored` has each set in reverse
    /// order, indexed by the length of the way (0 to 7 squares), then by the set.
    ternary: [[u16; 128]; 2],
    mirrored: Vec<[u8; 128]>,
    /// The proof number of a leaf with even odds, which is also its disproof number. The index is the number of plies
    /// until positions are solved exactly.
    even: Vec<f32>,
    weights: Vec<Float>,
    /// For each weight, the sum of the squared errors of the steps that changed it.
    squares: Vec<Float>,
}

fn mirrored(number: usize, length: usize) -> u8 {
    (0..length).fold(0, |image, bit| image | ((number >> bit & 1) << (length - 1 - bit)) as u8)
}

#[inline]
fn ternary(number: usize) -> u16 {
    (0..7).rev().fold(0, |sum, bit| 3 * sum + (number >> bit & 1) as u16)
}

impl Prior {
    /// Creates the prior of a variant, with the weights stored for its board, if there are any.
    pub fn new(rules: &Rules) -> Prior {
        let prior = Prior::blank(rules);
        let kept = STORED_WEIGHTS.iter().find(|(board, _)| *board == (rules.files, rules.ranks));
        if let Some((_, packed)) = kept {
            prior.set(packed).expect("the stored weights fit their board");
        }
        prior
    }

    /// Sets the weights to those of a file like `weights/7x6`. Returns an error if the bytes are not such a file.
    #[inline]
    fn set(&self, packed: &[u8]) -> io::Result<()> {
        let mut bytes = Vec::new();
        ZlibDecoder::new(packed).take(2 * ALL as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() != 2 * ALL {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "wrong number of weights"));
        }
        for (at, byte) in bytes.into_iter().enumerate().filter(|&(_, byte)| byte != 0) {
            self.weights[at].set(f32::from(byte as i8) * UNIT);
            self.squares[at].set(TRUSTED);
        }
        Ok(())
    }

    /// Packs the weights into the bytes of a file like `weights/7x6`.
    pub fn pack(&self) -> Vec<u8> {
        let byte = |weight: &Float| (weight.get() / UNIT).round().clamp(-127.0, 127.0) as i8 as u8;
        let bytes: Vec<u8> = self.weights.iter().map(byte).collect();
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&bytes).and_then(|()| packer.finish()).expect("to memory")
    }

    /// Creates a prior that has learned nothing yet.
    pub fn blank(rules: &Rules) -> Prior {
        let zeros = || std::iter::repeat_with(Float::default).take(2 * ALL).collect();
        Prior {
            files: rules.files.into(),
            ranks: rules.ranks.into(),
            max_plies: rules.max_plies(),
            ternary: [1, 2].map(|digit| std::array::from_fn(|number| digit * ternary(number))),
            mirrored: (0..8).map(|length| std::array::from_fn(|number| mirrored(number, length))).collect(),
            even: (0..=rules.max_plies()).map(|plies| EVEN_NUMBER * GROWTH.powf(plies as f32 / 2.0)).collect(),
            weights: zeros(),
            squares: zeros(),
        }
    }

    /// Returns the initial proof number and disproof number of a leaf. `position` must be reduced by
    /// `ProofGame::reduced` of Binarsi. Positions with at most `endgame_plies` plies left are solved exactly.
    pub fn numbers(&self, lines: &TargetPlaces, position: &CompactPosition, endgame_plies: u32) -> ProofNumbers {
        let black = self.log_odds(&self.features(lines, position));
        let mover = if Side::at_ply(position.ply()) == Side::Black { black } else { -black };
        let plies = (self.max_plies - position.ply()).saturating_sub(endgame_plies);
        let (even, odds) = (self.even[plies as usize], (TRUST * mover).exp());
        let number = |number: f32| number.clamp(1.0, MAX_NUMBER) as u32;
        ProofNumbers { pn: number(even / odds), dn: number(even * odds) }
    }

    /// Makes a step of gradient descent for a solved position, which must be reduced by `ProofGame::reduced`.
    pub fn learn(&self, lines: &TargetPlaces, position: &CompactPosition, winner: Side) {
        let features = self.features(lines, position);
        let probability = 1.0 / (1.0 + (-self.log_odds(&features)).exp());
        let error = if winner == Side::Black { 1.0 - probability } else { -probability };
        for at in features.into_iter().map(|at| at as usize) {
            let sum = self.squares[at].get() + error * error;
            self.squares[at].set(sum);
            self.weights[at].set(self.weights[at].get() + RATE * error / (1.0 + sum).sqrt());
        }
    }

    /// Returns the logarithm of the odds that Black wins.
    fn log_odds(&self, features: &Features) -> f32 {
        features.iter().map(|&at| self.weights[at as usize].get()).sum()
    }

    fn features(&self, lines: &TargetPlaces, position: &CompactPosition) -> Features {
        let mut features = Features::new();
        let left = (self.max_plies - position.ply()) as usize;
        let base = (left & 1) * ALL;
        let mut push = |first: usize, at: usize| features.push((base + first + at) as u32);
        let (stones, white, locks) = (position.stones, position.white(), position.locks);
        for way in 0..self.files {
            let held = [stones, white].map(|stones| gathered(stones >> way & FIRST_FILE) as usize);
            let (lock, crossing) = (usize::from(locks >> way & 1), usize::from(locks >> 7));
            push(first_weight(0, way, self.files, lock), self.content(held, self.ranks));
            push(CROSSED + lock * CONTENTS, self.content(held.map(|held| held & crossing), self.ranks));
        }
        for way in 0..self.ranks {
            let held = [stones, white].map(|stones| (stones >> (8 * way) & 0x7f) as usize);
            let (lock, crossing) = (usize::from(locks >> (7 + way) & 1), usize::from(locks & 0x7f));
            push(first_weight(1, way, self.ranks, lock), self.content(held, self.files));
            push(CROSSED + (2 + lock) * CONTENTS, self.content(held.map(|held| held & crossing), self.files));
        }
        let more = |squares: Squares| (64 + (squares & stones).count_ones() - (squares & white).count_ones()) as usize;
        push(TARGETS, 64 * left + usize::from(position.targets));
        push(STONES, 128 * left + more(position.squares));
        push(FIXED, 128 * left + more(position.fixed()));
        let prospects = lines.prospects(position);
        for (side, prospects) in prospects.chunks(3).enumerate() {
            let distances = prospects.iter().fold(0, |code, prospect| DISTANCES * code + distance(prospect.as_ref()));
            push(LACKING, (2 * left + side) * DISTANCES.pow(3) + distances);
        }
        for (target, prospect) in prospects.into_iter().enumerate() {
            let Some(TargetDistance { open, lacking: [one, two, _] }) = prospect else { continue };
            let rest = usize::from(position.targets >> (target / 3 * 3) & 7);
            let code = open.min(3) << 4 | one.min(3) << 2 | two.min(3);
            push(PROSPECTS, (target * 64 + code as usize) << 3 | rest);
        }
        features
    }

    /// Returns the index of a way's content, given its black and white stones. Mirror images have the same index.
    #[inline]
    fn content(&self, [black, white]: [usize; 2], length: u32) -> usize {
        let [ones, twos] = &self.ternary;
        let image = &self.mirrored[length as usize];
        let content = ones[black] + twos[white];
        usize::from(content.min(ones[usize::from(image[black])] + twos[usize::from(image[white])]))
    }
}

/// Returns the index of the first weight for the content of a way. `direction` is 0 for files and 1 for ranks. `way` is
/// the index of the way among the `ways` ways of its direction. `lock` is 1 if the way is locked, else 0.
fn first_weight(direction: usize, way: u32, ways: u32, lock: usize) -> usize {
    let from_edge = way.min(ways - 1 - way) as usize;
    ((from_edge << 1 | direction) << 1 | lock) * CONTENTS
}

/// Returns the distance of a target: 0 if the target has been cleared, 1 if several places (lines of squares that can
/// clear it) lack one stone, and 2 if one place lacks one stone. Otherwise 3 or 4 if the nearest place lacks two or
/// three stones, and 5 if the nearest place lacks more.
#[inline]
fn distance(prospect: Option<&TargetDistance>) -> usize {
    let Some(&TargetDistance { lacking: [one, two, three], .. }) = prospect else { return 0 };
    match (one, two, three) {
        (2.., ..) => 1,
        (1, ..) => 2,
        (_, 1.., _) => 3,
        (.., 1..) => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::games::binarsi::board::Image;
    use yomikiri_rules::{Game, Notation};

    #[test]
    fn what_is_learned_moves_the_numbers_of_a_position_and_its_mirror_images() {
        let game = Binarsi::parse("bin7x6").unwrap();
        let lines = &TargetPlaces::new(&game.rules);
        let position = game.parse_position("7/xxxxx2/xxxox2/oooxx2/oooox2/7 b 2345d 4/11////9 12").unwrap();
        let images = Image::ALL.map(|image| CompactPosition::from(&position.mirrored(&game.rules, image)));
        let prior = Prior::blank(&game.rules);
        let unknown = prior.numbers(lines, &images[0], 8);
        assert_eq!(unknown.pn, unknown.dn);
        assert_eq!(prior.numbers(lines, &images[0], 24), ProofNumbers { pn: 4, dn: 4 });
        assert_eq!(prior.numbers(lines, &images[0], 10), ProofNumbers { pn: 10, dn: 10 });
        for _ in 0..100 {
            prior.learn(lines, &images[0], Side::Black);
        }
        for image in &images {
            let numbers = prior.numbers(lines, image, 8);
            assert!(numbers.pn * 4 < unknown.pn && numbers.dn > 4 * unknown.dn, "{numbers:?}");
        }
    }
}
