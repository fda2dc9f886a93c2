//! A guess at who wins, learnt while a proof goes on.
//!
//! Every position whose winner has been found teaches: logistic regression on what can be seen of a position, one step of gradient
//! descent each time, with a rate of its own for each weight (Duchi, Hazan, Singer, "Adaptive subgradient methods", 2011). What
//! is seen: for every way what it holds, whether it is locked and how far it is from the edge; the targets that matter; the
//! difference in stones; and for each missing target how many places are open and how many stones they lack. Positions
//! with an even and an odd number of plies left have weights of their own.
//!
//! Threads share the weights without locks. Of two steps made at once one may be lost, no more.

use std::sync::atomic::{AtomicU32, Ordering};

use arrayvec::ArrayVec;

use super::prover::Numbers;
use crate::games::binarsi::board::{FIRST_FILE, Squares};
use crate::games::binarsi::kernel::{CompactPosition, Lines, Prospect, gathered};
use crate::games::binarsi::rules::Rules;
use crate::value::Side;

/// The first step of a weight.
const RATE: f32 = 0.1;

/// Of a position nobody has looked at, the number that is as likely as not: at the plies from which positions are read out, and
/// how much more for two plies before.
const EVEN_NUMBER: f32 = 4.0;
const GROWTH: f32 = 2.0;

/// How much the guess moves these numbers: odds to this power.
const TRUST: f32 = 0.5;

/// No number of a position nobody has looked at is larger.
const MOST: f32 = 1e6;

/// Contents of a way: three for each square.
const CONTENTS: usize = 2187;

/// Weights by what is seen: a way by its distance from the edge, direction, lock and content; targets and the difference in stones by
/// the plies left; a missing target by its prospects and by what else its side has cleared.
const WAYS: usize = 4 * 2 * 2 * CONTENTS;
const TARGETS: usize = 32 * 64;
const STONES: usize = 32 * 128;
const PROSPECTS: usize = 6 * 64 * 8;
const ALL: usize = WAYS + TARGETS + STONES + PROSPECTS;

/// The numbers of the weights that a position has to do with.
type Seen = ArrayVec<u32, 21>;

/// A weight, and the sum of its squared errors; bits of `f32`.
#[derive(Default)]
struct Weight([AtomicU32; 2]);

/// What has been learnt about one variant.
pub struct Guess {
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

impl Guess {
    pub fn new(rules: &Rules) -> Guess {
        Guess {
            files: rules.files.into(),
            ranks: rules.ranks.into(),
            max_plies: rules.max_plies(),
            ternary: [1, 2].map(|digit| std::array::from_fn(|number| digit * ternary(number))),
            mirrored: (0..8).map(|length| std::array::from_fn(|number| mirrored(number, length))).collect(),
            weights: std::iter::repeat_with(Weight::default).take(2 * ALL).collect(),
        }
    }

    /// The numbers to begin with at a position nobody has looked at, when positions with `near` plies left are read out. Of its
    /// targets those of a side that can win by the count alone have to be set, see [`super::place`].
    pub fn numbers(&self, lines: &Lines, field: &CompactPosition, near: u32) -> Numbers {
        let black = self.log_odds(&self.seen(lines, field));
        let mover = if Side::at_ply(field.ply()) == Side::Black { black } else { -black };
        let plies = (self.max_plies - field.ply()).saturating_sub(near);
        let even = EVEN_NUMBER * GROWTH.powf(plies as f32 / 2.0);
        let number = |odds: f32| (even * (TRUST * odds).exp()).clamp(1.0, MOST) as u32;
        Numbers { wins: number(-mover), loses: number(mover) }
    }

    /// Learns who has won.
    pub fn learn(&self, lines: &Lines, field: &CompactPosition, winner: Side) {
        let seen = self.seen(lines, field);
        let likely = 1.0 / (1.0 + (-self.log_odds(&seen)).exp());
        let error = if winner == Side::Black { 1.0 - likely } else { -likely };
        for &at in &seen {
            let Weight([weight, squares]) = &self.weights[at as usize];
            let sum = f32::from_bits(squares.load(Ordering::Relaxed)) + error * error;
            let step = RATE * error / (1.0 + sum).sqrt();
            squares.store(sum.to_bits(), Ordering::Relaxed);
            weight.store((f32::from_bits(weight.load(Ordering::Relaxed)) + step).to_bits(), Ordering::Relaxed);
        }
    }

    /// Logarithm of the odds that Black wins.
    fn log_odds(&self, seen: &Seen) -> f32 {
        seen.iter().map(|&at| f32::from_bits(self.weights[at as usize].0[0].load(Ordering::Relaxed))).sum()
    }

    fn seen(&self, lines: &Lines, field: &CompactPosition) -> Seen {
        let mut seen = Seen::new();
        let left = (self.max_plies - field.ply()) as usize;
        let base = (left & 1) * ALL;
        for way in 0..self.files {
            let number = |stones: Squares| gathered(stones >> way & FIRST_FILE) as usize;
            let content = self.content([field.stones, field.white()].map(number), self.ranks);
            seen.push((base + place(0, way, self.files, field.locks >> way & 1) + content) as u32);
        }
        for way in 0..self.ranks {
            let number = |stones: Squares| (stones >> (8 * way) & 0x7f) as usize;
            let content = self.content([field.stones, field.white()].map(number), self.files);
            seen.push((base + place(1, way, self.ranks, field.locks >> (7 + way) & 1) + content) as u32);
        }
        let base = base + WAYS;
        seen.push((base + 64 * left + usize::from(field.targets)) as u32);
        let base = base + TARGETS;
        let more = 64 + field.stones.count_ones() - field.white().count_ones();
        seen.push((base + 128 * left + more as usize) as u32);
        let base = base + STONES;
        for (target, prospect) in lines.prospects(field).into_iter().enumerate() {
            let Some(Prospect { open, lacking: [one, two, _] }) = prospect else { continue };
            let rest = usize::from(field.targets >> (target / 3 * 3) & 7);
            let code = open.min(3) << 4 | one.min(3) << 2 | two.min(3);
            seen.push((base + ((target * 64 + code as usize) << 3 | rest)) as u32);
        }
        seen
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
fn place(direction: usize, way: u32, ways: u32, lock: u16) -> usize {
    let from_edge = way.min(ways - 1 - way) as usize;
    ((from_edge << 1 | direction) << 1 | usize::from(lock)) * CONTENTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::binarsi::Binarsi;
    use crate::games::binarsi::board::Image;

    #[test]
    fn what_is_learnt_moves_the_numbers_of_a_position_and_its_mirror_images() {
        let game = Binarsi::parse("bin7x6").unwrap();
        let lines = &game.successors.lines;
        let position = game.parse_position("7/xxxxx2/xxxox2/oooxx2/oooox2/7 b 2345d 4/11////9 12").unwrap();
        let images = Image::ALL.map(|image| CompactPosition::from(&position.mirrored(&game.rules, image)));
        let guess = Guess::new(&game.rules);
        let unknown = guess.numbers(lines, &images[0], 8);
        assert_eq!(unknown.wins, unknown.loses);
        assert_eq!(guess.numbers(lines, &images[0], 24), Numbers { wins: 4, loses: 4 });
        assert_eq!(guess.numbers(lines, &images[0], 10), Numbers { wins: 8, loses: 8 });
        for _ in 0..100 {
            guess.learn(lines, &images[0], Side::Black);
        }
        for image in &images {
            let numbers = guess.numbers(lines, image, 8);
            assert!(numbers.wins * 4 < unknown.wins && numbers.loses > 4 * unknown.loses, "{numbers:?}");
        }
    }
}
