//! The command's JSON output, as types. Field names and their order are stable; other programs may rely on them.
//!
//! Positions and moves are in the game's notation, rule codes in their shortest form. Values are seen by the side to
//! move. The types of `stats`, `puzzle` and `compare` are in their own modules.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::key_text::KeyText;
use super::oracle::{Source, Trust};
use super::points::Points;
use yomikiri_rules::{Measure, Outcome, Side};

/// A position, its value and its moves: the JSON of `query`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct QueryReport {
    /// The rule code, in its shortest form.
    pub rules: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The side to move.
    pub to_move: Side,
    /// The outcome for the side to move; `null` if a proof ran out of time.
    pub outcome: Option<Outcome>,
    /// The plies to the end, or the score for the side to move.
    #[serde(flatten)]
    pub measure: Measure,
    /// The side that wins; `null` in a draw, or if the winner is not known.
    pub winner: Option<Side>,
    /// The source of the values; absent if the game is over, because the rules give the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub source: Option<Source>,
    /// The value in points; absent if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub points: Option<Points>,
    /// The state of the certificate or opening that names the winner; absent for other sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub certificate: Option<Trust>,
    /// The lower bound of the value, inclusive, if a search has found one but not the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub at_least: Option<ValueBound>,
    /// The upper bound of the value, inclusive, if a search has found one but not the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub at_most: Option<ValueBound>,
    /// All legal moves, the best first. Moves of equal value are in the order of the notation.
    pub moves: Vec<MoveReport>,
}

/// A bound of a value, for the side to move.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ValueBound {
    /// The outcome of the bound.
    pub outcome: Outcome,
    /// The plies to the end, or the score.
    #[serde(flatten)]
    pub measure: Measure,
}

/// The value of a position, without its moves: the JSON of `query CODE - --brief`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ValueReport {
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The outcome for the side to move; `null` if a proof ran out of time.
    pub outcome: Option<Outcome>,
    /// The plies to the end, or the score for the side to move.
    #[serde(flatten)]
    pub measure: Measure,
    /// The state of the certificate or opening that names the winner; absent for other sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub certificate: Option<Trust>,
}

/// A legal move, its value and the position after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MoveReport {
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The outcome for the side that moves; `null` if it is not known.
    pub outcome: Option<Outcome>,
    /// The plies to the end, counted from before the move, or the score for the side that moves.
    #[serde(flatten)]
    pub measure: Measure,
    /// The position after the move.
    pub position: String,
    /// The key of the position after the move; `null` on boards without keys.
    pub key: Option<KeyText>,
}

/// The legal moves of a position: the JSON of `moves`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegalMoves {
    /// The moves, in the order of the notation; empty if the game is over.
    pub moves: Vec<LegalMove>,
}

/// A legal move and the position after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegalMove {
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after the move.
    pub position: String,
    /// The key of the position after the move; `null` on boards without keys.
    pub key: Option<KeyText>,
}

/// All games: the JSON of `rules`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameList {
    /// The games, one for each family.
    pub games: Vec<GameReport>,
}

/// A game, as shown to people who have not chosen a game yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameReport {
    /// The form of the game's rule codes.
    pub codes: Cow<'static, str>,
    /// An example of a rule code.
    pub example: Cow<'static, str>,
    /// The name of the game.
    pub game: Cow<'static, str>,
}

/// The meaning of a rule code: the JSON of `rules CODE`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RulesReport {
    /// The rule code, in its shortest form.
    pub rules: String,
    /// The rule code that represents all codes of the same game, such as codes with mirrored starts or transposed
    /// boards.
    pub same_game: String,
    /// All settings of the variant by name.
    pub settings: BTreeMap<Cow<'static, str>, String>,
    /// The accepted formats, in words, of three kinds of text: `positions`, `games` and `suites`.
    pub formats: BTreeMap<Cow<'static, str>, Cow<'static, str>>,
}

/// The estimated cost of solving a whole game: the JSON of `estimate`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CostReport {
    /// The rule code.
    pub rules: String,
    /// The number of positions in which the game goes on.
    pub positions: f64,
    /// The number of positions of each ply; empty in games with repetition.
    pub by_ply: Vec<f64>,
    /// The number of plies, from the start, whose positions are counted instead of estimated. In games with
    /// repetition, this is 1 if `positions` is counted, and 0 if it is an upper bound.
    pub exact_plies: usize,
    /// The least memory in bytes that the run needs; `null` if no amount is enough.
    pub memory: Option<u64>,
    /// The disk space in bytes that the run needs.
    pub disk: f64,
    /// The length of the finished table in bytes.
    pub table: f64,
    /// The time of the run on two cores in seconds, including the audit.
    pub seconds: f64,
}

/// The result of a search of a position: the JSON of `solve`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchReport {
    /// The rule code.
    pub rules: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The side to move.
    pub to_move: Side,
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The plies to the end, or the score for the side to move.
    #[serde(flatten)]
    pub measure: Measure,
    /// The score in the convention of the game's test suites, if it differs from the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub suite_score: Option<i32>,
    /// The side that wins; `null` in a draw.
    pub winner: Option<Side>,
    /// A best move; `null` if the game is over.
    pub best: Option<String>,
    /// Best play to the end, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<String>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The time of the search in seconds.
    pub seconds: f64,
}

/// The result of searching one position of a file, whose line may state the expected value: the JSON of `solve --file`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CheckedSearchReport {
    /// The result of the search.
    #[serde(flatten)]
    pub found: SearchReport,
    /// The expected value, if the line states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub expected: Option<Measure>,
    /// True if the search found the expected value; absent if the line states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub agrees: Option<bool>,
}

/// The kind of a file that `check` checks. It tells the two reports of `check` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum CheckedFileKind {
    /// A certificate. Its report is a [`CertificateReport`].
    Certificate,
    /// An opening.
    Opening,
}

/// A certificate that passed the check: the JSON of `check`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CertificateReport {
    /// The file.
    pub file: String,
    /// Always [`CheckedFileKind::Certificate`]. The report of an opening has other fields.
    pub kind: CheckedFileKind,
    /// The rule code.
    pub rules: String,
    /// The first position, in the game's notation.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The side that wins.
    pub winner: Side,
    /// The side for which draws count as wins, if the game has draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub draws: Option<Side>,
    /// Always true: a certificate that does not hold is an error.
    pub proved: bool,
    /// The horizon: positions with at most this number of plies left have no listed move.
    pub horizon: u32,
    /// The number of listed positions.
    pub entries: usize,
    /// The number of positions with the winner to move, in which the listed move was played.
    pub winner_to_move: u64,
    /// The number of positions with the loser to move, in which all moves were played.
    pub loser_to_move: u64,
    /// The number of positions beyond the horizon, which were solved without a listed move.
    pub read_out: u64,
    /// The time of the check in seconds.
    pub seconds: f64,
}
