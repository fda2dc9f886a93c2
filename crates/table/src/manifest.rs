//! The list of published files in a folder. It tells remote readers which files there are and what they must contain.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::format::Header;
use crate::text_file;

/// Name of the manifest's file.
pub const NAME: &str = "manifest.json";

/// Maximum length in bytes of a manifest in a folder.
const LONGEST: u64 = 1 << 26;

/// The version of the manifest format.
const VERSION: u16 = 1;

/// The tables, certificates and openings of a folder. docs/format.md shows the JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the manifest format.
    pub manifest: u16,
    /// The files, sorted by name.
    pub files: Vec<ListedFile>,
}

/// A finished table, a certificate or an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFile {
    /// Name relative to the folder, with `/` as separator.
    pub file: String,
    /// The rule code.
    pub rules: String,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Version of the file's format.
    pub format: u16,
    /// Number of positions, as in the header of the file.
    pub positions: u64,
    /// The hash in the header as 16 hexadecimal digits. It identifies the contents of the whole file.
    pub header_hash: String,
    /// True if the file was verified in the folder where the manifest was written: a table by the audit of `analyze`, a
    /// certificate or an opening by `check`.
    pub checked: bool,
    /// SHA-256 of the whole file as 64 hexadecimal digits, for checking copies of it.
    pub sha256: String,
    /// The pieces of the table, in order, if it is in several files. In that case, no file has the name `file`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<ListedPiece>,
}

/// A piece of a table that is in several files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPiece {
    /// Name of the piece, relative to the folder, with `/` as separator.
    pub file: String,
    /// Length of the piece in bytes.
    pub bytes: u64,
    /// SHA-256 of the piece as 64 hexadecimal digits.
    pub sha256: String,
}

impl Manifest {
    /// Creates a manifest of the current version. `files` must be sorted by name.
    pub fn new(files: Vec<ListedFile>) -> Manifest {
        Manifest { manifest: VERSION, files }
    }

    /// Returns true if the file is a manifest of any version.
    pub fn is_at(path: &Path) -> bool {
        let text = text_file::read(path, LONGEST).ok();
        let value: Option<serde_json::Value> = text.and_then(|text| serde_json::from_str(&text).ok());
        value.is_some_and(|value| value["manifest"].is_u64() && value["files"].is_array())
    }

    /// Reads a manifest. The error says what is wrong with it.
    pub fn from_json(bytes: &[u8]) -> Result<Manifest, String> {
        let manifest: Manifest =
            serde_json::from_slice(bytes).map_err(|error| format!("is not a valid manifest: {error}"))?;
        if manifest.manifest != VERSION {
            return Err(format!("has version {}, but this program reads version {VERSION}", manifest.manifest));
        }
        match manifest.files.iter().find(|file| !file.is_all_of_its_pieces()) {
            Some(file) => {
                Err(format!("lists pieces of {:?} whose lengths do not add up to that of the table", file.file))
            }
            None => Ok(manifest),
        }
    }
}

impl ListedFile {
    /// Returns true if the table has no pieces, or if the lengths of its pieces add up to its length.
    fn is_all_of_its_pieces(&self) -> bool {
        let sum = self.pieces.iter().try_fold(0u64, |sum, piece| sum.checked_add(piece.bytes));
        self.pieces.is_empty() || sum == Some(self.bytes)
    }

    /// Returns true if a file with this header is the listed one: hash, number of positions and format version match.
    pub fn is_of(&self, header: &Header) -> bool {
        self.header_hash == hash_text(header.header_hash.get())
            && self.positions == header.positions.get()
            && self.format == header.format_version.get()
    }
}

/// Formats a hash as 16 hexadecimal digits.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}
