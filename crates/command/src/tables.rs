//! `yomikiri tables`: lists and maintains the files in a folder of tables.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;
use yomikiri_answer::inventory::{
    Item, StoredFileKind, StoredFileState, is_there, item, items_at, knowledge, manifest,
};
use yomikiri_answer::shell;
use yomikiri_rules::{AnyGame, visible};
use yomikiri_search::certificate;
use yomikiri_solve::Solvable;
use yomikiri_table::location::one_of;
use yomikiri_table::manifest::NAME;
use yomikiri_table::recode::Packing;
use yomikiri_table::{
    Location, Manifest, PartFile, Replaceable, RunLock, Silent, TableError, address, disk, pieces, recode, version1,
};

use super::CommandResult;
use super::error::{Failure, note};
use super::output::{bytes, counted, grouped, print, print_json, shown};
use super::progress::TerminalProgress;
use super::remedy;
use super::settings;
use super::suggest::{program, tables_option};

/// Manage the folder of tables: list, check, delete, upgrade, pack, unpack, manifest
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:\n  \
    yomikiri tables\n  \
    yomikiri tables check bin4x4.tbl\n  \
    yomikiri tables upgrade\n  \
    yomikiri tables pack val1n.tbl\n  \
    yomikiri tables manifest\n  \
    yomikiri tables --tables https://host/tables\n\n\
    `check` tests all checksums; `yomikiri verify` and `yomikiri check` test tables and certificates by the rules.\n\
    `upgrade` rewrites files of an older format, without solving anything again; each old file stays until\n\
    its new file is complete.\n\
    `pack` rewrites tables of animal shogi and the pyonpyon game in a smaller form that is slower to read. `unpack`\n\
    rewrites them in the usual form, which `analyze` makes. Neither command solves anything again, and the answers\n\
    stay the same. A table in pieces becomes one file. A table that would not become smaller is not packed.\n\
    `manifest` writes manifest.json, the list of finished tables, certificates and openings with their hashes: a\n\
    folder that has it can be published, and --tables takes its address.")]
pub struct Arguments {
    #[command(subcommand)]
    verb: Option<TablesVerb>,

    #[command(flatten)]
    list: Folder,
}

#[derive(Args, Default)]
struct Folder {
    /// Folder of tables, or an address for list and check; if repeated, the first one is written to [default: see
    /// yomikiri --help]
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,

    /// Print JSON, a line for each file
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct OptionalFiles {
    /// Files, by name in the folder or by path [default: all to which this applies]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    folder: Folder,
}

#[derive(Args)]
struct RequiredFiles {
    /// Files, by name in the folder or by path
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    folder: Folder,
}

#[derive(Subcommand)]
enum TablesVerb {
    /// List all files
    List(Folder),
    /// Check all checksums
    Check(OptionalFiles),
    /// Delete files
    Delete(RequiredFiles),
    /// Rewrite tables and certificates of an older format
    Upgrade(OptionalFiles),
    /// Rewrite tables in a smaller form that is slower to read
    Pack(RequiredFiles),
    /// Rewrite packed tables in the usual form
    Unpack(RequiredFiles),
    /// Write the list of files that can be published
    Manifest(Folder),
}

impl Folder {
    /// Returns the folders and addresses of the option `--tables`, the addresses together with their manifests.
    fn location(self) -> Result<Location, Failure> {
        settings::location(&self.tables)
    }

    /// Returns the folder for subcommands that change its files. An address is an error.
    fn folder(self) -> Result<PathBuf, Failure> {
        settings::folder(&self.tables)
    }
}

pub fn run(arguments: Arguments) -> CommandResult {
    match arguments.verb.unwrap_or(TablesVerb::List(arguments.list)) {
        TablesVerb::List(folder) => list(folder),
        TablesVerb::Check(chosen) => check(chosen),
        TablesVerb::Delete(named) => delete(named),
        TablesVerb::Upgrade(chosen) => upgrade(chosen),
        TablesVerb::Pack(named) => rewrite_blocks(named, pack),
        TablesVerb::Unpack(named) => rewrite_blocks(named, unpack),
        TablesVerb::Manifest(folder) => write_manifest(folder),
    }
}

fn list(folder: Folder) -> CommandResult {
    let (json, is_named) = (folder.json, !folder.tables.is_empty());
    let location = folder.location()?;
    if (json || is_named) && !location.places().any(|place| is_there(&place)) {
        // None of the folders and addresses exists. This call returns the error about the first one.
        items_at(&location)?;
    }
    for place in location.places() {
        list_place(&place, json)?;
    }
    match location.knowledge() {
        Some(folder) if !json && !location.has_place(folder) => {
            let files = match knowledge(&location)?.len() {
                0 => "no files that ship".into(),
                1 => "1 file that ships".into(),
                count => format!("{} files that ship", grouped(count as u64)),
            };
            print(&format!("{}: {files} with the program", shown(folder)))
        }
        _ => Ok(()),
    }
}

/// A line of the list as JSON.
#[derive(Serialize)]
struct ListedItem<'a> {
    /// The folder or the address.
    folder: &'a str,
    #[serde(flatten)]
    item: &'a Item,
}

/// Lists the files of one folder or address. The first line names the folder or address. If `json` is true, prints one
/// line of JSON for each file instead.
fn list_place(place: &Location, json: bool) -> CommandResult {
    let folder = place.path().display().to_string();
    if !is_there(place) {
        return if json { Ok(()) } else { print(&format!("{}: there is no such folder", visible(folder))) };
    }
    let items = items_at(place)?;
    if json {
        return items.iter().try_for_each(|item| print_json(&ListedItem { folder: &folder, item }));
    }
    let upgrade = format!("format 1; run: yomikiri tables upgrade{}", tables_option(place.path()));
    let count = if items.is_empty() { "no tables".into() } else { counted(items.len() as u64, "file") };
    print(&format!("{}: {count}", visible(folder)))?;
    items.iter().try_for_each(|item| print(&line(item, &upgrade)))
}

/// Formats a line of the list. `upgrade` is the text for a file of an older format, with the command that rewrites it.
fn line(item: &Item, upgrade: &str) -> String {
    let kind = match item.kind {
        StoredFileKind::Table => "table",
        StoredFileKind::Certificate => "certificate",
        StoredFileKind::Opening => "opening",
        StoredFileKind::Work => "work of a run",
        StoredFileKind::Part => "part of a file",
    };
    let state = match (&item.state, item.kind) {
        (StoredFileState::Whole, StoredFileKind::Certificate | StoredFileKind::Opening) => "checked".into(),
        (StoredFileState::Whole, _) => "audited".into(),
        (StoredFileState::Unchecked, StoredFileKind::Certificate | StoredFileKind::Opening) => "unchecked".into(),
        (StoredFileState::Unchecked, _) => "not audited yet".into(),
        (StoredFileState::Unfinished, _) => "unfinished".into(),
        (StoredFileState::Old, _) => upgrade.into(),
        (StoredFileState::Damaged(why), _) => {
            why.clone() + &item.fault().and_then(|fault| remedy::of(&fault)).unwrap_or_default()
        }
    };
    let size = bytes(item.bytes as f64);
    let positions = item.positions.map_or(String::new(), |positions| grouped(positions) + " positions");
    let hash = item.header_hash.clone().unwrap_or_default();
    let text = format!("{:<28} {kind:<14} {size:>10} {positions:>26}  {hash:<16}  {state}", item.file);
    visible(text.trim_end())
}

/// Returns the error about a damaged file. `why` is the text in the state of the item.
fn damaged(item: &Item, why: &str) -> Failure {
    item.fault().map_or_else(|| Failure::work(why), Failure::work)
}

/// The change that was made to a file, as a fixed word in JSON.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum FileChange {
    Deleted,
    Upgraded,
    Packed,
    Unpacked,
    /// None: the file is in the form that was asked for, or would not become smaller.
    Kept,
}

/// The result of a change: the fixed word, and the words for people.
type Changed = (FileChange, String);

/// The result for one file, as JSON.
#[derive(Serialize)]
struct FileOutcome<'a> {
    file: &'a str,
    /// The change. `None` if the file was only checked, or after an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<FileChange>,
    /// True if the file has passed a check, false if it has not. `None` if it was not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    sound: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    becomes: Option<String>,
}

/// The form of the results that [`each`] prints.
#[derive(Clone, Copy)]
struct ResultForm {
    /// True if each result is a line of JSON.
    json: bool,
    /// True if the files are checked, so that each one is sound or not.
    is_check: bool,
}

/// Returns the files that `files` names. A name is first looked up in the folders and addresses of `location`. If none
/// of them has the file, the name is taken as a path, unless `location` has only addresses. The item has the name as it
/// was given. A name that begins with a root or a `.`, or has a `..`, is always a path. It is an error if a name has
/// no file. A file that is named twice is returned once. Without names, returns all files of the folders and addresses.
fn chosen(files: &[PathBuf], location: &Location) -> Result<Vec<Item>, Failure> {
    if files.is_empty() {
        return Ok(items_at(location)?);
    }
    // If `location` has only addresses, a name never means a file on this machine.
    let is_far = location.places().all(|place| place.manifest().is_some());
    let find = |name: &PathBuf| {
        if address::of(name).is_some() {
            let what = "is an address; give the address of the folder with --tables, and the file by its name alone";
            return Err(Failure::request(format!("{}: {what}", address::shown(name))));
        }
        let inside = if is_below_a_folder(name) { location.candidates(|folder| folder.join(name)) } else { Vec::new() };
        let is_usable = |path: &&PathBuf| location.has(path) && (!is_far || location.is_remote(path));
        let path = inside.iter().chain([name]).find(is_usable);
        let missing = if is_far { "the manifest does not list it" } else { "there is no such file" };
        let sought = if inside.is_empty() { std::slice::from_ref(name) } else { &inside };
        let none = || Failure::work(format!("{}: {missing}", one_of(sought)));
        let path = path.ok_or_else(none)?;
        let found = match location.is_remote(path) {
            true => items_at(location)?.into_iter().find(|item| item.path == *path),
            false => item(path).map(|item| Item { file: name.display().to_string(), ..item }),
        };
        found.ok_or_else(|| Failure::request(no_item(path)))
    };
    let mut items = files.iter().map(find).collect::<Result<Vec<Item>, Failure>>()?;
    let mut seen = HashSet::new();
    items.retain(|item| seen.insert(item.path.clone()));
    Ok(items)
}

/// Returns true for a name of a file, or of a file in a subfolder, that can be looked up in a folder.
fn is_below_a_folder(name: &Path) -> bool {
    name.components().all(|part| matches!(part, Component::Normal(_)))
}

/// Returns the error text for an existing file that is only a piece of a table, or not a file of this program.
fn no_item(path: &Path) -> String {
    match pieces::whole_of(path) {
        Some(whole) if pieces::is_there(&whole) => {
            format!("{}: is a piece of a table; name the table, {}", shown(path), shown(&whole))
        }
        _ => format!("{}: is not a file of this program", shown(path)),
    }
}

/// Applies `act` to each file and prints each result. `act` returns the change, or `None` for a sound file that was
/// only checked. After an error, the other files are still processed; then the first error is returned.
fn each(items: &[Item], form: ResultForm, act: impl Fn(&Item) -> Result<Option<Changed>, Failure>) -> CommandResult {
    let mut failed = None;
    for item in items {
        let done = act(item).map_err(remedy::add_to);
        let error = done.as_ref().err().map(Failure::to_string);
        let (change, becomes) = done.as_ref().ok().cloned().flatten().unzip();
        // A file that cannot be checked at all is neither sound nor not.
        let sound = (form.is_check && !matches!(done, Err(Failure::Request(_)))).then_some(done.is_ok());
        match (&error, form.json) {
            (_, true) => print_json(&FileOutcome { file: &item.file, change, sound, error, becomes })?,
            (None, false) => print(&visible(format!("{}: {}", item.file, becomes.as_deref().unwrap_or("sound"))))?,
            (Some(error), false) if failed.is_some() => note(error),
            _ => {}
        }
        failed = failed.or(done.err());
    }
    failed.map_or(Ok(()), Err)
}

fn check(OptionalFiles { files, folder }: OptionalFiles) -> CommandResult {
    let (form, location) = (ResultForm { json: folder.json, is_check: true }, folder.location()?);
    let mut items = chosen(&files, &location)?;
    if files.is_empty() {
        items.retain(|item| item.kind.has_checksums());
    }
    each(&items, form, |item| match item.kind.has_checksums() {
        true => Ok(item.check(&location, &Silent).map(|()| None)?),
        false => Err(Failure::request(format!("{}: is not a table, a certificate or an opening", shown(&item.path)))),
    })
}

fn delete(RequiredFiles { files, folder }: RequiredFiles) -> CommandResult {
    let (form, folder) = (ResultForm { json: folder.json, is_check: false }, folder.folder()?);
    each(&chosen(&files, &folder.into())?, form, |item| {
        // Such a name means a file in the folder of tables. A file of this name in the current folder stays.
        if item.path.as_os_str() == item.file.as_str() && is_below_a_folder(&item.path) {
            let file = &item.file;
            let problem = "is not in the folder of tables; to delete the file in the current folder, write";
            return Err(Failure::request(format!("{file}: {problem} ./{file}")));
        }
        item.check_own()?;
        let lock = RunLock::take(&item.path.with_file_name(&item.rules))?;
        // A table may be split into several files. The first is deleted first: without it the others are not a table.
        item.files().iter().try_for_each(|path| disk::remove(path).map_err(TableError::io(path)))?;
        drop(lock);
        Ok(Some((FileChange::Deleted, "deleted".into())))
    })
}

/// Rewrites the blocks of tables in another form. `write` rewrites one table and returns the change.
fn rewrite_blocks(
    RequiredFiles { files, folder }: RequiredFiles,
    write: fn(&Item) -> Result<(FileChange, &'static str), Failure>,
) -> CommandResult {
    let (form, folder) = (ResultForm { json: folder.json, is_check: false }, folder.folder()?);
    each(&chosen(&files, &folder.into())?, form, |item| match (&item.state, item.kind) {
        (StoredFileState::Whole | StoredFileState::Unchecked, StoredFileKind::Table) => {
            let lock = RunLock::take(&item.path.with_file_name(&item.rules))?;
            let ((change, done), length) = (write(item)?, pieces::open(&item.path)?.length());
            drop(lock);
            let before =
                if length == item.bytes { String::new() } else { format!(" ({} before)", bytes(item.bytes as f64)) };
            Ok(Some((change, format!("{done}, {}{before}", bytes(length as f64)))))
        }
        (StoredFileState::Damaged(why), _) => Err(damaged(item, why)),
        (StoredFileState::Old, _) => {
            let command = format!("{} tables upgrade {}", program(), shell::path(&item.path));
            Err(Failure::work(format!("{}: has an older format; run: {command}", shown(&item.path))))
        }
        _ => Err(Failure::work(format!("{}: is not a finished table", shown(&item.path)))),
    })
}

fn pack(item: &Item) -> Result<(FileChange, &'static str), Failure> {
    let (game, progress) = (AnyGame::parse(&item.rules)?, TerminalProgress::new(false));
    Ok(match game.pack(&item.path, &progress)? {
        Packing::Packed => (FileChange::Packed, "packed"),
        Packing::AlreadyPacked => (FileChange::Kept, "is already packed"),
        Packing::NotSmaller => (FileChange::Kept, "packing would not make it smaller"),
    })
}

fn unpack(item: &Item) -> Result<(FileChange, &'static str), Failure> {
    let is_new = recode::to_zstd(&item.path, &TerminalProgress::new(false))?;
    Ok(if is_new { (FileChange::Unpacked, "unpacked") } else { (FileChange::Kept, "is not packed") })
}

fn upgrade(OptionalFiles { files, folder }: OptionalFiles) -> CommandResult {
    let (json, folder) = (folder.json, folder.folder()?);
    let mut items = chosen(&files, &folder.as_path().into())?;
    if files.is_empty() {
        items.retain(|item| item.state == StoredFileState::Old);
        if items.is_empty() && !json {
            return print(&format!("{}: no files of an older format", shown(&folder)));
        }
    }
    each(&items, ResultForm { json, is_check: false }, |item| match (&item.state, item.kind) {
        (StoredFileState::Old, StoredFileKind::Table) => {
            version1::upgrade(&item.path)?;
            Ok(Some((FileChange::Upgraded, "upgraded".into())))
        }
        (StoredFileState::Old, StoredFileKind::Certificate) => {
            Ok(Some((FileChange::Upgraded, certificate::upgrade_version1(&item.path)?.display().to_string())))
        }
        (StoredFileState::Damaged(why), _) => Err(damaged(item, why)),
        _ => Ok(Some((FileChange::Kept, "needs no upgrade".into()))),
    })
}

/// Writes the list of files that can be published. The new list replaces the old one only when it is complete.
fn write_manifest(folder: Folder) -> CommandResult {
    let (json, folder) = (folder.json, folder.folder()?);
    let (path, own) = (folder.join(NAME), Replaceable::own("a list of tables", Manifest::is_at).or("move it away"));
    own.check(&path)?;
    let manifest = manifest(&folder, &TerminalProgress::new(false))?;
    let text = serde_json::to_string_pretty(&manifest).map_err(Failure::work)?;
    PartFile::write(&path, (text + "\n").as_bytes(), own)?;
    if json {
        return manifest.files.iter().try_for_each(print_json);
    }
    let size = manifest.files.iter().map(|file| file.bytes).sum::<u64>();
    let count = counted(manifest.files.len() as u64, "file");
    print(&format!("{}: {count}, {}", shown(&path), bytes(size as f64)))
}
