//! The context model of coded blocks: it gives the probability of each symbol from the symbols of neighbouring keys.
//! docs/format.md specifies it.
//!
//! A run is a series of consecutive keys of similar positions. The place of a key is its index in its run. The keys of
//! a group are coded in order, each as a series of binary decisions: is the key listed, and which byte does it have?
//! The probability of a decision depends on up to six neighbours of the key, all of them coded earlier. Two neighbours
//! have the same place as the key, one in the previous run and one in the run before that. Up to four neighbours are in
//! the key's own run: the place of each results from clearing one of the four lowest set bits of the key's place.
//!
//! The probabilities are counted once over the whole table and stored in the file. They do not change while keys are
//! coded, so any group can be decoded alone.

#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use write::DecisionCounts;

use crate::blocks::LANES;
use crate::range_coder::{Decoder, PROBABILITY_BITS};

/// Number of rows in a group, the unit that can be decoded alone.
pub const GROUP_ROWS: usize = 16;
/// Number of keys in a group.
pub const GROUP_KEYS: usize = GROUP_ROWS * LANES;

/// Maximum number of bits of a key's index in its run, a series of keys of similar positions. So a run has at most 256
/// keys.
pub const MAX_RUN_BITS: u8 = 8;

/// The entry of a key in a table: [`LISTED`] plus the key's byte, or 0 if the key is not listed.
pub type Symbol = u16;
pub const LISTED: Symbol = 0x100;

/// Number of classes of neighbours, the keys from which the model predicts a key: not listed, byte 0, byte 1, bytes
/// from 2 to [`SMALL`], larger bytes, no neighbour.
const CLASSES: usize = 6;
const NONE: u8 = 5;
const SMALL: u8 = 6;

/// Maximum number of neighbours of a key in its own run, a series of keys of similar positions. There is one neighbour
/// for each of the four lowest set bits of the key's index in the run.
const FLIPS: usize = 4;
const CONTEXTS: usize = CLASSES.pow(2 + FLIPS as u32);

/// The largest value of `byte / 2` that a context of the model distinguishes, where `byte` is that of a neighbouring
/// key. Larger values count as this one. For bytes of at least 2, `byte / 2` measures the distance to the end of the
/// game.
const FAR: u8 = 10;
const HALF_CONTEXTS: usize = (FAR as usize + 1).pow(3);

/// The largest value of `byte / 2` that is coded in unary, where `byte` is the table byte of a position. Larger values
/// are coded in binary.
const STEPS: usize = 21;

/// The first slots (see [`SLOTS`]) of three kinds of decisions about a key's byte: `HALVES` for `byte / 2` in unary,
/// `BITS` for `byte / 2` in binary, and `LOWEST` for the lowest bit.
const HALVES: usize = 3 * CONTEXTS;
const BITS: usize = HALVES + HALF_CONTEXTS * (STEPS + 1);
const LOWEST: usize = BITS + 128;

/// Number of slots. A slot is a kind of binary decision together with its context, the known data on which its
/// probability depends. The model has a probability for each slot.
const SLOTS: usize = LOWEST + STEPS + 2;

/// Length of a model in bytes: all probabilities, two bytes each.
pub const MODEL_BYTES: usize = 2 * SLOTS;

/// The largest distance, counted in keys, from a key back to a neighbour that predicts it: two runs (series of keys of
/// similar positions) of maximum length.
const BEFORE: usize = 2 << MAX_RUN_BITS;

/// The layout of the runs in a block. A run is a series of `2^bits` keys of similar positions. The first key of every
/// group of 16 rows has index `phase` in its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    bits: u8,
    phase: u8,
}

impl Runs {
    /// Returns the layout with these parameters, or `None` if `bits` or `phase` is out of range.
    pub fn new(bits: u8, phase: u8) -> Option<Runs> {
        (bits <= MAX_RUN_BITS && u32::from(phase) < 1 << bits).then_some(Runs { bits, phase })
    }
}

/// Encodes, decodes or counts binary decisions, such as "is this key listed?".
trait Decisions {
    /// Encodes, counts or decodes one decision and returns it. `slot` is the index of the decision's probability in the
    /// model. Encoders and counters take the decision from `bit`; a decoder ignores `bit`.
    fn decide(&mut self, slot: usize, bit: bool) -> bool;
}

/// For each index of a key in its run, the distances in keys back to the neighbours in this run that predict the key.
/// These distances are the values of the four lowest set bits of the index. Unused elements are 0.
static FLIP_LAGS: [[u16; FLIPS]; 1 << MAX_RUN_BITS] = flip_lags();

const fn flip_lags() -> [[u16; FLIPS]; 1 << MAX_RUN_BITS] {
    let mut lags = [[0; FLIPS]; 1 << MAX_RUN_BITS];
    let mut place = 0;
    while place < lags.len() {
        let (mut rest, mut at) = (place, 0);
        while rest != 0 && at < FLIPS {
            lags[place][at] = 1 << rest.trailing_zeros();
            rest &= rest - 1;
            at += 1;
        }
        place += 1;
    }
    lags
}

fn class(symbol: Symbol) -> u8 {
    match symbol.checked_sub(LISTED) {
        None => 0,
        Some(0) => 1,
        Some(1) => 2,
        Some(byte) => 3 + u8::from(byte > SMALL.into()),
    }
}

/// Returns half the byte of a listed key, rounded down and at most [`FAR`]. Returns 0 if `symbol` stands for a key that
/// is not listed.
fn half(symbol: Symbol) -> u8 {
    (symbol.saturating_sub(LISTED) >> 1).min(FAR.into()) as u8
}

/// Returns the context in which a byte of at least 2 is coded. `halves` has the [`half`] of each neighbour. The context
/// is a number of three digits: the three smallest nonzero halves, in ascending order. If fewer than three are nonzero,
/// the last digits are 0.
#[inline]
fn half_context(halves: [u8; 2 + FLIPS]) -> usize {
    let mut least = [0u8; 3];
    for half in halves {
        let mut half = half;
        for place in &mut least {
            // Subtracting 1 with wrap-around sorts 0 after all other halves.
            if half.wrapping_sub(1) < place.wrapping_sub(1) {
                std::mem::swap(&mut half, place);
            }
        }
    }
    least.iter().fold(0, |context, &half| context * (usize::from(FAR) + 1) + usize::from(half))
}

/// Passes the binary decisions about all keys of a group to `decisions`, in order. `symbols` has an element for each
/// key. If `decisions` is a decoder, the decoded symbols replace these elements.
#[inline]
fn walk(runs: Runs, symbols: &mut [Symbol], decisions: &mut impl Decisions) {
    // The entries before index `BEFORE` are for keys before the group, which do not count as neighbours.
    let (mut classes, mut halves) = ([NONE; BEFORE + GROUP_KEYS], [0; BEFORE + GROUP_KEYS]);
    let run = 1 << runs.bits;
    for (at, symbol) in symbols.iter_mut().enumerate() {
        let here = BEFORE + at;
        let [one, two, three, four] = FLIP_LAGS[(usize::from(runs.phase) + at) & (run - 1)];
        let place = |lag: u16| if lag == 0 { 0 } else { here - usize::from(lag) };
        let places = [here - run, here - 2 * run, place(one), place(two), place(three), place(four)];
        let context = places.iter().fold(0, |context, &place| context * CLASSES + usize::from(classes[place]));
        let (is_listed, byte) = (*symbol >= LISTED, (*symbol & 0xff) as u8);
        let found = if !decisions.decide(3 * context, is_listed) {
            None
        } else if decisions.decide(3 * context + 1, byte == 0) {
            Some(0)
        } else if decisions.decide(3 * context + 2, byte == 1) {
            Some(1)
        } else {
            Some(value(places.map(|place| halves[place]), byte, decisions))
        };
        *symbol = found.map_or(0, |byte| LISTED | Symbol::from(byte));
        (classes[here], halves[here]) = (class(*symbol), half(*symbol));
    }
}

/// Passes the binary decisions about a byte of at least 2 to `decisions`, and returns the byte. A decoder ignores the
/// argument `byte`. `near` has the [`half`] of each neighbour, a key that predicts this one.
#[inline]
fn value(near: [u8; 2 + FLIPS], byte: u8, decisions: &mut impl Decisions) -> u8 {
    let (known, first) = (usize::from(byte >> 1), HALVES + half_context(near) * (STEPS + 1));
    let mut half = 1;
    while half <= STEPS && decisions.decide(first + half, known > half) {
        half += 1;
    }
    if half > STEPS {
        half = 1;
        for bit in (0..7).rev() {
            half = half << 1 | usize::from(decisions.decide(BITS + half, known >> bit & 1 == 1));
        }
        half &= 127;
    }
    let lowest = decisions.decide(LOWEST + half.min(STEPS + 1), byte & 1 == 1);
    (half << 1 | usize::from(lowest)) as u8
}

/// For each slot (a kind of decision in one context), the probability of the decision `true` in units of 1/4096.
pub struct Model(Box<[u16]>);

impl Model {
    /// Reads a model. Returns `None` if it has the wrong size or an invalid probability.
    pub fn of_bytes(bytes: &[u8]) -> Option<Model> {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let model: Box<[u16]> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
        let fits = model.len() == SLOTS && rest.is_empty();
        (fits && model.iter().all(|probability| (1..1 << PROBABILITY_BITS).contains(probability)))
            .then_some(Model(model))
    }

    /// Decodes a group into `symbols`, which has an element for each of its keys. Returns `None` if the encoder cannot
    /// have written these bytes.
    pub fn decode(&self, bytes: &[u8], runs: Runs, symbols: &mut [Symbol]) -> Option<()> {
        let mut reading = Reading { model: &self.0, decoder: Decoder::new(bytes) };
        walk(runs, symbols, &mut reading);
        reading.decoder.is_whole().then_some(())
    }
}

struct Reading<'a> {
    model: &'a [u16],
    decoder: Decoder<'a>,
}

impl Decisions for Reading<'_> {
    #[inline]
    fn decide(&mut self, slot: usize, _: bool) -> bool {
        self.decoder.decode(self.model[slot])
    }
}
