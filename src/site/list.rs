//! What is in a copy, as its page and the front page read it: `site.json`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use yomikiri_table::{own_folder, text_file};

/// The name of the file.
pub const NAME: &str = "site.json";

/// Longest such file that is read in bytes.
pub const LONGEST: u64 = 1 << 24;

/// Returns true if `folder` is a copy of a code that `site` has written.
pub fn is_copy(folder: &Path, code: &str) -> bool {
    let text = text_file::read(&folder.join(NAME), LONGEST).ok();
    let site: Option<Site> = text.and_then(|text| serde_json::from_str(&text).ok());
    own_folder::is_folder(folder) && site.is_some_and(|site| site.opens == code)
}

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
    /// Hashes of the parts and of the counts by their paths, in the form of HTML's attribute `integrity`. The page has
    /// that of this file.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub integrity: BTreeMap<String, String>,
}

/// A file of values, in parts.
#[derive(Serialize, Deserialize)]
pub struct Held {
    pub rules: String,
    pub kind: Kind,
    pub bytes: u64,
    pub positions: u64,
    /// Of a table or a certificate: the hash in its header, as 16 hexadecimal digits, to which ranges are held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_hash: Option<String>,
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
