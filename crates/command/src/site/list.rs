//! `site.json`: the description of a copy of the explorer. The page of the copy reads it, and `front` makes the list of
//! all copies from it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use yomikiri_table::{own_folder, text_file};

/// The name of the file that describes a copy of the explorer.
pub const NAME: &str = "site.json";

/// The longest file that is read, in bytes.
pub const LONGEST: u64 = 1 << 24;

/// Returns true if `folder` is a copy of the explorer that `yomikiri site` has written for `code`.
pub fn is_copy(folder: &Path, code: &str) -> bool {
    let text = text_file::read(&folder.join(NAME), LONGEST).ok();
    let site: Option<HostedSite> = text.and_then(|text| serde_json::from_str(&text).ok());
    own_folder::is_folder(folder) && site.is_some_and(|site| site.opens == code)
}

/// The description of a copy of the explorer, the contents of `site.json`.
#[derive(Serialize, Deserialize)]
pub struct HostedSite {
    /// The kind of source that the web page reads values from, always `files`.
    pub values: String,
    /// The rule code that the web page opens with.
    pub opens: String,
    /// The files about the game. The first one has the values that the web page shows.
    pub files: Vec<HostedFile>,
    /// The paths of the files with counts of tables, by rule code and then by dimensions, such as `ply,winner`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, BTreeMap<String, String>>,
    /// The hashes of the parts of `files` and of the files with counts, by path. They have the form of HTML's attribute
    /// `integrity`. The web page has the hash of `site.json` itself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub integrity: BTreeMap<String, String>,
}

/// A table, a certificate, an opening or an excerpt, split into parts.
#[derive(Serialize, Deserialize)]
pub struct HostedFile {
    pub rules: String,
    pub kind: HostedKind,
    pub bytes: u64,
    pub positions: u64,
    /// The hash in the file's header, as 16 hexadecimal digits, or `None` for an excerpt. The web page compares the
    /// hash with the header that it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_hash: Option<String>,
    pub parts: Vec<HostedPart>,
    /// The side whose best moves an excerpt has, or `None` if the file is not an excerpt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostedKind {
    Table,
    Certificate,
    /// The winners of the positions of the first plies. A copy of the explorer has an opening only beside a
    /// certificate.
    Opening,
    Excerpt,
}

/// A part of a [`HostedFile`], itself a file.
#[derive(Serialize, Deserialize)]
pub struct HostedPart {
    pub path: String,
    pub bytes: u64,
}
