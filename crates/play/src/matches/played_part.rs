//! The results of the parts of a match, and their sum.

use std::collections::BTreeSet;
use yomikiri_rules::Game;

use serde::{Deserialize, Serialize};
use yomikiri_table::json_lines;

use super::openings::Openings;
use super::part::Part;
use super::schedule::MatchSettings;
use super::tally::MatchTally;

/// The result of a part of a match, written as one line of JSON. docs/match.md describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartResult {
    rules: String,
    a: String,
    b: String,
    /// The number of games of the whole match.
    games: u32,
    seed: u64,
    opening: u32,
    /// The hash of the openings, or `None` if they do not come from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    openings: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    same_colours: bool,
    max_plies: u32,
    part: Part,
    tally: MatchTally,
}

/// The reason why the lines of a file do not make up a whole match.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartsError {
    /// A line cannot be added: it is damaged, repeats a part or belongs to another match. The text says why.
    #[error("{0}")]
    Wrong(String),
    /// Parts are missing. The fields are the number of parts found and the total number of parts.
    #[error("has only {0} of the {1} parts of the match")]
    Lacking(usize, u32),
    /// The file has no lines.
    #[error("has no parts of the match")]
    Empty,
}

impl PartResult {
    /// Creates the result of the part in `settings` from the tally of its games.
    pub fn new(settings: &MatchSettings, tally: MatchTally) -> PartResult {
        let [a, b] = settings.players.each_ref().map(ToString::to_string);
        let (rules, openings) = (settings.game.code(), settings.openings.as_ref().map(Openings::hash));
        let MatchSettings { games, seed, opening, same_colours, max_plies, part, .. } = *settings;
        PartResult { rules, a, b, games, seed, opening, openings, same_colours, max_plies, part, tally }
    }

    /// Returns the result as one line of JSON, without a line break.
    pub fn line(&self) -> String {
        json_lines::write(self)
    }

    /// Returns true if all settings that the parts of a match share are equal.
    fn is_of_match(&self, other: &PartResult) -> bool {
        let (part, tally) = (other.part, other.tally.clone());
        PartResult { part, tally, ..self.clone() } == *other
    }

    /// Describes the settings that the parts of a match share.
    fn terms(&self) -> String {
        let PartResult { rules, a, b, games, seed, opening, openings, same_colours, max_plies, .. } = self;
        let start = openings.as_ref().map_or(format!("opening {opening}"), |hash| format!("openings {hash:?}"));
        let colours = if *same_colours { "the same colours, " } else { "" };
        format!(
            "{rules:?}, {a:?} against {b:?}, {games} games, seed {seed}, {start}, {colours}at most {max_plies} plies"
        )
    }

    /// Adds up the results of a whole match. Each line of `lines` is the result of a part. Every part must occur
    /// exactly once, and must have the same settings as `settings`.
    pub fn sum(settings: &MatchSettings, lines: &str) -> Result<MatchTally, PartsError> {
        let wrong = |what: String| Err(PartsError::Wrong(what));
        let own = PartResult::new(settings, MatchTally::default());
        let (mut sum, mut found, mut of) = (MatchTally::default(), BTreeSet::new(), None);
        for (number, line) in (1..).zip(lines.lines()) {
            let played: PartResult = match json_lines::read(line) {
                Ok(played) => played,
                Err(error) => return wrong(format!("line {number} {error}; play its part again")),
            };
            let (part, games) = (played.part, played.part.games(own.games).len() as u32);
            if !played.is_of_match(&own) {
                return wrong(format!("line {number} belongs to another match: {}", played.terms()));
            }
            if played.tally.games() != games || !played.tally.is_sound(own.max_plies) {
                return wrong(format!(
                    "line {number} has counts that contradict each other or the {games} games of part {part}; play \
                     this part again"
                ));
            }
            match *of.get_or_insert(part.count()) {
                of if of != part.count() => {
                    return wrong(format!(
                        "line {number} is part {part}, but earlier lines are parts of a match in {of} parts"
                    ));
                }
                _ if !found.insert(part.number()) => return wrong(format!("line {number} repeats part {part}")),
                _ => sum.merge(&played.tally),
            }
        }
        match of {
            Some(of) if found.len() == of as usize => Ok(sum),
            Some(of) => Err(PartsError::Lacking(found.len(), of)),
            None => Err(PartsError::Empty),
        }
    }
}
