//! A binary range coder for decisions with known probabilities. It has a 32-bit range and carry propagation, like the
//! one in LZMA.
//!
//! A decision of probability `p / 4096` narrows a range of numbers below 1 to that fraction of its width. The code is
//! the number in the final range that has the fewest digits in base 256. The bytes are these digits, highest first.
//! Digits after the last byte are 0.

/// Number of bits of a probability.
pub const PROBABILITY_BITS: u32 = 12;

/// The minimum width of the range. If the range is narrower, it is multiplied by 256, and coding continues with the
/// next digit.
const LOWEST_RANGE: u32 = 1 << 24;

/// Returns the width of the part of a range that stands for the decision `true`. `range` is the width of the whole
/// range, and `probability` is that of `true` in units of 1/4096.
#[inline]
fn part(range: u32, probability: u16) -> u32 {
    (range >> PROBABILITY_BITS) * u32::from(probability)
}

/// Encodes decisions as bytes.
#[cfg(feature = "write")]
pub struct Encoder {
    bytes: Vec<u8>,
    /// The four base-256 digits of the range's start that follow the digits in `bytes`. Bit 32 is a carry into `bytes`.
    low: u64,
    range: u32,
}

#[cfg(feature = "write")]
impl Encoder {
    pub fn new() -> Encoder {
        Encoder { bytes: Vec::new(), low: 0, range: u32::MAX }
    }

    /// Encodes a decision. `probability` is that of `true`, in units of 1/4096. It must be from 1 to 4095.
    pub fn encode(&mut self, bit: bool, probability: u16) {
        let part = part(self.range, probability);
        if bit {
            self.range = part;
        } else {
            self.low += u64::from(part);
            self.range -= part;
        }
        while self.range < LOWEST_RANGE {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Moves the highest digit of `low` to `bytes`.
    fn shift(&mut self) {
        if self.low >> 32 != 0 {
            // The carry turns digits of 255 into 0. It stops at a smaller digit, because the number is below 1.
            for digit in self.bytes.iter_mut().rev() {
                *digit = digit.wrapping_add(1);
                if *digit != 0 {
                    break;
                }
            }
        }
        self.bytes.push((self.low >> 24) as u8);
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// Finishes the code and returns its bytes.
    pub fn finish(mut self) -> Vec<u8> {
        // Finds the number in the range that has the most trailing zero bits.
        let last = self.low + u64::from(self.range) - 1;
        let zeros = (0..=32).rev().find(|zeros| last >> zeros << zeros >= self.low).expect("0 at the latest");
        self.low = last >> zeros << zeros;
        (0..4).for_each(|_| self.shift());
        let length = self.bytes.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1);
        self.bytes.truncate(length);
        self.bytes
    }
}

/// Decodes decisions. Every sequence of bytes decodes to some decisions.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    /// Number of base-256 digits read, including the zeros after the last byte.
    taken: usize,
    /// The coded number minus the start of the range, on the same scale as `range`.
    code: u32,
    range: u32,
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { bytes, taken: 0, code: 0, range: u32::MAX };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    #[inline]
    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.get(self.taken).copied().unwrap_or(0));
        self.taken += 1;
    }

    /// Decodes the next decision. `probability` is that of `true`, in units of 1/4096. It must be from 1 to 4095.
    #[inline]
    pub fn decode(&mut self, probability: u16) -> bool {
        let part = part(self.range, probability);
        let bit = self.code < part;
        if bit {
            self.range = part;
        } else {
            self.code -= part;
            self.range -= part;
        }
        while self.range < LOWEST_RANGE {
            self.range <<= 8;
            self.shift();
        }
        bit
    }

    /// Returns true if an encoder could have written the bytes: all bytes have been read, and the last one is not 0.
    pub fn is_whole(&self) -> bool {
        self.bytes.len() <= self.taken && self.bytes.last() != Some(&0)
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    /// Pseudo-random decisions that follow their probabilities.
    fn decisions(seed: u64, count: usize, probability: impl Fn(usize) -> u16) -> Vec<(bool, u16)> {
        let mut random = seed;
        let mut decision = |at| {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let probability = probability(at);
            ((random >> 52) < u64::from(probability), probability)
        };
        (0..count).map(&mut decision).collect()
    }

    fn round_trip(all: &[(bool, u16)]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        all.iter().for_each(|&(bit, probability)| encoder.encode(bit, probability));
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        assert!(all.iter().all(|&(bit, probability)| decoder.decode(probability) == bit));
        assert!(decoder.is_whole());
        bytes
    }

    #[test]
    fn decisions_take_what_they_tell_and_come_back() {
        for (seed, probability) in [1, 7, 200, 2048, 4000, 4095].into_iter().enumerate() {
            for count in [0, 1, 2, 9, 100, 20_000] {
                let all = decisions(seed as u64, count, |_| probability);
                let part = |&(bit, made): &(bool, u16)| f64::from(if bit { made } else { 4096 - made }) / 4096.0;
                let bits: f64 = all.iter().map(|decision| -part(decision).log2()).sum();
                let bytes = round_trip(&all).len() as f64;
                assert!(bytes * 8.0 <= bits * 1.001 + 16.0, "{bytes} bytes are more than {bits} bits of information");
            }
        }
        let mixed = decisions(9, 50_000, |at| 1 + (at * 977 % 4095) as u16);
        round_trip(&mixed);
        // Long series of unlikely and of likely decisions lead to ranges of all widths, and to carries.
        for (made, probability) in [(true, 1), (false, 4095), (true, 4095), (false, 1)] {
            round_trip(&vec![(made, probability); 3000]);
        }
    }

    #[test]
    fn any_bytes_are_decisions() {
        for bytes in [&[][..], &[0], &[255; 3], &[255; 40], &[1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            let mut decoder = Decoder::new(bytes);
            for at in 0..1000 {
                decoder.decode(1 + at * 4 % 4095);
            }
        }
        // Unused bytes at the end are detected.
        let all = decisions(3, 100, |_| 2048);
        let more = [&round_trip(&all)[..], &[7; 9]].concat();
        let mut decoder = Decoder::new(&more);
        for &(_, probability) in &all {
            decoder.decode(probability);
        }
        assert!(!decoder.is_whole());
    }
}
