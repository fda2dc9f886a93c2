//! What can be asked.

use serde::Deserialize;
use yomikiri_answer::Arrangement;

/// A question: an object with one field, its name.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Question {
    Games(Nothing),
    Rules(OfRules),
    View(Place),
    Arrange(Arrange),
    Encode(Place),
    Decode(Decode),
    #[cfg(feature = "values")]
    Query(Query),
    #[cfg(feature = "values")]
    Line(BestLine),
    #[cfg(feature = "values")]
    Choose(Choose),
}

/// An empty object.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Nothing {}

/// What a rule code means.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfRules {
    pub rules: String,
}

/// A position: anything that the game reads, with moves behind it if there are any, and further moves.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Place {
    pub rules: String,
    /// The start if nothing is said.
    pub position: Option<String>,
    pub moves: Option<Vec<String>>,
}

/// A position of stones laid out by hand.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Arrange {
    pub rules: String,
    pub arrangement: Arrangement,
}

/// The position of a key, as `@41600`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decode {
    pub rules: String,
    pub key: String,
}

/// Numbers of files with a table, a certificate and an excerpt of a table of the question's rules.
#[cfg(feature = "values")]
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Named {
    pub table: Option<u32>,
    pub certificate: Option<u32>,
    pub excerpt: Option<u32>,
}

/// The value of a position and of its moves.
#[cfg(feature = "values")]
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Query {
    pub rules: String,
    pub position: String,
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub files: Named,
    /// Bytes of memory for what no table reaches, 64 MiB if nothing is said.
    pub memory: Option<u32>,
}

/// How a position goes on.
#[cfg(feature = "values")]
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct BestLine {
    pub rules: String,
    pub position: String,
    /// At most so many plies.
    pub plies: u32,
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub files: Named,
    pub memory: Option<u32>,
}

/// A move for the side to move: by a table or a certificate where one knows, else by looking ahead.
#[cfg(feature = "values")]
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Choose {
    pub rules: String,
    pub position: String,
    /// The moves from there on: positions that come again may draw.
    pub moves: Option<Vec<String>>,
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub files: Named,
    /// Positions to look at and plies to look ahead, at most; at least one of them.
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// From 0, any move, to 100, as good a move as can be found, which is what is made if nothing is said.
    pub strength: Option<u8>,
    /// Below 100 the same seed gives the same moves in the same game; 0 if nothing is said.
    pub seed: Option<u32>,
}
