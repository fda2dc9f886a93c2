//! What came of parts of a match, and their sum.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use yomikiri_table::json_lines;

use super::part::Part;
use super::schedule::MatchSettings;
use super::tally::Tally;
use yomikiri_solve::Playable;

/// What came of a part: a line of JSON. docs/match.md describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedPart {
    rules: String,
    a: String,
    b: String,
    /// Of all parts.
    games: u32,
    seed: u64,
    opening: u32,
    max_plies: u32,
    part: Part,
    tally: Tally,
}

/// Why lines are no whole match.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMatch {
    /// Some are no parts of this match; in words.
    #[error("{0}")]
    Wrong(String),
    /// Some parts are missing: how many there are, of how many.
    #[error("has {0} of {1} parts of the match")]
    Lacking(usize, u32),
}

/// What has to be the same in all parts of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        let Terms { rules, a, b, games, seed, opening, max_plies } = Terms::of(settings);
        PlayedPart { rules, a, b, games, seed, opening, max_plies, part: settings.part, tally }
    }

    /// The line of a part, without a line break.
    pub fn line(&self) -> String {
        json_lines::write(self)
    }

    fn terms(&self) -> Terms {
        let PlayedPart { rules, a, b, .. } = self.clone();
        let PlayedPart { games, seed, opening, max_plies, .. } = *self;
        Terms { rules, a, b, games, seed, opening, max_plies }
    }

    /// Adds up a match from lines that together tell of each of its parts once.
    pub fn sum<G: Playable>(settings: &MatchSettings<G>, lines: &str) -> Result<Tally, NoMatch> {
        let wrong = |what: String| Err(NoMatch::Wrong(what));
        let terms = Terms::of(settings);
        let (mut sum, mut found, mut of) = (Tally::default(), BTreeSet::new(), None);
        for (number, line) in (1..).zip(lines.lines()) {
            let played: PlayedPart = match json_lines::read(line) {
                Ok(played) => played,
                Err(error) => return wrong(format!("line {number} {error}; play its part again")),
            };
            let (part, games) = (played.part, played.part.games(terms.games).len() as u32);
            if played.terms() != terms {
                return wrong(format!("line {number} is of another match: {}", played.terms()));
            }
            if played.tally.games() != games || !played.tally.is_sound(terms.max_plies) {
                return wrong(format!("line {number} does not count the {games} games of part {part}"));
            }
            match *of.get_or_insert(part.of()) {
                of if of != part.of() => return wrong(format!("line {number} is part {part} among {of} parts")),
                _ if !found.insert(part.number()) => return wrong(format!("line {number} is part {part} again")),
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
