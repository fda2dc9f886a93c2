//! What a survey has found out about a variant.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Bytes for each variant where `--memory` says nothing else; such a record leaves them out.
pub const MEMORY: u64 = 256 << 20;

/// The answer about a variant, or how far it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Who wins; null while that is open.
    #[serde(deserialize_with = "Option::deserialize")]
    pub winner: Option<Winner>,
    /// First moves that win, or that draw where none wins; none where all lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_moves: Option<Vec<String>>,
    /// Plies to the end of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// By how much Black wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
    /// Komi for White with which the stones are even; for Black where it is less than 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fair_komi: Option<i16>,
    /// The winner wins by targets, whatever the komi is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_targets: bool,
    /// Of a variant that was solved whole: positions, draws among them, and plies of the longest win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// Of a variant that was searched: positions looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
    pub by: DecidedBy,
    /// The commands that make the answer again; `; ` stands between several.
    pub command: String,
}

/// Who wins with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    Black,
    White,
    Draw,
}

/// How a variant was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// By a table that was there.
    Table,
    /// By all positions, in memory.
    Memory,
    /// By all positions, in a table that was made for it.
    Whole,
    Proof,
    Search,
    /// It follows from another komi.
    Komi,
    /// It follows from the same board on its side.
    Transposition,
    /// It follows from another code of the same game.
    SameGame,
    /// Nobody was asked.
    #[default]
    None,
}

/// Why a variant is open, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    pub why: OpenReason,
    /// Time that it was given; null if as much as it takes.
    #[serde(deserialize_with = "Option::deserialize")]
    pub seconds: Option<Seconds>,
    /// Bytes that it was given.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub memory: u64,
    /// Proof numbers, as `prove` says them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_win: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_loss: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansions: Option<u64>,
    /// First moves after which it is open who wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// Bounds of plies, of the score or of the fair komi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<i64>,
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

/// Why a variant is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum OpenReason {
    /// Its own time was not enough.
    Time,
    /// The time of the whole survey was not enough.
    SurveyTime,
    /// The process was killed.
    Killed,
    /// The line of the program that failed.
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

/// A time in thousandths of a second, written in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds(u64);

impl Seconds {
    /// Longest time, some thirty thousand years: a number of seconds with three digits after the point is exact.
    const MOST: u64 = 1_000_000_000_000_000;
}

impl From<Duration> for Seconds {
    /// Rounds to thousandths.
    fn from(time: Duration) -> Seconds {
        let thousandths = (time + Duration::from_micros(500)).as_millis();
        Seconds(u64::try_from(thousandths).unwrap_or(Seconds::MOST).min(Seconds::MOST))
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
        let is_whole = (0.0..=Seconds::MOST as f64).contains(&thousandths) && thousandths / 1000.0 == seconds;
        if is_whole { Ok(Seconds(thousandths as u64)) } else { Err(format!("{seconds} is not a number of seconds")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_read_as_they_were_written() {
        for thousandths in [0, 1, 500, 1500, 442_000, 86_399_999, 359_999_999_999, Seconds::MOST] {
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
