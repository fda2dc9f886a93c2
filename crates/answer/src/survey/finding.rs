//! The findings of a survey about a variant.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_rules::Side;

/// The memory in bytes for each variant if `--memory` is not given. Records leave out the field `memory` if it has this
/// value.
pub const MEMORY: u64 = 256 << 20;

/// The answer about a variant, or the progress towards an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The winner; `null` if it is not known.
    #[serde(deserialize_with = "Option::deserialize")]
    pub winner: Option<Winner>,
    /// The first moves that win, or that draw if none wins. Empty if all lose. `None` if the survey does not ask for
    /// first moves or they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_moves: Option<Vec<String>>,
    /// The plies to the end of the game. `None` if the survey does not ask for plies, if the game is drawn, or if the
    /// plies are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// The points by which Black wins, negative if White wins. `None` if the survey does not ask for them
    /// ([`Question::Plies`](super::Question::Plies)), if the game has no scores, or if the score is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
    /// The komi for White, in points, with which neither side has an advantage; negative if Black gets the komi. `None`
    /// if the survey does not ask for the fair komi or it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fair_komi: Option<i16>,
    /// True if the winner clears all its targets, the lines of stones that a side has to make in Binarsi, and so wins
    /// with any komi.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_targets: bool,
    /// The number of positions of the variant, or `None` if the survey did not solve it in a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The number of drawn positions of the variant, or `None` if the survey did not solve it in a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<u64>,
    /// The plies of the longest win in the variant, or `None` if the survey did not solve it in a table or its values
    /// are scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// The number of positions searched, or `None` if the variant was not searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The progress of a variant that is not decided, or `None` if it is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
    /// The method that decided the variant.
    pub by: DecidedBy,
    /// The commands that reproduce the answer, separated by `; `.
    pub command: String,
}

/// The side that wins under best play, or a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// Black, the side that moves first, wins.
    Black,
    /// White wins.
    White,
    /// Neither side wins.
    Draw,
}

impl From<Side> for Winner {
    fn from(side: Side) -> Winner {
        side.pick([Winner::Black, Winner::White])
    }
}

/// The method that decided a variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// A table that already existed.
    Table,
    /// All positions, solved in memory.
    Memory,
    /// All positions, solved in a table made for the question.
    Whole,
    /// A proof by df-pn search.
    Proof,
    /// The game's exact search.
    Search,
    /// The answer follows from the answer for another komi.
    Komi,
    /// The answer follows from the answer for the transposed board, which has files and ranks exchanged.
    Transposition,
    /// The answer follows from the answer for another rule code, whose game differs only in the names of squares or
    /// pieces.
    SameGame,
    /// The variant was not asked about.
    #[default]
    None,
}

/// Writes the word used in JSON.
impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The reason why a variant is open, and the progress made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// The reason why the variant is open.
    pub why: OpenReason,
    /// The time limit in seconds; `null` if there was none.
    #[serde(deserialize_with = "Option::deserialize")]
    pub seconds: Option<Seconds>,
    /// The memory in bytes that was allowed.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub memory: u64,
    /// The proof number of the start position, as `yomikiri prove` reports it. `None` if the side to move cannot win,
    /// or if there was no proof search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_win: Option<u64>,
    /// The disproof number of the start position, as `yomikiri prove` reports it. `None` if the side to move cannot
    /// lose, or if there was no proof search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_loss: Option<u64>,
    /// The number of node expansions in the proof search, or `None` if there was no proof search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansions: Option<u64>,
    /// The first moves whose winner is not yet known, or `None` if the survey does not ask for first moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// The lower bound of the number that the survey asks for (plies, score or fair komi), or `None` if no bound is
    /// known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<i64>,
    /// The upper bound of the number that the survey asks for (plies, score or fair komi), or `None` if no bound is
    /// known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<i64>,
}

impl Default for Open {
    fn default() -> Open {
        Open {
            why: OpenReason::Time,
            seconds: None,
            memory: MEMORY,
            to_win: None,
            to_loss: None,
            expansions: None,
            moves: None,
            at_least: None,
            at_most: None,
        }
    }
}

fn usual() -> u64 {
    MEMORY
}

fn is_usual(memory: &u64) -> bool {
    *memory == MEMORY
}

/// The reason why a variant is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum OpenReason {
    /// The time limit of the variant ran out.
    Time,
    /// The time limit of the whole survey ran out.
    SurveyTime,
    /// The process was killed.
    Killed,
    /// Another reason as text, such as the error line of a process that failed.
    Said(String),
}

const TIME: &str = "not decided in the time";
const SURVEY_TIME: &str = "not decided in the time of the survey";
const KILLED: &str = "the program was killed";

impl From<String> for OpenReason {
    fn from(text: String) -> OpenReason {
        match text.as_str() {
            TIME => OpenReason::Time,
            SURVEY_TIME => OpenReason::SurveyTime,
            KILLED => OpenReason::Killed,
            _ => OpenReason::Said(text),
        }
    }
}

impl From<OpenReason> for String {
    fn from(reason: OpenReason) -> String {
        reason.to_string()
    }
}

impl fmt::Display for OpenReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OpenReason::Time => TIME,
            OpenReason::SurveyTime => SURVEY_TIME,
            OpenReason::Killed => KILLED,
            OpenReason::Said(text) => text,
        })
    }
}

/// A time, stored in milliseconds and written as a number of seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds(u64);

impl Seconds {
    /// The longest time in milliseconds, about 30,000 years. Up to this limit, an `f64` number of seconds distinguishes
    /// every millisecond.
    const MAX: u64 = 1_000_000_000_000_000;
}

impl From<Duration> for Seconds {
    /// Rounds to the nearest millisecond.
    fn from(time: Duration) -> Seconds {
        let thousandths = (time + Duration::from_micros(500)).as_millis();
        Seconds(u64::try_from(thousandths).unwrap_or(Seconds::MAX).min(Seconds::MAX))
    }
}

impl From<Seconds> for f64 {
    fn from(Seconds(thousandths): Seconds) -> f64 {
        thousandths as f64 / 1000.0
    }
}

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Seconds, String> {
        let thousandths = (seconds * 1000.0).round();
        let is_whole = (0.0..=Seconds::MAX as f64).contains(&thousandths) && thousandths / 1000.0 == seconds;
        if is_whole { Ok(Seconds(thousandths as u64)) } else { Err(format!("{seconds} is not a number of seconds")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_read_as_they_were_written() {
        for thousandths in [0, 1, 500, 1500, 442_000, 86_399_999, 359_999_999_999, Seconds::MAX] {
            let seconds = Seconds(thousandths);
            let text = serde_json::to_string(&seconds).unwrap();
            assert_eq!(serde_json::from_str::<Seconds>(&text).unwrap(), seconds, "{text}");
        }
        assert_eq!(serde_json::to_string(&Seconds::from(Duration::from_micros(2_000_400))).unwrap(), "2.0");
        for bad in ["-1.0", "1e300", "0.0001", "null", "\"1\""] {
            assert!(serde_json::from_str::<Seconds>(bad).is_err(), "{bad}");
        }
    }
}
