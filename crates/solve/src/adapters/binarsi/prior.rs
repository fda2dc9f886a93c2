//! The prior of df-pn: initial proof numbers by an estimate of who wins, learned while a proof goes on.
//!
//! Logistic regression; every solved position is one step of gradient descent, with a learning rate for each weight
//! (AdaGrad: Duchi, Hazan, Singer, "Adaptive subgradient methods", 2011). Features: for every way its content,
//! whether it is locked and how far it is from the edge; the targets that matter; the difference in stones; and for
//! each missing target how many places are open and how many stones they lack. Positions with an even and an odd
//! number of plies left have separate weights.
//!
//! Threads share the weights without locks: a step can get lost, which does no harm.

use std::sync::atomic::{AtomicU32, Ordering};

use arrayvec::ArrayVec;

use crate::proof::ProofNumbers;
use yomikiri_rules::Side;
use yomikiri_rules::games::binarsi::board::{FIRST_FILE, Squares};
use yomikiri_rules::games::binarsi::kernel::{CompactPosition, Lines, Prospect, gathered};
use yomikiri_rules::games::binarsi::rules::Rules;

/// The initial learning rate.
const RATE: f32 = 0.1;

/// Both numbers of a leaf with even odds: at the plies from which on positions are solved exactly, and the factor for
/// every two plies before.
const EVEN_NUMBER: f32 = 4.0;
const GROWTH: f32 = 2.0;

/// The numbers are those of even odds, times or by the odds to this power.
const TRUST: f32 = 0.5;

/// The largest number of a leaf.
const MOST: f32 = 1e6;

/// Contents of a way: three for each square.
const CONTENTS: usize = 2187;

/// Weights by feature: a way by its distance from the edge, direction, lock and content; targets and the difference
/// in stones by the plies left; a missing target by its prospects and by what else its side has cleared.
const WAYS: usize = 4 * 2 * 2 * CONTENTS;
const TARGETS: usize = 32 * 64;
const STONES: usize = 32 * 128;
const PROSPECTS: usize = 6 * 64 * 8;
const ALL: usize = WAYS + TARGETS + STONES + PROSPECTS;

/// Indices of the weights of a position.
type Features = ArrayVec<u32, 21>;

/// A weight, and the sum of its squared errors; bits of `f32`.
#[derive(Default)]
struct Weight([AtomicU32; 2]);

/// The weights of one variant.
pub struct Prior {
    files: u32,
    ranks: u32,
    max_plies: u32,
    /// The bits of a number as digits of base 3, and those of its mirror image on 0 to 7 squares.
    ternary: [[u16; 128]; 2],
    mirrored: Vec<[u8; 128]>,
    weights: Vec<Weight>,
}

fn mirrored(number: usize, length: usize) -> u8 {
    (0..length).fold(0, |image, bit| image | ((number >> bit & 1) << (length - 1 - bit)) as u8)
}

fn ternary(number: usize) -> u16 {
    (0..7).rev().fold(0, |sum, bit| 3 * sum + (number >> bit & 1) as u16)
}

impl Prior {
    pub fn new(rules: &Rules) -> Prior {
        Prior {
            files: rules.files.into(),
            ranks: rules.ranks.into(),
            max_plies: rules.max_plies(),
            ternary: [1, 2].map(|digit| std::array::from_fn(|number| digit * ternary(number))),
            mirrored: (0..8).map(|length| std::array::from_fn(|number| mirrored(number, length))).collect(),
            weights: std::iter::repeat_with(Weight::default).take(2 * ALL).collect(),
        }
    }

    /// The numbers of a leaf, when positions with `endgame_plies` left are solved exactly. `position` is normal, as
    /// `ProofGame::normal` of Binarsi tells.
    pub fn numbers(&self, lines: &Lines, position: &CompactPosition, endgame_plies: u32) -> ProofNumbers {
        let black = self.log_odds(&self.features(lines, position));
        let mover = if Side::at_ply(position.ply()) == Side::Black { black } else { -black };
        let plies = (self.max_plies - position.ply()).saturating_sub(endgame_plies);
        let even = EVEN_NUMBER * GROWTH.powf(plies as f32 / 2.0);
        let number = |odds: f32| (even * (TRUST * odds).exp()).clamp(1.0, MOST) as u32;
        ProofNumbers { pn: number(-mover), dn: number(mover) }
    }

    /// Makes a step of gradient descent for a normal position that is solved.
    pub fn learn(&self, lines: &Lines, position: &CompactPosition, winner: Side) {
        let features = self.features(lines, position);
        let probability = 1.0 / (1.0 + (-self.log_odds(&features)).exp());
        let error = if winner == Side::Black { 1.0 - probability } else { -probability };
        for &at in &features {
            let Weight([weight, squares]) = &self.weights[at as usize];
            let sum = f32::from_bits(squares.load(Ordering::Relaxed)) + error * error;
            let step = RATE * error / (1.0 + sum).sqrt();
            squares.store(sum.to_bits(), Ordering::Relaxed);
            weight.store((f32::from_bits(weight.load(Ordering::Relaxed)) + step).to_bits(), Ordering::Relaxed);
        }
    }

    /// Logarithm of the odds that Black wins.
    fn log_odds(&self, features: &Features) -> f32 {
        features.iter().map(|&at| f32::from_bits(self.weights[at as usize].0[0].load(Ordering::Relaxed))).sum()
    }

    fn features(&self, lines: &Lines, position: &CompactPosition) -> Features {
        let mut features = Features::new();
        let left = (self.max_plies - position.ply()) as usize;
        let base = (left & 1) * ALL;
        for way in 0..self.files {
            let number = |stones: Squares| gathered(stones >> way & FIRST_FILE) as usize;
            let content = self.content([position.stones, position.white()].map(number), self.ranks);
            features.push((base + first_weight(0, way, self.files, position.locks >> way & 1) + content) as u32);
        }
        for way in 0..self.ranks {
            let number = |stones: Squares| (stones >> (8 * way) & 0x7f) as usize;
            let content = self.content([position.stones, position.white()].map(number), self.files);
            features.push((base + first_weight(1, way, self.ranks, position.locks >> (7 + way) & 1) + content) as u32);
        }
        let base = base + WAYS;
        features.push((base + 64 * left + usize::from(position.targets)) as u32);
        let base = base + TARGETS;
        let more = 64 + position.stones.count_ones() - position.white().count_ones();
        features.push((base + 128 * left + more as usize) as u32);
        let base = base + STONES;
        for (target, prospect) in lines.prospects(position).into_iter().enumerate() {
            let Some(Prospect { open, lacking: [one, two, _] }) = prospect else { continue };
            let rest = usize::from(position.targets >> (target / 3 * 3) & 7);
            let code = open.min(3) << 4 | one.min(3) << 2 | two.min(3);
            features.push((base + ((target * 64 + code as usize) << 3 | rest)) as u32);
        }
        features
    }

    /// A number for what a way holds, black and white stones, and for its mirror image.
    fn content(&self, [black, white]: [usize; 2], length: u32) -> usize {
        let [ones, twos] = &self.ternary;
        let image = &self.mirrored[length as usize];
        let content = ones[black] + twos[white];
        usize::from(content.min(ones[usize::from(image[black])] + twos[usize::from(image[white])]))
    }
}

/// The first weight of a way among those of its direction.
fn first_weight(direction: usize, way: u32, ways: u32, lock: u16) -> usize {
    let from_edge = way.min(ways - 1 - way) as usize;
    ((from_edge << 1 | direction) << 1 | usize::from(lock)) * CONTENTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::games::binarsi::board::Image;

    #[test]
    fn what_is_learned_moves_the_numbers_of_a_position_and_its_mirror_images() {
        let game = Binarsi::parse("bin7x6").unwrap();
        let lines = &game.successors.lines;
        let position = game.parse_position("7/xxxxx2/xxxox2/oooxx2/oooox2/7 b 2345d 4/11////9 12").unwrap();
        let images = Image::ALL.map(|image| CompactPosition::from(&position.mirrored(&game.rules, image)));
        let prior = Prior::new(&game.rules);
        let unknown = prior.numbers(lines, &images[0], 8);
        assert_eq!(unknown.pn, unknown.dn);
        assert_eq!(prior.numbers(lines, &images[0], 24), ProofNumbers { pn: 4, dn: 4 });
        assert_eq!(prior.numbers(lines, &images[0], 10), ProofNumbers { pn: 8, dn: 8 });
        for _ in 0..100 {
            prior.learn(lines, &images[0], Side::Black);
        }
        for image in &images {
            let numbers = prior.numbers(lines, image, 8);
            assert!(numbers.pn * 4 < unknown.pn && numbers.dn > 4 * unknown.dn, "{numbers:?}");
        }
    }
}
