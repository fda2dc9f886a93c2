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
    Query(Query),
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

/// The value of a position and of its moves.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Query {
    pub rules: String,
    pub position: String,
    /// Numbers of files with a table and with a certificate of these rules.
    pub table: Option<u32>,
    pub certificate: Option<u32>,
    /// Bytes of memory for what no table reaches, 64 MiB if nothing is said.
    pub memory: Option<u32>,
}

/// A move for the side to move, found by looking ahead, without files.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Choose {
    pub rules: String,
    pub position: String,
    /// Positions to look at and plies to look ahead, at most; at least one of them.
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
}
