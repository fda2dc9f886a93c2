//! Reads and writes coded blocks according to docs/format.md alone, one yes-or-no decision at a time.

use xxhash_rust::xxh3::xxh3_64;

use crate::support::table::Parts;

/// Returns the probabilities in the model of a file, by index of their decision. Panics if the file has no model or the
/// hash of the model is wrong.
pub fn probabilities(parts: &Parts) -> Vec<u16> {
    let packed = parts.packed_model().unwrap();
    assert_eq!(parts.model[12..], xxh3_64(packed).to_le_bytes());
    let plain = zstd::bulk::decompress(packed, 1 << 20).unwrap();
    plain.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair)).collect()
}

/// Decodes the number (LEB128) at the beginning of `rest`, and removes it there.
pub fn read_number(rest: &mut &[u8]) -> u64 {
    let length = 1 + rest.iter().position(|&byte| byte < 128).unwrap();
    let (digits, after) = rest.split_at(length);
    *rest = after;
    digits.iter().rev().fold(0, |number, &digit| number << 7 | u64::from(digit & 127))
}

/// Encodes a number (LEB128) at the end of `bytes`.
pub fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A range decoder over the bytes of a group.
struct RangeDecoder<'a> {
    digits: &'a [u8],
    range: u64,
    code: u64,
}

impl RangeDecoder<'_> {
    fn digit(&mut self) -> u64 {
        let digit = self.digits.first().copied().unwrap_or(0);
        self.digits = &self.digits[self.digits.len().min(1)..];
        digit.into()
    }

    fn decide(&mut self, probability: u16) -> bool {
        let part = self.range / 4096 * u64::from(probability);
        let is_so = self.code < part;
        if is_so {
            self.range = part;
        } else {
            (self.code, self.range) = (self.code - part, self.range - part);
        }
        while self.range < 1 << 24 {
            (self.range, self.code) = (self.range * 256, self.code * 256 + self.digit());
        }
        is_so
    }
}

/// Decodes a block of `rows` rows. Returns the bytes of its keys in ascending order of the keys, with `None` for a key
/// that is not listed.
pub fn bytes_of_block(block: &[u8], rows: usize, model: &[u16]) -> Vec<Option<u8>> {
    let (run, phase) = (1 << block[0], usize::from(block[1]));
    let (mut rest, mut lengths) = (&block[2..], Vec::new());
    for _ in 1..rows.div_ceil(16) {
        lengths.push(read_number(&mut rest) as usize);
    }
    let mut all = Vec::new();
    for group in 0..=lengths.len() {
        let (mine, after) = rest.split_at(lengths.get(group).copied().unwrap_or(rest.len()));
        rest = after;
        let mut number = RangeDecoder { digits: mine, range: (1 << 32) - 1, code: 0 };
        for _ in 0..4 {
            number.code = number.code * 256 + number.digit();
        }
        let mut keys: Vec<Option<u8>> = Vec::new();
        while keys.len() < 64 * (rows - 16 * group).min(16) {
            let byte = byte_of_key(&keys, run, phase, |slot| number.decide(model[slot]));
            keys.push(byte);
        }
        assert!(number.digits.is_empty() && mine.last() != Some(&0));
        all.extend(keys);
    }
    all
}

/// Decodes the byte of the next key of a group, or `None` if the key is not listed. `keys` are the earlier keys of the
/// group, `run` is the number of keys in a run, and `phase` is the place of the first key in its run. `decide` takes
/// the decision with an index in the model.
fn byte_of_key(keys: &[Option<u8>], run: usize, phase: usize, mut decide: impl FnMut(usize) -> bool) -> Option<u8> {
    let place = (phase + keys.len()) % run;
    let bits = (0..8).map(|bit| 1 << bit).filter(|bit| place & bit != 0);
    let mut lags: Vec<Option<usize>> = [run, 2 * run].into_iter().chain(bits).take(6).map(Some).collect();
    lags.resize(6, None);
    // The outer `None` means that there is no such neighbour, the inner one that the neighbour is not listed.
    let near: Vec<Option<Option<u8>>> =
        lags.iter().map(|lag| lag.and_then(|lag| Some(keys[keys.len().checked_sub(lag)?]))).collect();
    let class = |near: &Option<Option<u8>>| match near {
        Some(None) => 0,
        Some(Some(0)) => 1,
        Some(Some(1)) => 2,
        Some(Some(2..=6)) => 3,
        Some(Some(7..)) => 4,
        None => 5,
    };
    let context = near.iter().fold(0, |context, near| 6 * context + class(near));
    let mut halves: Vec<usize> =
        near.iter().flatten().flatten().map(|&byte| usize::from(byte / 2).min(10)).filter(|&half| half > 0).collect();
    halves.sort_unstable();
    halves.resize(3, 0);
    if !decide(3 * context) {
        return None;
    }
    if decide(3 * context + 1) {
        return Some(0);
    }
    if decide(3 * context + 2) {
        return Some(1);
    }
    let first = 139_968 + 22 * halves.iter().fold(0, |context, half| 11 * context + half);
    let mut half = 1;
    while half <= 21 && decide(first + half) {
        half += 1;
    }
    if half == 22 {
        let mut bits = 1;
        for _ in 0..7 {
            bits = 2 * bits + usize::from(decide(169_250 + bits));
        }
        half = bits - 128;
    }
    Some((2 * half + usize::from(decide(169_378 + half.min(22)))) as u8)
}

/// The division of a group into runs: a run has `2^bits` keys, and the first key of the group has place `phase` in its
/// run.
#[derive(Clone, Copy)]
pub struct Runs {
    pub bits: u8,
    pub phase: u8,
}

/// The numbers that encode a group: all from `low` up to but not including `high`. Both are in base 256, with the most
/// significant digit first, and have the number of digits that a decoder reads.
pub struct CodeInterval {
    pub low: Vec<u8>,
    pub high: Vec<u8>,
}

impl CodeInterval {
    /// Returns the numbers that encode a group with these keys.
    pub fn of(keys: &[Option<u8>], runs: Runs, model: &[u16]) -> CodeInterval {
        let (mut low, mut range) = (vec![0; 4], (1u64 << 32) - 1);
        for place in 0..keys.len() {
            byte_of_key(&keys[..place], 1 << runs.bits, runs.phase.into(), |slot| {
                let (is_so, part) = (decision(keys[place], slot), range / 4096 * u64::from(model[slot]));
                if is_so {
                    range = part;
                } else {
                    add(&mut low, part);
                    range -= part;
                }
                while range < 1 << 24 {
                    range *= 256;
                    low.push(0);
                }
                is_so
            });
        }
        let mut high = low.clone();
        add(&mut high, range);
        CodeInterval { low, high }
    }

    /// Returns true if the number with these digits, padded with zeros at the end, is in the interval and has at most
    /// as many digits as `low`.
    pub fn has(&self, digits: &[u8]) -> bool {
        let padded = [digits, &vec![0; self.low.len().saturating_sub(digits.len())]].concat();
        digits.len() <= self.low.len() && (&self.low..&self.high).contains(&&padded)
    }

    /// Returns the digits of a short number in the interval, without zeros at the end.
    pub fn short_code(&self) -> Vec<u8> {
        let digits = (0..=self.high.len()).map(|length| &self.high[..length]);
        // For each length, the candidate is the largest number whose continuations are all less than `high`.
        digits.filter_map(before).find(|digits| self.has(digits)).map(trimmed).unwrap()
    }
}

/// Returns the largest number with the same number of digits that is less than `digits`, or `None` if they are all 0.
fn before(digits: &[u8]) -> Option<Vec<u8>> {
    let mut digits = digits.to_vec();
    let last = digits.iter().rposition(|&digit| digit > 0)?;
    digits[last] -= 1;
    digits[last + 1..].fill(255);
    Some(digits)
}

/// Removes the zeros at the end of a number.
pub fn trimmed(mut digits: Vec<u8>) -> Vec<u8> {
    digits.truncate(digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1));
    digits
}

/// Adds `more` to a number at its last digit. A carry out of the first digit is lost.
fn add(digits: &mut [u8], mut more: u64) {
    for digit in digits.iter_mut().rev() {
        more += u64::from(*digit);
        *digit = more as u8;
        more >>= 8;
    }
}

/// Returns the answer to the decision with index `slot` in the model, if the key has this byte.
fn decision(key: Option<u8>, slot: usize) -> bool {
    let Some(byte) = key else { return false };
    let half = usize::from(byte / 2);
    match slot {
        0..139_968 => [true, byte == 0, byte == 1][slot % 3],
        139_968..169_250 => half > (slot - 139_968) % 22,
        169_250..169_378 => {
            let before = slot - 169_250;
            half >> (6 - before.ilog2()) & 1 == 1
        }
        _ => byte % 2 == 1,
    }
}

/// Assembles a coded block from encoded groups. The lengths of all groups but the last come first.
pub fn block_of_groups(runs: Runs, groups: &[Vec<u8>]) -> Vec<u8> {
    let mut block = vec![runs.bits, runs.phase];
    for group in &groups[..groups.len() - 1] {
        push_number(&mut block, group.len() as u64);
    }
    block.extend(groups.concat());
    block
}
