//! Encodes groups of keys, and counts the decisions from which a model is made.

use super::{Decisions, Model, Runs, SLOTS, Symbol, walk};
use crate::range_coder::{Encoder, PROBABILITY_BITS};

impl Runs {
    /// The layout of the runs (series of keys of similar positions) in which each run has a single key.
    pub const ALONE: Runs = Runs { bits: 0, phase: 0 };

    /// Returns the two bytes at the start of a block that describe its runs.
    pub fn to_bytes(self) -> [u8; 2] {
        [self.bits, self.phase]
    }
}

impl Model {
    /// Encodes the model, the inverse of [`Model::of_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|probability| probability.to_le_bytes()).collect()
    }

    /// Encodes a group of keys. `symbols` says of each key whether the table lists it, and with which byte. The symbols
    /// stay as they are.
    pub fn encode(&self, runs: Runs, symbols: &mut [Symbol]) -> Vec<u8> {
        let mut writing = Writing { model: &self.0, encoder: Encoder::new() };
        walk(runs, symbols, &mut writing);
        writing.encoder.finish()
    }
}

struct Writing<'a> {
    model: &'a [u16],
    encoder: Encoder,
}

impl Decisions for Writing<'_> {
    fn decide(&mut self, slot: usize, bit: bool) -> bool {
        self.encoder.encode(bit, self.model[slot]);
        bit
    }
}

/// For each slot (a kind of decision in one context), the number of `false` decisions, then the number of `true`
/// decisions.
pub struct DecisionCounts(Box<[[u64; 2]]>);

impl DecisionCounts {
    pub fn new() -> DecisionCounts {
        DecisionCounts(vec![[0; 2]; SLOTS].into())
    }

    /// Counts the binary decisions by which a group of keys is encoded. `symbols` says of each key whether the table
    /// lists it, and with which byte.
    pub fn add(&mut self, runs: Runs, symbols: &mut [Symbol]) {
        walk(runs, symbols, self);
    }

    pub fn merge(mut self, other: &DecisionCounts) -> DecisionCounts {
        for (mine, more) in self.0.iter_mut().zip(&other.0) {
            *mine = [mine[0] + more[0], mine[1] + more[1]];
        }
        self
    }

    /// Estimates the probability of each decision from its counts, by the Krichevsky-Trofimov rule.
    pub fn model(&self) -> Model {
        let one = 1u64 << PROBABILITY_BITS;
        let probability = |&[not, made]: &[u64; 2]| ((2 * made + 1) * one / (2 * (not + made) + 2)).clamp(1, one - 1);
        Model(self.0.iter().map(|counts| probability(counts) as u16).collect())
    }
}

impl Decisions for DecisionCounts {
    fn decide(&mut self, slot: usize, bit: bool) -> bool {
        self.0[slot][usize::from(bit)] += 1;
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context_model::*;

    /// Pseudo-random symbols of all kinds. Many symbols repeat the previous one.
    fn symbols(seed: u64, count: usize) -> Vec<Symbol> {
        let (mut random, mut last) = (seed, 0);
        let mut next = |_| {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let draw = (random >> 40) as u16;
            last = match draw % 16 {
                0..8 => last,
                8..11 => 0,
                11 => LISTED,
                12 => LISTED | 1,
                13 => LISTED | (2 + draw / 16 % 8),
                _ => LISTED | (draw / 16 % 256),
            };
            last
        };
        (0..count).map(&mut next).collect()
    }

    #[test]
    fn groups_come_back_whatever_they_hold() {
        let runs = |bits, phase| Runs::new(bits, phase).unwrap();
        let layouts = [runs(0, 0), runs(1, 1), runs(3, 5), runs(6, 0), runs(8, 0), runs(8, 255)];
        let mut counts = DecisionCounts::new();
        layouts.iter().for_each(|&runs| counts.add(runs, &mut symbols(5, GROUP_KEYS)));
        let made = counts.model();
        let model = Model::of_bytes(&made.to_bytes()).unwrap();
        assert!(model.0 == made.0);
        for (seed, &runs) in layouts.iter().enumerate() {
            for count in [GROUP_KEYS, 64, 640] {
                let mut all = symbols(seed as u64, count);
                let bytes = model.encode(runs, &mut all);
                let mut found = vec![0; count];
                model.decode(&bytes, runs, &mut found).unwrap();
                assert_eq!(found, all);
                assert_eq!(model.decode(&[&bytes[..], &[0]].concat(), runs, &mut found), None);
                // Damaged bytes either decode to valid symbols or are refused.
                let damaged: Vec<u8> = bytes.iter().map(|byte| byte ^ 0x55).collect();
                let _ = model.decode(&damaged, runs, &mut found);
                assert!(found.iter().all(|&symbol| symbol == 0 || symbol & !0xff == LISTED));
            }
        }
        let mut every: Vec<Symbol> = (0..256).flat_map(|byte| [0, LISTED | byte]).collect();
        let bytes = model.encode(layouts[2], &mut every.clone());
        let mut found = vec![0; every.len()];
        model.decode(&bytes, layouts[2], &mut found).unwrap();
        assert!(found == every);
        every.fill(0);
        assert!(model.encode(layouts[4], &mut every).len() < 100);
    }

    #[test]
    fn what_is_no_model_is_refused() {
        let bytes = DecisionCounts::new().model().to_bytes();
        assert_eq!(bytes.len(), MODEL_BYTES);
        assert!(Model::of_bytes(&bytes).is_some());
        assert!(Model::of_bytes(&bytes[2..]).is_none() && Model::of_bytes(&bytes[1..]).is_none());
        for probability in [0u16, 4096, u16::MAX] {
            let mut bytes = bytes.clone();
            bytes[10..12].copy_from_slice(&probability.to_le_bytes());
            assert!(Model::of_bytes(&bytes).is_none(), "{probability}");
        }
        assert!(Runs::new(9, 0).is_none() && Runs::new(8, 255).is_some() && Runs::new(3, 8).is_none());
    }

    #[test]
    fn contexts_are_what_the_document_says() {
        assert_eq!(FLIP_LAGS[0], [0; 4]);
        assert_eq!(FLIP_LAGS[0b1101_0110], [2, 4, 16, 64]);
        assert_eq!([0, LISTED, LISTED | 1, LISTED | 6, LISTED | 7].map(class), [0, 1, 2, 3, 4]);
        assert_eq!([0, LISTED | 1, LISTED | 2, LISTED | 5, LISTED | 255].map(half), [0, 0, 1, 2, 10]);
        assert_eq!(half_context([0, 4, 0, 3, 10, 4]), (3 * 11 + 4) * 11 + 4);
        assert_eq!(half_context([0, 0, 10, 0, 2, 0]), (2 * 11 + 10) * 11);
        assert_eq!(SLOTS, 169_401);
    }
}
