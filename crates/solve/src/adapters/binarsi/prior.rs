//! The prior of df-pn: initial proof numbers by an estimate of who wins, learned while a proof goes on.
//!
//! Logistic regression; every solved position is one step of gradient descent, with a learning rate for each weight
//! (AdaGrad: Duchi, Hazan, Singer, "Adaptive subgradient methods", 2011). Features:
//!
//! - of every way its content, whether it is locked and how far it is from the edge;
//! - of every way what it holds on the locked ways that cross it, and whether it is locked itself;
//! - the targets that matter;
//! - the difference in stones, and in stones that can never change again;
//! - for each missing target how many places are open and how many stones they lack;
//! - for each side how far its three targets are, together.
//!
//! Positions with an even and an odd number of plies left have separate weights.
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
const GROWTH: f32 = 2.5;

/// The numbers are those of even odds, times or by the odds to this power.
const TRUST: f32 = 0.25;

/// The largest number of a leaf.
const MOST: f32 = 1e6;

/// Contents of a way: three for each square.
const CONTENTS: usize = 2187;

/// Weights by feature, each kind after the one before: a way by its distance from the edge, direction, lock and
/// content; what it holds on crossing locked ways by direction, lock and that; targets, the difference in stones and
/// that in fixed stones by the plies left; how far the targets of a side are by the plies left and the side; a missing
/// target by its prospects and by what else its side has cleared.
const CROSSED: usize = 4 * 2 * 2 * CONTENTS;
const TARGETS: usize = CROSSED + 2 * 2 * CONTENTS;
const STONES: usize = TARGETS + 32 * 64;
const FIXED: usize = STONES + 32 * 128;
const LACKING: usize = FIXED + 32 * 128;
const PROSPECTS: usize = LACKING + 32 * 2 * DISTANCES * DISTANCES * DISTANCES;
const ALL: usize = PROSPECTS + 6 * 64 * 8;

/// Distances of a target that are told apart: see [`distance`].
const DISTANCES: usize = 6;

/// The most features of a position: two of each way, three of the whole board, one of each side, one of each target.
const MOST_FEATURES: usize = 2 * 13 + 3 + 2 + 6;

/// Indices of the weights of a position.
type Features = ArrayVec<u32, MOST_FEATURES>;

/// An `f32` by its bits, which threads share.
#[derive(Default)]
struct Float(AtomicU32);

impl Float {
    fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }

    fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }
}

/// The weights of one variant.
pub struct Prior {
    files: u32,
    ranks: u32,
    max_plies: u32,
    /// The bits of a number as digits of base 3, and those of its mirror image on 0 to 7 squares.
    ternary: [[u16; 128]; 2],
    mirrored: Vec<[u8; 128]>,
    /// Both numbers of a leaf with even odds, by the plies before positions are solved exactly.
    even: Vec<f32>,
    weights: Vec<Float>,
    /// For each weight the sum of its squared errors.
    squares: Vec<Float>,
}

fn mirrored(number: usize, length: usize) -> u8 {
    (0..length).fold(0, |image, bit| image | ((number >> bit & 1) << (length - 1 - bit)) as u8)
}

fn ternary(number: usize) -> u16 {
    (0..7).rev().fold(0, |sum, bit| 3 * sum + (number >> bit & 1) as u16)
}

impl Prior {
    pub fn new(rules: &Rules) -> Prior {
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

    /// The numbers of a leaf, when positions with `endgame_plies` left are solved exactly. `position` is normal, as
    /// `ProofGame::normal` of Binarsi tells.
    pub fn numbers(&self, lines: &Lines, position: &CompactPosition, endgame_plies: u32) -> ProofNumbers {
        let black = self.log_odds(&self.features(lines, position));
        let mover = if Side::at_ply(position.ply()) == Side::Black { black } else { -black };
        let plies = (self.max_plies - position.ply()).saturating_sub(endgame_plies);
        let (even, odds) = (self.even[plies as usize], (TRUST * mover).exp());
        let number = |number: f32| number.clamp(1.0, MOST) as u32;
        ProofNumbers { pn: number(even / odds), dn: number(even * odds) }
    }

    /// Makes a step of gradient descent for a normal position that is solved.
    pub fn learn(&self, lines: &Lines, position: &CompactPosition, winner: Side) {
        let features = self.features(lines, position);
        let probability = 1.0 / (1.0 + (-self.log_odds(&features)).exp());
        let error = if winner == Side::Black { 1.0 - probability } else { -probability };
        for at in features.into_iter().map(|at| at as usize) {
            let sum = self.squares[at].get() + error * error;
            self.squares[at].set(sum);
            self.weights[at].set(self.weights[at].get() + RATE * error / (1.0 + sum).sqrt());
        }
    }

    /// Logarithm of the odds that Black wins.
    fn log_odds(&self, features: &Features) -> f32 {
        features.iter().map(|&at| self.weights[at as usize].get()).sum()
    }

    fn features(&self, lines: &Lines, position: &CompactPosition) -> Features {
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
            let Some(Prospect { open, lacking: [one, two, _] }) = prospect else { continue };
            let rest = usize::from(position.targets >> (target / 3 * 3) & 7);
            let code = open.min(3) << 4 | one.min(3) << 2 | two.min(3);
            push(PROSPECTS, (target * 64 + code as usize) << 3 | rest);
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

/// The first weight of a way.
fn first_weight(direction: usize, way: u32, ways: u32, lock: usize) -> usize {
    let from_edge = way.min(ways - 1 - way) as usize;
    ((from_edge << 1 | direction) << 1 | lock) * CONTENTS
}

/// How far a target is: 0 if it has been cleared, 1 or 2 if several places or one lack a stone, 3 and 4 if the nearest
/// place lacks two and three, 5 if it lacks more.
fn distance(prospect: Option<&Prospect>) -> usize {
    let Some(&Prospect { lacking: [one, two, three], .. }) = prospect else { return 0 };
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
