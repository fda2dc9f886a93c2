//! Ways in which an answer is not acceptable.

use std::time::Duration;

use super::patience::RATE;

/// Longest part of a text of a server that is repeated, in characters.
const QUOTED: usize = 120;

/// Why an answer is given up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the server sends whole files where ranges are asked for, so tables cannot be read from it")]
    WholeFile,
    #[error("the server sends another range than the one asked for (Content-Range: {0})")]
    OtherRange(String),
    #[error("the server announces {announced} bytes where it has to send {expected}")]
    OtherLength { announced: u64, expected: u64 },
    #[error("the server announces no valid length (Content-Length: {0})")]
    NoLength(String),
    #[error("the server compresses what it sends (Content-Encoding: {0}); publish the file as it is")]
    Encoded(String),
    #[error("is {length} bytes long, at most {most} are read")]
    TooLong { length: u64, most: u64 },
    #[error("the server sends more than {most} bytes")]
    Endless { most: u64 },
    #[error("the answer ends too soon, after {received} of {expected} bytes")]
    Short { received: u64, expected: u64 },
    #[error("the server sends less than {RATE} bytes a second")]
    Slow,
    #[error("the server sends nothing for {} s", .0.as_secs_f64())]
    Silent(Duration),
    #[error("the answer breaks off")]
    BrokenOff,
    #[error(
        "the server redirects to {0}, another host, port or scheme; give that address, or set YOMIKIRI_REDIRECTS=all"
    )]
    OtherOrigin(String),
    #[error("the server redirects from https to {0}")]
    Unencrypted(String),
    #[error("the server redirects more than {0} times")]
    RedirectLoop(usize),
}

impl Fault {
    /// Returns true if the same request may well succeed a moment later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Fault::Short { .. } | Fault::Silent(_) | Fault::BrokenOff)
    }
}

/// The first line of a server's text, cut at 120 characters, with control characters written out.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for letter in text.lines().next().unwrap_or_default().chars().take(QUOTED) {
        match letter.is_control() {
            true => quoted.extend(letter.escape_unicode()),
            false => quoted.push(letter),
        }
    }
    quoted
}
