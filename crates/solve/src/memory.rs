//! Memory in large pieces: where the machine has not the room, whoever asked is told, and the program goes on.

use bytemuck::Zeroable;
use bytemuck::allocation::{try_zeroed_vec, zeroed_vec};

use crate::{Result, SolveError};

/// Reads 8G, 500M, 64K or a number of bytes; units are powers of 1024.
pub fn parse(text: &str) -> Result<u64, String> {
    let wrong = || "write a number with K, M, G or T after it".to_string();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).filter(|&bytes| bytes > 0).ok_or_else(wrong)
}

/// The bytes asked for, which are refused if the machine has not as many; else `usual`, or as many as it has.
pub fn at_wish(asked: Option<u64>, usual: u64) -> Result<u64> {
    let Some(bytes) = asked else { return Ok(at_most(usual)) };
    check(bytes).map(|()| bytes)
}

/// That there is no room for so many bytes.
pub fn refusal(bytes: u64) -> SolveError {
    SolveError::TooLarge(format!("this machine has no {bytes} bytes"))
}

/// Whether the machine would give so many bytes now; [`refusal`] if it would not.
pub fn check(bytes: u64) -> Result<()> {
    let mut room = Vec::<u8>::new();
    let given = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // What nobody looks at need never be asked for.
    std::hint::black_box(&room);
    if given { Ok(()) } else { Err(refusal(bytes)) }
}

/// So many bytes, or half as many and so on, until the machine would give them.
pub fn at_most(bytes: u64) -> u64 {
    halves(bytes).find(|&bytes| check(bytes).is_ok()).unwrap_or(0)
}

fn halves(number: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(number), |&number| (number > 1).then_some(number / 2))
}

/// So many zeros, which cost nothing until they are touched; `None` where there is no room for them.
pub fn zeroed<T: Zeroable>(count: usize) -> Option<Vec<T>> {
    try_zeroed_vec(count).ok()
}

/// Zeros for so many buckets of `size` and one more, or for half as many and so on where there is no room; and how many
/// buckets they are.
pub fn zeroed_buckets<T: Zeroable>(buckets: usize, size: usize) -> (usize, Vec<T>) {
    let made = |buckets: u64| Some((buckets as usize, zeroed((buckets as usize + 1) * size)?));
    halves(buckets as u64).find_map(made).unwrap_or_else(|| (1, zeroed_vec(2 * size)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than any address space has.
    const ABSURD: u64 = 1 << 62;

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse("8G"), Ok(8 << 30));
        assert_eq!(parse("500m"), Ok(500 << 20));
        assert_eq!(parse("4096"), Ok(4096));
        for bad in ["", "G", "8X", "0", "-1G", "99999999999T", "1.5G", "é", "8é"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_no_machine_has_is_refused() {
        assert!(check(1 << 20).is_ok() && check(0).is_ok());
        assert_eq!(check(ABSURD).unwrap_err().to_string(), "this machine has no 4611686018427387904 bytes");
        assert!(check(u64::MAX).is_err() && zeroed::<u64>(ABSURD as usize).is_none());
    }

    #[test]
    fn less_is_taken_where_there_is_less() {
        assert_eq!(at_most(1 << 20), 1 << 20);
        assert!((1 << 20..ABSURD).contains(&at_most(ABSURD)));
        let (buckets, words) = zeroed_buckets::<u64>(1 << 58, 8);
        assert!(buckets >= 1 << 10 && buckets.is_power_of_two() && words.len() == 8 * (buckets + 1));
        assert_eq!(zeroed_buckets::<u64>(4, 8).0, 4);
    }
}
