//! Parts of a match that are played apart from each other, on as many machines as there are, and their sum.
//!
//! Games follow from their numbers and the seed, so a part plays what the whole match would have played.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::schedule::MatchSettings;
use super::summary::Tally;
use yomikiri_solve::Playable;

/// Most parts of a match.
const MOST: u32 = 1_000_000;

/// One of so many parts, as `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Part {
    /// From 1 on.
    number: u32,
    of: u32,
}

impl Part {
    /// All games.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// The numbers of its games: whole pairs, which begin alike, as evenly as can be.
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
            Some((number, of)) if (1..=of).contains(&number) && of <= MOST => Ok(Part { number, of }),
            _ => Err(format!("\"{text}\" is no part as 3/16, of {MOST} at most")),
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

/// What came of a part: a line of JSON. docs/match.md describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedPart {
    #[serde(flatten)]
    terms: Terms,
    part: Part,
    tally: Tally,
}

/// Why lines are no whole match.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMatch {
    /// Some are no parts of this match; in words.
    #[error("{0}")]
    Wrong(String),
    /// They are so many of so many parts.
    #[error("has {0} of {1} parts of the match")]
    Lacking(usize, u32),
}

/// What has to be the same in all parts of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Terms {
    rules: String,
    a: String,
    b: String,
    /// Of all parts.
    games: u32,
    seed: u64,
    opening: u32,
    max_plies: u32,
}

impl PlayedPart {
    pub fn new<G: Playable>(settings: &MatchSettings<G>, tally: Tally) -> PlayedPart {
        PlayedPart { terms: Terms::of(settings), part: settings.part, tally }
    }

    /// Adds up a match from lines that together tell of each of its parts once.
    pub fn sum<G: Playable>(settings: &MatchSettings<G>, lines: &str) -> Result<Tally, NoMatch> {
        let wrong = |what: String| Err(NoMatch::Wrong(what));
        let terms = Terms::of(settings);
        let (mut sum, mut found, mut of) = (Tally::default(), BTreeSet::new(), None);
        for (number, line) in (1..).zip(lines.lines()) {
            let played: PlayedPart = match serde_json::from_str(line) {
                Ok(played) => played,
                Err(error) => return wrong(format!("line {number} is no part of a match: {error}")),
            };
            let (part, games) = (played.part, played.part.games(terms.games).len() as u32);
            if played.terms != terms {
                return wrong(format!("line {number} is of another match: {}", played.terms));
            }
            if played.tally.games() != games || !played.tally.is_sound() {
                return wrong(format!("line {number} does not count the {games} games of part {part}"));
            }
            match *of.get_or_insert(part.of) {
                of if of != part.of => return wrong(format!("line {number} is part {part} among {of} parts")),
                _ if !found.insert(part.number) => return wrong(format!("line {number} is part {part} again")),
                _ => sum.merge(&played.tally),
            }
        }
        match of {
            Some(of) if found.len() == of as usize => Ok(sum),
            Some(of) => Err(NoMatch::Lacking(found.len(), of)),
            None => Err(NoMatch::Lacking(0, 1)),
        }
    }
}

impl Terms {
    fn of<G: Playable>(settings: &MatchSettings<G>) -> Terms {
        let [a, b] = settings.players.each_ref().map(ToString::to_string);
        let MatchSettings { games, seed, opening, max_plies, .. } = *settings;
        Terms { rules: settings.game.code(), a, b, games, seed, opening, max_plies }
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Terms { rules, a, b, games, seed, opening, max_plies } = self;
        write!(f, "{rules:?}, {a:?} against {b:?}, {games} games, seed {seed}, ")?;
        write!(f, "opening {opening}, {max_plies} plies at most")
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
                assert!(range.start % 2 == 0 || range.is_empty(), "{part} of {games}");
                next = range.end;
            }
            assert_eq!(next, games);
        }
        for bad in ["", "1", "0/3", "4/3", "1/0", "-1/2", "1/2/3", "1/1000001"] {
            assert!(bad.parse::<Part>().is_err(), "{bad}");
        }
    }
}
