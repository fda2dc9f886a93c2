//! Parsers for arguments of commands and options.

use std::ops::RangeInclusive;
use std::str::FromStr;

use yomikiri_rules::TextError;

/// Parses a number within `limits`. The error names the argument `name`.
pub fn number<N: FromStr + PartialOrd + std::fmt::Display>(
    name: &str,
    text: &str,
    limits: RangeInclusive<N>,
) -> Result<N, TextError> {
    text.parse().ok().filter(|number| limits.contains(number)).ok_or_else(|| {
        TextError::new(name, format!("\"{text}\" is not a number from {} to {}", limits.start(), limits.end()))
    })
}

/// Parses `true` or `false`. The error names the argument `name`.
pub fn truth(name: &str, text: &str) -> Result<bool, TextError> {
    text.parse().map_err(|_| TextError::new(name, format!("\"{text}\" is neither true nor false")))
}

/// Parses a number followed by a unit, such as `1.5s`, and returns seconds. `units` lists each unit with its length in
/// seconds. An entry with an empty name makes the unit optional. Returns `None` if the text has another form, also for
/// numbers with a sign or an exponent, and without digits before or after the point.
pub fn seconds(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let (_, unit) = units.iter().find(|(name, _)| *name == &text[number.len()..])?;
    let is_decimal = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, rest) = number.split_once('.').unwrap_or((number, "0"));
    if !is_decimal(whole) || !is_decimal(rest) {
        return None;
    }
    Some(number.parse::<f64>().ok()? * unit)
}
