//! The list of files beside published tables: whoever reads them from afar learns here what there is, and what each
//! has to be.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::format::Header;
use crate::text_file;

/// Its name in the folder.
pub const NAME: &str = "manifest.json";

/// Longest list that is read of a folder in bytes.
const LONGEST: u64 = 1 << 26;

/// The version of the form below.
const VERSION: u16 = 1;

/// The tables and certificates of a folder. docs/format.md shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this form.
    pub manifest: u16,
    /// By name.
    pub files: Vec<Listed>,
}

/// A finished table, or a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Name in the folder, with `/` between folders.
    pub file: String,
    /// The rule code.
    pub rules: String,
    /// Length of the file.
    pub bytes: u64,
    /// Version of the file's format.
    pub format: u16,
    pub positions: u64,
    /// 16 hexadecimal digits: the hash in the header, which stands for everything in the file.
    pub header_hash: String,
    /// Whether `analyze` has audited a table, or a certificate has passed `check`, where the list was made.
    pub checked: bool,
    /// SHA-256 of the whole file, for those who copy it: 64 hexadecimal digits.
    pub sha256: String,
    /// The files that a table lies in, one after the other, if it is in more than one; `file` is not there then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<ListedPiece>,
}

/// A file that a table lies in with others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPiece {
    pub file: String,
    pub bytes: u64,
    /// SHA-256 of this file.
    pub sha256: String,
}

impl Manifest {
    pub fn new(files: Vec<Listed>) -> Manifest {
        Manifest { manifest: VERSION, files }
    }

    /// Returns true if a file is such a list, of any version.
    pub fn is_at(path: &Path) -> bool {
        let text = text_file::read(path, LONGEST).ok();
        let value: Option<serde_json::Value> = text.and_then(|text| serde_json::from_str(&text).ok());
        value.is_some_and(|value| value["manifest"].is_u64() && value["files"].is_array())
    }

    /// Reads the JSON; the error says what is wrong with it.
    pub fn from_json(bytes: &[u8]) -> Result<Manifest, String> {
        let manifest: Manifest =
            serde_json::from_slice(bytes).map_err(|error| format!("is no list of tables: {error}"))?;
        if manifest.manifest != VERSION {
            return Err(format!("is of version {}, this program reads version {VERSION}", manifest.manifest));
        }
        match manifest.files.iter().find(|file| !file.is_all_of_its_pieces()) {
            Some(file) => Err(format!("has pieces of {:?} that are not as long as it together", file.file)),
            None => Ok(manifest),
        }
    }
}

impl Listed {
    /// Whether the pieces, if there are any, are together as long as the table.
    fn is_all_of_its_pieces(&self) -> bool {
        let sum = self.pieces.iter().try_fold(0u64, |sum, piece| sum.checked_add(piece.bytes));
        self.pieces.is_empty() || sum == Some(self.bytes)
    }

    /// Whether a file that begins with this header is the one in the list.
    pub fn is_of(&self, header: &Header) -> bool {
        self.header_hash == hash_text(header.header_hash.get())
    }
}

/// A hash as 16 hexadecimal digits.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}
