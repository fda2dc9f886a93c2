//! What lies in a folder of tables, or at an address.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest, Sha256};

use yomikiri_table::format::MAGIC;
use yomikiri_table::manifest::{Listed, ListedPiece, hash_text};
use yomikiri_table::pieces;
use yomikiri_table::source::open_file;
use yomikiri_table::{
    Location, Manifest, Progress, Replace, Result, Silent, Table, TableError, check_work, checked, first_bytes,
    is_part, name, version1,
};

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
    // A table in pieces goes by its own name.
    let tables = paths.iter().filter_map(|path| pieces::whole_of_first(path)).collect::<Vec<_>>();
    paths.extend(tables);
    paths.sort();
    paths.dedup();
    Ok(paths.iter().filter_map(|path| item(path)).collect())
}

/// All files of the program at a location, by name: those of a folder, or those that the list at an address tells of.
pub fn items_at(location: &Location) -> Result<Vec<Item>> {
    let Some(manifest) = location.manifest() else { return items(location.path()) };
    let mut items: Vec<Item> = manifest.files.iter().map(|file| listed_item(location, file)).collect();
    items.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(items)
}

/// The files of a location that questions are answered from, tables and certificates, by name. Recorded certificates
/// are among them, as [`name::all_proofs`] finds them.
pub fn usable(location: &Location) -> Result<Vec<Item>> {
    let mut items = match location.manifest() {
        Some(_) => items_at(location)?,
        None if location.path().is_dir() => with_recorded(location.path())?,
        None => Vec::new(),
    };
    items.retain(|item| {
        matches!(item.kind, Kind::Table | Kind::Certificate) && matches!(item.state, State::Whole | State::Unchecked)
    });
    Ok(items)
}

/// All files of the program in a folder, and the certificates in its folder `proofs`.
fn with_recorded(folder: &Path) -> Result<Vec<Item>> {
    let mut items = items(folder)?;
    let recorded = folder.join(name::RECORDED);
    if recorded.is_dir() {
        let below = self::items(&recorded)?;
        items.extend(below.into_iter().map(|item| Item { file: format!("{}/{}", name::RECORDED, item.file), ..item }));
    }
    Ok(items)
}

/// What the list at an address says of a file.
fn listed_item(location: &Location, file: &Listed) -> Item {
    Item {
        file: file.file.clone(),
        kind: if is_certificate(&file.file) { Kind::Certificate } else { Kind::Table },
        rules: file.rules.clone(),
        bytes: file.bytes,
        state: if file.checked { State::Whole } else { State::Unchecked },
        format: Some(file.format),
        positions: Some(file.positions),
        header_hash: Some(file.header_hash.clone()),
        path: location.path().join(&file.file),
    }
}

fn is_certificate(name: &str) -> bool {
    name.ends_with(".proof") || name.ends_with(".proof.gz")
}

/// The list of what a folder has to publish: finished tables, certificates, and recorded certificates in its folder
/// `proofs`. Each is read once as a whole. A file that is damaged or of an older format is an error.
pub fn manifest(folder: &Path, progress: &dyn Progress) -> Result<Manifest> {
    let mut files = Vec::new();
    let mut items = with_recorded(folder)?;
    items.retain(|item| match item.kind {
        Kind::Table => item.file.ends_with(".tbl"),
        Kind::Certificate => true,
        Kind::Work | Kind::Part => false,
    });
    progress.begin("hashes", items.iter().map(|item| item.bytes).sum());
    for item in items {
        let (Some(format), Some(positions), Some(header_hash)) = (item.format, item.positions, &item.header_hash)
        else {
            return Err(match item.state {
                State::Old => TableError::foreign(&item.path, "is of an older format; see yomikiri tables upgrade"),
                _ => open(&item.path).err().unwrap_or_else(|| TableError::damaged(&item.path, "has changed meanwhile")),
            });
        };
        let sums = sums(&item, progress)?;
        files.push(Listed {
            rules: item.rules,
            bytes: item.bytes,
            format,
            positions,
            header_hash: header_hash.clone(),
            checked: item.state == State::Whole,
            sha256: sums.whole,
            pieces: sums.pieces,
            file: item.file,
        });
    }
    progress.end(&format!("{} files", files.len()));
    Ok(Manifest::new(files))
}

/// SHA-256 as 64 hexadecimal digits: of all bytes of a table or a certificate, and of each piece of a table in pieces.
struct Sums {
    whole: String,
    pieces: Vec<ListedPiece>,
}

fn sums(item: &Item, progress: &dyn Progress) -> Result<Sums> {
    let (mut whole, mut pieces, mut buffer) = (Sha256::new(), Vec::new(), vec![0; 1 << 20]);
    for path in files_of(&item.path) {
        let number = path.extension().filter(|_| path != item.path);
        let (mut file, mut hash, mut bytes) = (open_file(&path)?, number.map(|_| Sha256::new()), 0);
        loop {
            match file.read(&mut buffer).map_err(TableError::io(&path))? {
                0 => break,
                count => {
                    whole.update(&buffer[..count]);
                    hash.iter_mut().for_each(|hash| hash.update(&buffer[..count]));
                    bytes += count as u64;
                    progress.advance(count as u64);
                }
            }
        }
        if let (Some(number), Some(hash)) = (number, hash) {
            let file = format!("{}.{}", item.file, number.display());
            pieces.push(ListedPiece { file, bytes, sha256: digits(hash) });
        }
    }
    Ok(Sums { whole: digits(whole), pieces })
}

fn digits(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The files in which a table or another file lies.
fn files_of(path: &Path) -> Vec<PathBuf> {
    let pieces = if path.exists() { Vec::new() } else { pieces::of_folder(path) };
    if pieces.is_empty() { vec![path.into()] } else { pieces }
}

/// What a file, or a table in pieces, is; `None` if it is none of the program's.
pub fn item(path: &Path) -> Option<Item> {
    let name = path.file_name()?.to_str()?;
    let extension = path.extension()?.to_str()?;
    let kind = match extension {
        "tbl" | "unaudited" => Kind::Table,
        "work" | "journal" => Kind::Work,
        "part" => Kind::Part,
        _ if is_certificate(name) => Kind::Certificate,
        _ => return None,
    };
    let rules = name.split(['.', '@']).next().unwrap_or_default().to_string();
    let bytes = files_of(path).iter().filter_map(|path| path.metadata().ok()).map(|meta| meta.len()).sum();
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
    /// The files in which it lies: one, but of a table in pieces.
    pub fn files(&self) -> Vec<PathBuf> {
        files_of(&self.path)
    }

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
        self.header_hash = Some(hash_text(hash));
    }

    /// Returns an error if a file of this name is none of the program's, so that it must not be deleted. Damage to the
    /// first bytes of a table is no reason.
    pub fn check_own(&self) -> Result<()> {
        let [first, last] = [self.path.with_extension(""), PathBuf::from(&self.file)];
        match (self.kind, last.extension().and_then(|extension| extension.to_str())) {
            (Kind::Work, _) => check_work(&first),
            (_, ending) => self.files().iter().take(1).try_for_each(|path| own_file(self.kind, ending).check(path)),
        }
    }

    /// Checks every checksum of a table or a certificate.
    pub fn check(&self, location: &Location) -> Result<()> {
        let table = Table::of_any_game(location.open(&self.path)?, &self.path)?;
        table.check(&Silent)
    }
}

/// The files that may be deleted as a table, a certificate or a file on its way.
fn own_file(kind: Kind, ending: Option<&str>) -> Replace {
    match (kind, ending) {
        (Kind::Part, _) => Replace::own("a file on its way", is_part),
        (_, Some("gz")) => Replace::beginning_with("a certificate of this program", &[0x1f, 0x8b]),
        _ => Replace::own("a file of this program", is_own_table),
    }
}

/// The first bytes of a table, of which one may be damaged, or all may be lost.
fn is_own_table(path: &Path) -> bool {
    let Some(first) = first_bytes(path, MAGIC.len()) else { return false };
    let wrong = MAGIC.iter().zip(&first).filter(|(own, byte)| own != byte).count();
    first.iter().all(|&byte| byte == 0) || wrong <= usize::from(first.len() == MAGIC.len())
}

fn open(path: &Path) -> Result<Table> {
    Table::of_any_game(Location::from(Path::new("")).open(path)?, path)
}
