//! Parts of a match that can be played on different machines.
//!
//! Each game depends only on its serial number and the seed, so the parts together have the same games as the whole
//! match.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The maximum number of parts.
const MAX_PARTS: u32 = 1_000_000;

/// A part of a match, such as `3/16`, the third of 16 parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Part {
    /// The index of the part, counted from 1.
    number: u32,
    of: u32,
}

impl Part {
    /// The whole match as one part.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// Returns the index of the part, counted from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the number of parts.
    pub fn count(self) -> u32 {
        self.of
    }

    /// Returns the serial numbers of the games of this part, in a match of `games` games. Games 0 and 1 are a pair,
    /// games 2 and 3 are the next pair, and so on. Both games of a pair are in the same part. The sizes of parts differ
    /// by at most one pair.
    pub fn games(self, games: u32) -> Range<u32> {
        let pairs = u64::from(games.div_ceil(2));
        let first = |number: u32| (pairs * u64::from(number) / u64::from(self.of) * 2).min(games.into()) as u32;
        first(self.number - 1)..first(self.number)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= MAX_PARTS => Ok(Part { number, of }),
            _ => Err(format!("\"{text}\" is not a part such as 3/16; a match has at most {MAX_PARTS} parts")),
        }
    }
}

impl TryFrom<String> for Part {
    type Error = String;

    fn try_from(text: String) -> Result<Part, String> {
        text.parse()
    }
}

impl From<Part> for String {
    fn from(part: Part) -> String {
        part.to_string()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_all_games_once_and_pairs_together() {
        for (games, of) in [(1, 1), (1, 3), (2, 1), (7, 2), (100, 7), (101, 50), (10_000_000, 1_000_000), (3, 8)] {
            let mut next = 0;
            for number in 1..=of {
                let part: Part = format!("{number}/{of}").parse().unwrap();
                let range = part.games(games);
                assert_eq!(range.start, next, "{part} of {games}");
                assert!(range.start.is_multiple_of(2) || range.is_empty(), "{part} of {games}");
                next = range.end;
            }
            assert_eq!(next, games);
        }
        for bad in ["", "1", "0/3", "4/3", "1/0", "-1/2", "1/2/3", "1/1000001"] {
            assert!(bad.parse::<Part>().is_err(), "{bad}");
        }
    }
}
