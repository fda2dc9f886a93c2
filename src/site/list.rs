//! What is in a copy, as its page and the front page read it: `site.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The name of the file.
pub const NAME: &str = "site.json";

/// What is in a copy.
#[derive(Serialize, Deserialize)]
pub struct Site {
    /// Who tells values: `files`.
    pub values: String,
    /// The rule code that it opens with.
    pub opens: String,
    pub files: Vec<Held>,
    /// Files with counts of tables, by rule code and by what they count by, as `ply,winner`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, BTreeMap<String, String>>,
}

/// A file of values, in parts.
#[derive(Serialize, Deserialize)]
pub struct Held {
    pub rules: String,
    pub kind: Kind,
    pub bytes: u64,
    pub positions: u64,
    pub parts: Vec<Part>,
    /// Of an excerpt: the side that plays best by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Table,
    Certificate,
    Excerpt,
}

/// A part of a file, from `site.json`.
#[derive(Serialize, Deserialize)]
pub struct Part {
    pub path: String,
    pub bytes: u64,
}
