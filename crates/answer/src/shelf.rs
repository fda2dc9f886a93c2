//! What lies in a folder of tables.

use std::path::{Path, PathBuf};

use serde::Serialize;

use yomikiri_table::source::FileSource;
use yomikiri_table::{Result, Silent, Table, TableError, checked, version1};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Table,
    Certificate,
    /// Work of a run that is not done: `analyze` goes on from it.
    Work,
    /// What a run that was killed has left of a file on its way.
    Part,
}

/// How far a file is to be relied on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A table whose header and directory are in order; a certificate that has passed `check`.
    Whole,
    /// A table before its audit, or a certificate that has not passed `check` here.
    Unchecked,
    Unfinished,
    /// Of an older format.
    Old,
    Damaged(String),
}

/// A file in a folder of tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    pub file: String,
    pub kind: Kind,
    /// The rule code; as the name has it where the file does not tell.
    pub rules: String,
    pub bytes: u64,
    pub state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The header hash, which stands for the whole file, as 16 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_hash: Option<String>,
    #[serde(skip)]
    pub path: PathBuf,
}

/// All files of the program in a folder, by name.
pub fn items(folder: &Path) -> Result<Vec<Item>> {
    let files = folder.read_dir().map_err(TableError::io(folder))?;
    let mut paths: Vec<PathBuf> =
        files.map(|file| Ok(file.map_err(TableError::io(folder))?.path())).collect::<Result<_>>()?;
    paths.sort();
    Ok(paths.iter().filter_map(|path| item(path)).collect())
}

/// What a file is; `None` if it is none of the program's.
pub fn item(path: &Path) -> Option<Item> {
    let name = path.file_name()?.to_str()?;
    let extension = path.extension()?.to_str()?;
    let is_certificate = extension == "proof" || name.ends_with(".proof.gz");
    let kind = match extension {
        "tbl" | "unaudited" => Kind::Table,
        "work" | "journal" => Kind::Work,
        "part" => Kind::Part,
        _ if is_certificate => Kind::Certificate,
        _ => return None,
    };
    let rules = name.split(['.', '@']).next().unwrap_or_default().to_string();
    let bytes = path.metadata().map_or(0, |meta| meta.len());
    let mut item = Item {
        file: name.into(),
        kind,
        rules,
        bytes,
        state: State::Unfinished,
        format: None,
        positions: None,
        header_hash: None,
        path: path.into(),
    };
    if matches!(kind, Kind::Table | Kind::Certificate) {
        item.look_inside(extension);
    }
    Some(item)
}

impl Item {
    /// Reads header and directory of a table or a certificate.
    fn look_inside(&mut self, extension: &str) {
        let is_old = extension == "gz" || version1::is_version1(&self.path).is_ok_and(|is_old| is_old);
        if is_old {
            (self.state, self.format) = (State::Old, Some(1));
            return;
        }
        let table = match open(&self.path) {
            Ok(table) => table,
            Err(error) => return self.state = State::Damaged(error.to_string()),
        };
        let (header, hash) = (&table.header, table.header.header_hash.get());
        let is_relied_on = match self.kind {
            Kind::Certificate => checked::is_checked(&self.path, hash),
            _ => extension == "tbl",
        };
        self.state = if is_relied_on { State::Whole } else { State::Unchecked };
        self.rules = header.rule_code();
        self.format = Some(header.format_version.get());
        self.positions = Some(header.positions.get());
        self.header_hash = Some(format!("{hash:016x}"));
    }

    /// Checks every checksum of a table or a certificate.
    pub fn check(&self) -> Result<()> {
        let table = open(&self.path)?;
        table.sections()?;
        table.check_blocks(&Silent)?;
        table.check_meta()
    }
}

fn open(path: &Path) -> Result<Table> {
    Table::of_any_game(Box::new(FileSource::open(path)?), path)
}
