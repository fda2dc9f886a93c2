//! The questions.

use serde::Deserialize;
use yomikiri_answer::Arrangement;

/// A question: an object with one field, whose name is the kind of question.
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

/// A question about the meaning of a rule code.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfRules {
    pub rules: String,
}

/// A position: the text of a position, and the moves to make from it.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Place {
    pub rules: String,
    /// The position; the start by default.
    pub position: Option<String>,
    /// The moves from the position on.
    pub moves: Option<Vec<String>>,
}

/// A position whose stones are laid out by hand.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Arrange {
    pub rules: String,
    pub arrangement: Arrangement,
}

/// A question for the position of a key, such as `@41600`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decode {
    pub rules: String,
    pub key: String,
}

/// The files that a question may use, by number: a table, a certificate, an opening and an excerpt. All of them must be
/// for the rule code of the question.
#[cfg(feature = "values")]
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Named {
    pub table: Option<u32>,
    pub certificate: Option<u32>,
    pub opening: Option<u32>,
    pub excerpt: Option<u32>,
}

/// A question about the value of a position and of its moves.
#[cfg(feature = "values")]
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Query {
    pub rules: String,
    pub position: String,
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub files: Named,
    /// The memory in bytes for solving positions that no table has; 64 MiB by default.
    pub memory: Option<u32>,
    /// The maximum number of slices of work, of some hundredths of a second each, for a proof of the winner. Without
    /// this field, nothing is proved. If the winner is still open after this work, there is no outcome; ask again to
    /// continue the proof.
    pub slices: Option<u32>,
}

/// A question for a line of moves from a position.
#[cfg(feature = "values")]
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct BestLine {
    pub rules: String,
    pub position: String,
    /// The maximum number of plies of the line.
    pub plies: u32,
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub files: Named,
    pub memory: Option<u32>,
}

/// A question for a move of the side to move. The move comes from a table or a certificate if one has the position,
/// else from a search.
#[cfg(feature = "values")]
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Choose {
    pub rules: String,
    pub position: String,
    /// The moves from the position on. They matter because a repetition may be a draw.
    pub moves: Option<Vec<String>>,
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub files: Named,
    /// The maximum number of positions that are searched. `nodes`, `depth` or both are required.
    pub nodes: Option<u64>,
    /// The maximum depth of the search in plies.
    pub depth: Option<u32>,
    /// The strength, from 0 (a random move) to 100 (the best move found); 100 by default.
    pub strength: Option<u8>,
    /// The seed of the random choices below strength 100: the same seed gives the same moves in the same game; 0 by
    /// default.
    pub seed: Option<u32>,
}
