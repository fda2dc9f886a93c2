//! Parsers for arguments of commands and options.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

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

/// Parses a time: 500ms, 1.5s, 2m or 1h. A number without a unit is in seconds. The time must be at least 1 ms and at
/// most `most` hours.
pub fn time(text: &str, most: u32) -> Result<Duration, String> {
    let wrong =
        || format!("write a number of seconds, or one with ms, s, m or h after it, more than 0 and at most {most}h");
    let sensible = 0.001..=f64::from(most) * 3600.0;
    seconds(text).filter(|time| sensible.contains(time)).map(Duration::from_secs_f64).ok_or_else(wrong)
}

/// Parses a number with or without a unit of time, and returns seconds. Returns `None` if the text has another form,
/// also for numbers with a sign or an exponent, and without digits before or after the point.
fn seconds(text: &str) -> Option<f64> {
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let is_decimal = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, rest) = number.split_once('.').unwrap_or((number, "0"));
    if !is_decimal(whole) || !is_decimal(rest) {
        return None;
    }
    Some(number.parse::<f64>().ok()? * unit)
}
