//! Checks the status, the headers and the body of a response as they arrive. This module does no input or output
//! itself.
//!
//! A body is accepted only if it is exactly what was requested: the right number of bytes from the right offset, and
//! not compressed. So the request bounds the memory of a response, whatever the server announces or sends.

use std::ops::Range;
use std::time::Duration;

use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, HeaderMap, RANGE};

use super::fault::{ResponseFault, quoted};
use super::patience::Patience;

/// Maximum number of bytes that are read from the body of an error response. Messages show only the first line of the
/// body.
const ERROR_BODY: u64 = 4 << 10;

/// Maximum size in bytes of the buffer that is allocated before the first byte of a body has arrived.
const FIRST_BUFFER: u64 = 1 << 20;

/// The parts of a request against which its response is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestLimits {
    /// True if only the headers are requested.
    pub is_head: bool,
    pub range: Option<Range<u64>>,
    /// Maximum length of the body in bytes, if the request has no range.
    pub most: u64,
}

/// The body of a response while it arrives.
#[derive(Debug)]
pub struct BodyReceiver {
    bytes: Vec<u8>,
    /// Exact length of the body in bytes, if it is known.
    expected: Option<u64>,
    most: u64,
    /// True if the body describes an error. Only the first bytes of such a body are needed.
    is_error: bool,
}

impl BodyReceiver {
    /// Checks the status and the headers of a response, and returns the receiver of its body. A response with an error
    /// status is accepted, so that its message can be read ([`BodyReceiver::is_error`]).
    pub fn begin(asked: &RequestLimits, status: u16, headers: &HeaderMap) -> Result<BodyReceiver, ResponseFault> {
        if !(200..300).contains(&status) {
            return Ok(BodyReceiver { bytes: Vec::new(), expected: None, most: ERROR_BODY, is_error: true });
        }
        if asked.is_head {
            return Ok(BodyReceiver { bytes: Vec::new(), expected: Some(0), most: 0, is_error: false });
        }
        check_encoding(headers)?;
        let announced = announced(headers)?;
        let expected = match &asked.range {
            None if status == 206 => return Err(ResponseFault::OtherRange(text(headers, CONTENT_RANGE.as_str()))),
            None => announced,
            Some(_) if status != 206 => return Err(ResponseFault::WholeFile),
            Some(range) => Some(length_of_range(range, &text(headers, CONTENT_RANGE.as_str()))?),
        };
        match (expected, announced) {
            (Some(length), _) if asked.range.is_none() && length > asked.most => {
                return Err(ResponseFault::TooLong { length, most: asked.most });
            }
            (Some(expected), Some(announced)) if expected != announced => {
                return Err(ResponseFault::OtherLength { announced, expected });
            }
            _ => {}
        }
        let bytes = Vec::with_capacity(expected.unwrap_or(0).min(FIRST_BUFFER) as usize);
        Ok(BodyReceiver { bytes, expected, most: expected.unwrap_or(asked.most), is_error: false })
    }

    /// Returns true if the response is an error.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// Takes the next chunk, `elapsed` after the request was sent. Returns true if enough of an error's body has
    /// arrived, so that no more chunks are needed. A body that is too long or arrives too slowly is an error.
    pub fn take(&mut self, chunk: &[u8], elapsed: Duration, patience: &Patience) -> Result<bool, ResponseFault> {
        let room = self.most - self.bytes.len() as u64;
        let fits = chunk.len() as u64 <= room;
        if !fits && !self.is_error {
            return Err(ResponseFault::Endless { most: self.most });
        }
        self.bytes.extend_from_slice(&chunk[..chunk.len().min(room as usize)]);
        match elapsed > patience.longest(self.bytes.len() as u64) {
            true => Err(ResponseFault::Slow),
            false => Ok(!fits),
        }
    }

    /// Returns the body after its last chunk. A body that is too short is an error.
    pub fn end(self) -> Result<Vec<u8>, ResponseFault> {
        let received = self.bytes.len() as u64;
        match self.expected {
            Some(expected) if received < expected => Err(ResponseFault::Short { received, expected }),
            _ => Ok(self.bytes),
        }
    }

    /// Returns the received part of an error's body. Bytes that are not UTF-8 are replaced by U+FFFD.
    pub fn into_error_text(self) -> Vec<u8> {
        String::from_utf8_lossy(&self.bytes).into_owned().into_bytes()
    }
}

/// Returns the number of bytes in the response to a request for `range`. `told` is the Content-Range header of the
/// response. If the file ends within the range, the response has fewer bytes than the range. A Content-Range that is
/// missing or does not fit the request is an error.
fn length_of_range(range: &Range<u64>, told: &str) -> Result<u64, ResponseFault> {
    let parsed = || -> Option<(u64, u64, u64)> {
        let (place, size) = told.trim().strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = place.split_once('-')?;
        Some((first.parse().ok()?, last.parse().ok()?, size.parse().ok()?))
    };
    match parsed() {
        Some((first, last, size))
            if first == range.start && last >= first && last < size && last == range.end.min(size) - 1 =>
        {
            Ok(last - first + 1)
        }
        _ => Err(ResponseFault::OtherRange(quoted(told))),
    }
}

/// Returns the byte range that a request's headers ask for, such as 0..100 for `bytes=0-99`, or `None` if there is no
/// valid range.
pub fn range_of(headers: &HeaderMap) -> Option<Range<u64>> {
    let (first, last) = headers.get(RANGE)?.to_str().ok()?.strip_prefix("bytes=")?.split_once('-')?;
    Some(first.parse().ok()?..last.parse::<u64>().ok()?.checked_add(1)?)
}

/// Returns the length in the header Content-Length, or `None` if there is no such header. Invalid or contradictory
/// lengths are errors.
fn announced(headers: &HeaderMap) -> Result<Option<u64>, ResponseFault> {
    let mut lengths = headers.get_all(CONTENT_LENGTH).iter().map(|value| value.to_str().unwrap_or("?"));
    let Some(first) = lengths.next() else { return Ok(None) };
    let is_number = !first.is_empty() && first.bytes().all(|digit| digit.is_ascii_digit());
    match first.parse() {
        Ok(length) if is_number && lengths.all(|other| other == first) => Ok(Some(length)),
        _ => Err(ResponseFault::NoLength(quoted(first))),
    }
}

/// Checks that the body is not compressed. The coding `aws-chunked` is allowed, because it describes only how an object
/// was uploaded.
fn check_encoding(headers: &HeaderMap) -> Result<(), ResponseFault> {
    let is_plain =
        |coding: &str| ["", "identity", "aws-chunked"].iter().any(|plain| coding.eq_ignore_ascii_case(plain));
    let codings = headers.get_all(CONTENT_ENCODING).iter().map(|value| value.to_str().unwrap_or("?"));
    match codings.flat_map(|value| value.split(',')).map(str::trim).find(|coding| !is_plain(coding)) {
        Some(coding) => Err(ResponseFault::Encoded(quoted(coding))),
        None => Ok(()),
    }
}

/// Returns a header as text, or an empty text if the header is missing or is not text.
fn text(headers: &HeaderMap, name: &str) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(&'static str, &'static str)]) -> HeaderMap {
        list.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    fn asked(range: Option<Range<u64>>) -> RequestLimits {
        RequestLimits { is_head: false, range, most: 100 }
    }

    /// Receives a response chunk by chunk.
    fn received(
        asked: &RequestLimits,
        status: u16,
        list: &[(&'static str, &'static str)],
        chunks: &[&[u8]],
    ) -> Result<Vec<u8>, ResponseFault> {
        let mut receiving = BodyReceiver::begin(asked, status, &headers(list))?;
        for chunk in chunks {
            receiving.take(chunk, Duration::ZERO, &Patience::default())?;
        }
        receiving.end()
    }

    #[test]
    fn ranges_have_exactly_their_bytes() {
        let (asked, place) = (asked(Some(2..6)), ("content-range", "bytes 2-5/9"));
        assert_eq!(received(&asked, 206, &[place], &[b"ab", b"cd"]), Ok(b"abcd".to_vec()));
        assert_eq!(received(&asked, 206, &[place, ("content-length", "4")], &[b"abcd"]), Ok(b"abcd".to_vec()));
        assert_eq!(received(&asked, 206, &[place], &[b"abcd", b"e"]), Err(ResponseFault::Endless { most: 4 }));
        let short = ResponseFault::Short { received: 3, expected: 4 };
        assert!(short.is_transient());
        assert_eq!(received(&asked, 206, &[place], &[b"abc"]), Err(short));
        let other = ResponseFault::OtherLength { announced: 5, expected: 4 };
        assert_eq!(received(&asked, 206, &[place, ("content-length", "5")], &[]), Err(other));
        // The file ends before the range does.
        assert_eq!(received(&asked, 206, &[("content-range", "bytes 2-2/3")], &[b"a"]), Ok(b"a".to_vec()));
    }

    #[test]
    fn other_ranges_are_refused() {
        for place in [
            "",
            "bytes 2-5/*",
            "bytes */9",
            "bytes 1-5/9",
            "bytes 2-4/9",
            "bytes 2-6/9",
            "bytes 2-5/5",
            "bytes 2-1/2",
            "bytes 5-2/9",
            "bytes 2-18446744073709551615/18446744073709551615",
            "lines 2-5/9",
        ] {
            let told = received(&asked(Some(2..6)), 206, &[("content-range", place)], &[]);
            assert_eq!(told, Err(ResponseFault::OtherRange(place.into())));
        }
        let whole = received(&asked(Some(2..6)), 200, &[("content-length", "9")], &[b"123456789"]);
        assert_eq!(whole, Err(ResponseFault::WholeFile));
        let part = received(&asked(None), 206, &[("content-range", "bytes 0-1/2")], &[b"12"]);
        assert_eq!(part, Err(ResponseFault::OtherRange("bytes 0-1/2".into())));
    }

    #[test]
    fn whole_files_have_at_most_as_many_bytes_as_are_read() {
        let (asked, most) = (asked(None), [b'x'; 100]);
        assert_eq!(received(&asked, 200, &[], &[&most]), Ok(most.to_vec()));
        assert_eq!(received(&asked, 200, &[], &[&most, b"x"]), Err(ResponseFault::Endless { most: 100 }));
        let long = ResponseFault::TooLong { length: 101, most: 100 };
        assert_eq!(received(&asked, 200, &[("content-length", "101")], &[]), Err(long));
        assert_eq!(
            received(&asked, 200, &[("content-length", "1")], &[b"xy"]),
            Err(ResponseFault::Endless { most: 1 })
        );
        for length in ["", "-1", "+1", "1,2", "0x1", "18446744073709551616"] {
            assert_eq!(
                received(&asked, 200, &[("content-length", length)], &[]),
                Err(ResponseFault::NoLength(length.into()))
            );
        }
        let twice = [("content-length", "1"), ("content-length", "2")];
        let mut both = HeaderMap::new();
        for (name, value) in &twice {
            both.append(*name, value.parse().unwrap());
        }
        assert_eq!(announced(&both), Err(ResponseFault::NoLength("1".into())));
    }

    #[test]
    fn compressed_files_are_refused() {
        for coding in ["gzip", "br", "identity, zstd", "x"] {
            let told = received(&asked(None), 200, &[("content-encoding", coding)], &[b"x"]);
            assert!(matches!(told, Err(ResponseFault::Encoded(_))), "{coding}");
        }
        for coding in ["identity", "Identity", "aws-chunked", ""] {
            assert_eq!(received(&asked(None), 200, &[("content-encoding", coding)], &[b"x"]), Ok(b"x".to_vec()));
        }
    }

    #[test]
    fn errors_are_read_as_far_as_they_are_shown() {
        let mut receiving = BodyReceiver::begin(&asked(Some(0..9)), 500, &headers(&[("content-length", "9")])).unwrap();
        let chunk = [b'x'; 3000];
        assert_eq!(receiving.take(&chunk, Duration::ZERO, &Patience::default()), Ok(false));
        assert_eq!(receiving.take(&chunk, Duration::ZERO, &Patience::default()), Ok(true));
        assert_eq!(receiving.into_error_text().len(), 4096);
    }

    #[test]
    fn slow_answers_are_given_up() {
        let asked = RequestLimits { is_head: false, range: None, most: 1 << 20 };
        let patience = Patience::default();
        let mut receiving = BodyReceiver::begin(&asked, 200, &HeaderMap::new()).unwrap();
        assert_eq!(receiving.take(b"x", patience.grace, &patience), Ok(false));
        assert_eq!(receiving.take(&[0; 8192], patience.grace + Duration::from_secs(2), &patience), Ok(false));
        assert_eq!(receiving.take(b"x", patience.grace + Duration::from_secs(3), &patience), Err(ResponseFault::Slow));
    }

    #[test]
    fn heads_have_no_bytes() {
        let asked = RequestLimits { is_head: true, range: None, most: 100 };
        assert_eq!(received(&asked, 200, &[("content-length", "9")], &[]), Ok(Vec::new()));
        assert_eq!(received(&asked, 200, &[], &[b"x"]), Err(ResponseFault::Endless { most: 0 }));
    }
}
