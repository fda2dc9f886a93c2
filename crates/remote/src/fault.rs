//! Reasons to reject a response.

use std::time::Duration;

use super::patience::RATE;

/// Maximum number of characters quoted from a server's text.
const QUOTED: usize = 120;

/// The reason why a response is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResponseFault {
    #[error("the server ignores range requests and sends whole files, so tables cannot be read from it")]
    WholeFile,
    #[error("the server sends another range than requested (Content-Range: {0})")]
    OtherRange(String),
    #[error("the server announces {announced} bytes (Content-Length) instead of the {expected} bytes requested")]
    OtherLength { announced: u64, expected: u64 },
    #[error("the server announces no valid length (Content-Length: {0})")]
    NoLength(String),
    #[error("the server compresses the file (Content-Encoding: {0}); turn off compression for it on the server")]
    Encoded(String),
    #[error("is {length} bytes long, but at most {most} bytes are read")]
    TooLong { length: u64, most: u64 },
    #[error("the server sends more than the {most} bytes that it may send")]
    Endless { most: u64 },
    #[error("the response ends early, after {received} of {expected} bytes")]
    Short { received: u64, expected: u64 },
    #[error("the server sends less than {RATE} bytes a second")]
    Slow,
    #[error("the server sends nothing for {} s", .0.as_secs_f64())]
    Silent(Duration),
    #[error("the connection broke during the response")]
    BrokenOff,
    #[error(
        "the server redirects to {0}, which has another host, port or scheme; give the new address of the folder, \
         or set YOMIKIRI_REDIRECTS=all"
    )]
    OtherOrigin(String),
    #[error("the server redirects from https to {0}, which is not encrypted; give an address that stays on https")]
    Unencrypted(String),
    #[error("the server redirects to {0}, which is not an address on the web")]
    OtherScheme(String),
    #[error("the server redirects more than {0} times")]
    RedirectLoop(usize),
}

impl ResponseFault {
    /// Returns true if a retry of the same request may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(self, ResponseFault::Short { .. } | ResponseFault::Silent(_) | ResponseFault::BrokenOff)
    }
}

/// Returns the first line of a server's text, at most 120 characters, with control characters escaped.
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
