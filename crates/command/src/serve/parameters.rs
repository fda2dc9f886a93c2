//! The parameters of a question, from the query string of its URI.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use axum::http::Uri;

use super::reply::Refusal;

/// The character for a blank in positions and moves. No notation uses it, and URIs need no escape for it.
const BLANK: char = '_';

/// The parameters of a question, by name.
pub struct Parameters(BTreeMap<String, String>);

impl Parameters {
    /// Parses the parameters of a URI. A name that is unknown or repeated is an error.
    pub fn of(uri: &Uri, known: &[&str]) -> Result<Parameters, Refusal> {
        let mut words = BTreeMap::new();
        for pair in uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, word) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, word) = (decoded(name)?, decoded(word)?);
            if !known.contains(&name.as_str()) {
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                return Err(Refusal::bad(format!("{name:?} is not a parameter of this question (known: {known})")));
            }
            if words.insert(name.clone(), word).is_some() {
                return Err(Refusal::bad(format!("{name} is given twice")));
            }
        }
        Ok(Parameters(words))
    }

    /// Returns a required parameter, or an error if the parameter is missing.
    pub fn need(&self, name: &str) -> Result<&str, Refusal> {
        self.get(name).ok_or_else(|| Refusal::bad(format!("{name} is missing")))
    }

    /// Returns an optional parameter, or `None` if it is missing.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns the position of the question, by default the start.
    pub fn position(&self) -> String {
        with_blanks(self.get("position").unwrap_or("startpos"))
    }

    /// Returns the moves after the position, by default none.
    pub fn moves(&self) -> String {
        with_blanks(self.get("moves").unwrap_or_default())
    }

    /// Returns an optional parameter as a number, or `None` if it is missing. A value that is not a number in `range`
    /// is an error.
    pub fn number(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Refusal> {
        let read = |word: &str| {
            let is_number = word.bytes().all(|letter| letter.is_ascii_digit());
            let number = word.parse().ok().filter(|number| is_number && range.contains(number));
            let (least, most) = (range.start(), range.end());
            number.ok_or_else(|| Refusal::bad(format!("{name}={word:?} is not a number from {least} to {most}")))
        };
        self.get(name).map(read).transpose()
    }
}

/// Replaces each `_` of a position or of moves by a blank.
pub fn with_blanks(text: &str) -> String {
    text.replace(BLANK, " ")
}

/// Decodes a part of a query string. `+` becomes a blank, and `%` with two hexadecimal digits becomes a byte of UTF-8.
fn decoded(part: &str) -> Result<String, Refusal> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let escaped = digit().zip(digit()).map(|(high, low)| (high << 4 | low) as u8);
                let problem = "has a % without two hexadecimal digits after it; write %25 for %";
                escaped.ok_or_else(|| Refusal::bad(format!("{part:?} {problem}")))?
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).map_err(|_| Refusal::bad(format!("{part:?} is not UTF-8")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Parameters, String> {
        let uri: Uri = format!("/api/v1/query?{query}").parse().unwrap();
        Parameters::of(&uri, &["rules", "position", "plies"]).map_err(|refusal| refusal.text)
    }

    #[test]
    fn words_are_read_as_browsers_write_them() {
        for query in [
            "rules=bin2x2&position=startpos+moves+%32n",
            "&rules=bin2x2&&position=startpos%20moves%202n&",
            "position=startpos_moves_2n&rules=bin2x2",
            "%72ules=bin2x2&position=startpos%5fmoves%5F2n",
        ] {
            let words = read(query).unwrap();
            assert_eq!((words.need("rules").unwrap(), words.position().as_str()), ("bin2x2", "startpos moves 2n"));
        }
        assert_eq!(read("position=%c3%A9=%2b").unwrap().position(), "é=+");
        assert_eq!(read("position").unwrap().position(), "");
        assert_eq!(read("").unwrap().position(), "startpos");
    }

    #[test]
    fn what_cannot_be_read_whole_is_named() {
        for (query, problem) in [
            ("position=%", "\"%\" has a % without two hexadecimal digits after it; write %25 for %"),
            ("position=a%2", "\"a%2\" has a % without two hexadecimal digits after it; write %25 for %"),
            ("position=%2g", "\"%2g\" has a % without two hexadecimal digits after it; write %25 for %"),
            ("position=%+2", "\"%+2\" has a % without two hexadecimal digits after it; write %25 for %"),
            ("position=%ff", "\"%ff\" is not UTF-8"),
            ("rules=a&rules=b", "rules is given twice"),
            ("rules=a&%72ules=a", "rules is given twice"),
            ("Rules=a", "\"Rules\" is not a parameter of this question (known: rules, position, plies)"),
            ("rules%00=a", "\"rules\\0\" is not a parameter of this question (known: rules, position, plies)"),
        ] {
            assert_eq!(read(query).err().as_deref(), Some(problem), "{query}");
        }
    }

    #[test]
    fn numbers_are_digits_alone() {
        let number = |word: &str| read(&format!("plies={word}")).unwrap().number("plies", 1..=1000).ok().flatten();
        assert_eq!([number("1"), number("1000"), number("007")], [Some(1), Some(1000), Some(7)]);
        for word in
            ["", "0", "1001", "%2B5", "-1", "5+", "+5", "1_0", "1.0", "5e0", "0x5", "%D9%A5", "18446744073709551617"]
        {
            assert_eq!(number(word), None, "{word}");
        }
    }
}
