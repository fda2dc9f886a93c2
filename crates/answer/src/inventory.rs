//! The files in a folder of tables or at an address.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::shell;
use yomikiri_rules::{AnyGame, Presentation};
use yomikiri_table::format::MAGIC;
use yomikiri_table::manifest::{ListedFile, ListedPiece, hash_text};
use yomikiri_table::pieces;
use yomikiri_table::source::open_file;
use yomikiri_table::{
    Location, Manifest, Progress, Replaceable, Result, Table, TableError, check_work, checked, first_bytes, is_part,
    name, version1,
};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredFileKind {
    /// A table, before or after the audit that checks it.
    Table,
    /// A certificate, compressed or not.
    Certificate,
    /// An opening: the winners of all positions of the first plies.
    Opening,
    /// A file of an unfinished run, which `yomikiri analyze` resumes.
    Work,
    /// A partly written file that a killed run has left behind.
    Part,
}

impl StoredFileKind {
    /// Returns the kind of a file by its name; `None` if it is not a file of this program.
    fn of_name(name: &str) -> Option<StoredFileKind> {
        Some(match Path::new(name).extension()?.to_str()? {
            "tbl" | "unaudited" => StoredFileKind::Table,
            "proof" => StoredFileKind::Certificate,
            "gz" if name.ends_with(".proof.gz") => StoredFileKind::Certificate,
            "opening" => StoredFileKind::Opening,
            "work" | "journal" => StoredFileKind::Work,
            "part" => StoredFileKind::Part,
            _ => return None,
        })
    }

    /// Returns true for tables, certificates and openings, which have a header and checksums.
    pub fn has_checksums(self) -> bool {
        matches!(self, StoredFileKind::Table | StoredFileKind::Certificate | StoredFileKind::Opening)
    }
}

/// The state of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredFileState {
    /// A table that has passed its audit, or a certificate or opening that has passed `yomikiri check`. The header is
    /// sound; the blocks may still be damaged.
    Whole,
    /// A table before the audit that checks it, or a certificate or opening that has not passed `yomikiri check` at
    /// this location.
    Unchecked,
    /// A file of an unfinished or killed run.
    Unfinished,
    /// A file of an older format.
    Old,
    /// A file that cannot be read, with the error message.
    Damaged(String),
}

/// A file in a folder of tables or at an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The file name. If the file is in a subfolder, its name follows the name of the subfolder and a slash, as in
    /// `openings/bin4x4.opening`.
    pub file: String,
    /// The kind of the file.
    pub kind: StoredFileKind,
    /// The rule code, from the header if it can be read, else from the name.
    pub rules: String,
    /// The length in bytes. For a table that is split into several files (pieces), the sum of their lengths.
    pub bytes: u64,
    /// The state of the file.
    pub state: StoredFileState,
    /// The version of the file format, or `None` if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<u16>,
    /// The number of positions in the file, or `None` if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The header hash, which covers the whole file, as 16 hexadecimal digits. `None` if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_hash: Option<String>,
    /// The path of the file; not part of the JSON.
    #[serde(skip)]
    pub path: PathBuf,
}

/// Returns all files of this program in a folder, sorted by name.
fn items(folder: &Path) -> Result<Vec<Item>> {
    let files = folder.read_dir().map_err(TableError::io(folder))?;
    let mut paths: Vec<PathBuf> =
        files.map(|file| Ok(file.map_err(TableError::io(folder))?.path())).collect::<Result<_>>()?;
    // A table that is split into pieces is listed once, under the name of the whole table.
    let tables = paths.iter().filter_map(|path| pieces::whole_of_first(path)).collect::<Vec<_>>();
    paths.extend(tables);
    paths.sort();
    paths.dedup();
    Ok(paths.iter().filter_map(|path| item(path)).collect())
}

/// Returns all files of this program in the folders and at the addresses of a location, in search order. The files of
/// each folder or address are sorted by name. The files of a folder include the openings in its subfolder `openings`.
/// The files of an address are those in its manifest, a published list of files. Folders that do not exist are skipped,
/// but if none of the folders and addresses exists, the first one is an error.
pub fn items_at(location: &Location) -> Result<Vec<Item>> {
    let has_any = location.places().any(|place| is_there(&place));
    let mut items = Vec::new();
    for place in location.places().filter(|place| !has_any || is_there(place)) {
        items.append(&mut match place.manifest() {
            Some(manifest) => listed_items(&place, manifest),
            None => with_folders(place.path(), &[(name::OPENINGS, StoredFileKind::Opening)])?,
        });
    }
    Ok(items)
}

/// Returns the files at a location that can answer questions: tables, certificates and openings, sorted by name.
/// Includes the certificates in subfolders `proofs`. Also includes the location's knowledge folder ([`knowledge`]), a
/// folder of certificates and openings that is searched last. If several folders or addresses have a file of the same
/// name, only the first one in search order is included.
pub fn usable(location: &Location) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for place in location.places().filter(is_there) {
        items.append(&mut match place.manifest() {
            Some(manifest) => listed_items(&place, manifest),
            None => with_folders(place.path(), &FOLDERS)?,
        });
    }
    items.append(&mut knowledge(location)?);
    items.retain(|item| {
        item.kind.has_checksums() && matches!(item.state, StoredFileState::Whole | StoredFileState::Unchecked)
    });
    items.sort_by(|one, other| one.file.cmp(&other.file));
    items.dedup_by(|later, first| later.file == first.file);
    Ok(items)
}

/// Returns the certificates and openings in the location's knowledge folder ([`Location::knowledge`]), which is
/// searched after all other folders. They are sorted by name. Returns no files if the location has no such folder.
pub fn knowledge(location: &Location) -> Result<Vec<Item>> {
    let mut items = match location.knowledge() {
        Some(folder) => in_subfolders(folder, &FOLDERS)?,
        None => Vec::new(),
    };
    items.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(items)
}

/// Returns true if `place` is an address or an existing folder. If `place` has several folders and addresses, only the
/// first one counts.
pub fn is_there(place: &Location) -> bool {
    place.manifest().is_some() || place.path().is_dir()
}

/// The subfolders of a folder of tables, and the kind of file that each one holds.
const FOLDERS: [(&str, StoredFileKind); 2] =
    [(name::OPENINGS, StoredFileKind::Opening), (name::RECORDED, StoredFileKind::Certificate)];

/// Returns all files of this program in a folder, and certain files of its subfolders, sorted by name. Each element of
/// `within` has the name of a subfolder and the kind of file to take from it.
fn with_folders(folder: &Path, within: &[(&str, StoredFileKind)]) -> Result<Vec<Item>> {
    let mut items = items(folder)?;
    items.append(&mut in_subfolders(folder, within)?);
    items.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(items)
}

/// Returns the files of this program in the subfolders `within` of `folder`. Each element of `within` has the name of a
/// subfolder and the kind of file to take from it.
fn in_subfolders(folder: &Path, within: &[(&str, StoredFileKind)]) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for &(name, kind) in within {
        let inner = folder.join(name);
        if inner.is_dir() {
            let found = self::items(&inner)?.into_iter().filter(|item| item.kind == kind);
            items.extend(found.map(|item| Item { file: format!("{name}/{}", item.file), ..item }));
        }
    }
    Ok(items)
}

/// Returns the items for the files in `manifest`, the list of files at an address, sorted by name.
fn listed_items(location: &Location, manifest: &Manifest) -> Vec<Item> {
    let mut items: Vec<Item> = manifest.files.iter().map(|file| listed_item(location, file)).collect();
    items.sort_by(|one, other| one.file.cmp(&other.file));
    items
}

/// Returns the item for `file`, a file at the address `location`.
fn listed_item(location: &Location, file: &ListedFile) -> Item {
    Item {
        file: file.file.clone(),
        kind: StoredFileKind::of_name(&file.file).unwrap_or(StoredFileKind::Table),
        rules: file.rules.clone(),
        bytes: file.bytes,
        state: if file.checked { StoredFileState::Whole } else { StoredFileState::Unchecked },
        format: Some(file.format),
        positions: Some(file.positions),
        header_hash: Some(file.header_hash.clone()),
        path: location.path().join(&file.file),
    }
}

/// Makes the manifest of a folder, the list of its files that can be published. These are the finished tables, the
/// certificates in the folder and in its subfolder `proofs`, and the openings in its subfolder `openings`. Verifies all
/// checksums of each file. A file that is damaged or of an older format is an error.
pub fn manifest(folder: &Path, progress: &dyn Progress) -> Result<Manifest> {
    let mut files = Vec::new();
    let mut items = with_folders(folder, &FOLDERS)?;
    items.retain(|item| match item.kind {
        StoredFileKind::Table => item.file.ends_with(".tbl"),
        StoredFileKind::Certificate => true,
        // Programs look up openings only in the subfolder `openings`.
        StoredFileKind::Opening => item.file.starts_with(name::OPENINGS),
        StoredFileKind::Work | StoredFileKind::Part => false,
    });
    progress.begin("hashes", items.iter().map(|item| item.bytes).sum());
    for item in items {
        let (Some(format), Some(positions), Some(header_hash)) = (item.format, item.positions, &item.header_hash)
        else {
            return Err(match item.state {
                StoredFileState::Old => {
                    let command = format!("yomikiri tables upgrade {}", shell::path(&item.path));
                    TableError::foreign(&item.path, format!("has an older format; run: {command}"))
                }
                _ => item.fault().unwrap_or_else(|| TableError::damaged(&item.path, "changed meanwhile")),
            });
        };
        item.check(&Location::from(Path::new("")), progress)?;
        let sums = sums(&item, progress)?;
        files.push(ListedFile {
            rules: item.rules,
            bytes: item.bytes,
            format,
            positions,
            header_hash: header_hash.clone(),
            checked: item.state == StoredFileState::Whole,
            sha256: sums.whole,
            pieces: sums.pieces,
            file: item.file,
        });
    }
    progress.end(&format!("{} files", files.len()));
    Ok(Manifest::new(files))
}

/// The SHA-256 sum of a whole file, as 64 hexadecimal digits. If the table is split into several files (pieces), also
/// the name, length and sum of each piece.
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

/// Returns the paths of the pieces if the table at `path` exists only as several files (pieces), else `path` itself.
fn files_of(path: &Path) -> Vec<PathBuf> {
    let pieces = if path.exists() { Vec::new() } else { pieces::of_folder(path) };
    if pieces.is_empty() { vec![path.into()] } else { pieces }
}

/// Describes the file at `path`, or the table of this path that is split into several files (pieces). Returns `None` if
/// the name is not that of a file of this program.
pub fn item(path: &Path) -> Option<Item> {
    let name = path.file_name()?.to_str()?;
    let extension = path.extension()?.to_str()?;
    let kind = StoredFileKind::of_name(name)?;
    let rules = named_rules(name).to_string();
    let bytes = files_of(path).iter().filter_map(|path| path.metadata().ok()).map(|meta| meta.len()).sum();
    let mut item = Item {
        file: name.into(),
        kind,
        rules,
        bytes,
        state: StoredFileState::Unfinished,
        format: None,
        positions: None,
        header_hash: None,
        path: path.into(),
    };
    if kind.has_checksums() {
        item.look_inside(extension);
    }
    Some(item)
}

impl Item {
    /// Returns the paths of the files that hold this item: the whole file, then in order the pieces into which a table
    /// may be split. Both the whole file and the pieces may exist.
    pub fn files(&self) -> Vec<PathBuf> {
        let whole = self.path.exists().then(|| self.path.clone());
        whole.into_iter().chain(pieces::of_folder(&self.path)).collect()
    }

    /// Reads the header of a table, certificate or opening, and sets `state`, `rules`, `format`, `positions` and
    /// `header_hash` from it. `extension` is the extension of the file name.
    fn look_inside(&mut self, extension: &str) {
        let is_old = extension == "gz" || version1::is_version1(&self.path).is_ok_and(|is_old| is_old);
        if is_old {
            (self.state, self.format) = (StoredFileState::Old, Some(1));
            return;
        }
        let table = match open(&self.path) {
            Ok(table) => table,
            Err(error) => return self.state = StoredFileState::Damaged(error.to_string()),
        };
        if let Err(error) = check_name(&self.path, &table) {
            return self.state = StoredFileState::Damaged(error.to_string());
        }
        let (header, hash) = (&table.header, table.header.header_hash.get());
        let is_relied_on = match self.kind {
            StoredFileKind::Certificate | StoredFileKind::Opening => checked::is_checked(&self.path, hash),
            _ => extension == "tbl",
        };
        self.state = if is_relied_on { StoredFileState::Whole } else { StoredFileState::Unchecked };
        self.rules = header.rule_code();
        self.format = Some(header.format_version.get());
        self.positions = Some(header.positions.get());
        self.header_hash = Some(hash_text(hash));
    }

    /// Returns an error if the item has the name of a file of this program but not the contents, and so must not be
    /// deleted. Tolerates damage to the first bytes of a table.
    pub fn check_own(&self) -> Result<()> {
        let [first, last] = [self.path.with_extension(""), PathBuf::from(&self.file)];
        match (self.kind, last.extension().and_then(|extension| extension.to_str())) {
            (StoredFileKind::Work, _) => check_work(&first),
            (_, ending) => {
                // Checks the whole file and the first piece. The other pieces have no header.
                let pieces = pieces::of_folder(&self.path);
                let first = [Some(&self.path).filter(|path| path.exists()), pieces.first()];
                first.into_iter().flatten().try_for_each(|path| own_file(self.kind, ending).check(path))
            }
        }
    }

    /// Opens the file as [`item`] does, and returns the error if its state is [`StoredFileState::Damaged`].
    pub fn fault(&self) -> Option<TableError> {
        match self.state {
            StoredFileState::Damaged(_) => open(&self.path).and_then(|table| check_name(&self.path, &table)).err(),
            _ => None,
        }
    }

    /// Verifies every checksum of the file, which must be of a kind that has checksums
    /// ([`StoredFileKind::has_checksums`]). A file of other rules than its name says is an error too.
    pub fn check(&self, location: &Location, progress: &dyn Progress) -> Result<()> {
        let table = Table::open_any_game(location.open(&self.path)?, &self.path)?;
        check_name(&self.path, &table)?;
        table.check(progress)
    }
}

/// Returns the test that a file of this kind must pass before it may be deleted. `ending` is the extension of its name.
fn own_file(kind: StoredFileKind, ending: Option<&str>) -> Replaceable {
    match (kind, ending) {
        (StoredFileKind::Part, _) => Replaceable::own("an unfinished file of this program", is_part),
        (_, Some("gz")) => Replaceable::beginning_with("a certificate of this program", &[0x1f, 0x8b]),
        _ => Replaceable::own("a file of this program", is_own_table),
    }
}

/// Returns true if the file begins with [`MAGIC`], as every table does. A damaged beginning is accepted too, if only
/// one byte differs or if all bytes are zero.
fn is_own_table(path: &Path) -> bool {
    let Some(first) = first_bytes(path, MAGIC.len()) else { return false };
    let wrong = MAGIC.iter().zip(&first).filter(|(own, byte)| own != byte).count();
    first.iter().all(|&byte| byte == 0) || wrong <= usize::from(first.len() == MAGIC.len())
}

/// Returns the rule code in the name of a file: the part before the first `.`, or before the `@` of a key. The `.5` of
/// a komi belongs to the code.
fn named_rules(name: &str) -> &str {
    let code = name.split('@').next().unwrap_or_default();
    let is_komi = |before: &str| {
        let number = before.rsplit_once("-k").and_then(|(_, komi)| komi.strip_prefix(['b', 'w']));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut ends = code.match_indices('.').map(|(at, _)| at);
    ends.find(|&at| !is_komi(&code[..at])).map_or(code, |end| &code[..end])
}

/// Returns the game whose rule code begins the name of a file, with the rest of the name. Returns `None` for a name
/// without a rule code. A word without digits, such as `black`, that only happens to be a code of animal shogi is none.
pub fn named_game(name: &str) -> Option<(AnyGame, &str)> {
    let (code, rest) = name.split_at(named_rules(name).len());
    let is_meant = |game: &AnyGame| !game.family().prefix.is_empty() || code.bytes().any(|byte| byte.is_ascii_digit());
    Some((AnyGame::parse(code).ok().filter(is_meant)?, rest))
}

/// Returns an error if the name of a file is that of other rules than its header. No question would find the file. A
/// name without a rule code is accepted ([`named_game`]).
fn check_name(path: &Path, table: &Table) -> Result<()> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let named = named_rules(name);
    match table.header.rule_code() {
        code if named != code && named_game(name).is_some() => {
            Err(TableError::foreign(path, format!("has the name of a file of {named}, but is a file of {code}")))
        }
        _ => Ok(()),
    }
}

fn open(path: &Path) -> Result<Table> {
    Table::open_any_game(Location::from(Path::new("")).open(path)?, path)
}
