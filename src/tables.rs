//! `yomikiri tables`: what lies in a folder of tables.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;
use yomikiri_answer::shelf::{Item, Kind, State, item, items_at, manifest};
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{AnyGame, visible, with_game};
use yomikiri_solve::Solvable;
use yomikiri_solve::certificate::{self, Certificate};
use yomikiri_table::manifest::NAME;
use yomikiri_table::{
    Location, Manifest, Part, Replace, RunLock, TableError, disk, location, pieces, recode, version1,
};

use super::Done;
use super::error::{Failure, note};
use super::output::{bytes, grouped, print, print_json, shown};
use super::progress::TerminalProgress;
use super::settings::tables_folder;

/// What lies in the folder of tables: list, check, delete, upgrade, pack, manifest
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:\n  \
    yomikiri tables\n  \
    yomikiri tables check bin4x4.tbl\n  \
    yomikiri tables upgrade\n  \
    yomikiri tables pack val1n.tbl\n  \
    yomikiri tables manifest\n  \
    yomikiri tables --tables https://host/tables\n\n\
    `check` looks at every checksum; `yomikiri verify` and `yomikiri check` hold tables and certificates against the rules.\n\
    `upgrade` writes files of an older format anew, without solving anything again; each keeps its old form until\n\
    that is done.\n\
    `pack` writes tables of animal shogi and the pyonpyon game anew in a smaller form that is slower to ask, `unpack`\n\
    in the usual one, as `analyze` makes it. Nothing is solved again, and either is asked in the same way. A table in\n\
    pieces becomes one file.\n\
    `manifest` writes manifest.json, the list of finished tables and certificates with their hashes: a folder that has\n\
    it can be published, and --tables takes its address.")]
pub struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,

    #[command(flatten)]
    list: Folder,
}

#[derive(Args, Default)]
struct Folder {
    /// Folder of tables, or to list and check them an address [default: $YOMIKIRI_TABLES, else precomp]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Print JSON, a line for each file
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Chosen {
    /// Files, by their names in the folder or their paths [default: all that are concerned]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    folder: Folder,
}

#[derive(Args)]
struct Named {
    /// Files, by their names in the folder or their paths
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    folder: Folder,
}

#[derive(Subcommand)]
enum Verb {
    /// List all files
    List(Folder),
    /// Check all checksums
    Check(Chosen),
    /// Delete files
    Delete(Named),
    /// Write tables and certificates of an older format anew
    Upgrade(Chosen),
    /// Write tables in a smaller form that is slower to ask
    Pack(Named),
    /// Write tables that were packed in the usual form again
    Unpack(Named),
    /// Write the list of what a folder has to publish
    Manifest(Folder),
}

impl Folder {
    /// The folder, or the address with its list of files.
    fn location(self) -> Result<Location, Failure> {
        Ok(Location::find(tables_folder(self.tables))?)
    }

    /// The folder, where files are changed. An address is refused.
    fn folder(self) -> Result<PathBuf, Failure> {
        Ok(location::folder_of(tables_folder(self.tables))?)
    }
}

pub fn run(arguments: Arguments) -> Done {
    match arguments.verb.unwrap_or(Verb::List(arguments.list)) {
        Verb::List(folder) => list(folder),
        Verb::Check(chosen) => check(chosen),
        Verb::Delete(named) => delete(named),
        Verb::Upgrade(chosen) => upgrade(chosen),
        Verb::Pack(named) => rewrite_blocks(named, pack),
        Verb::Unpack(named) => rewrite_blocks(named, unpack),
        Verb::Manifest(folder) => write_manifest(folder),
    }
}

fn list(folder: Folder) -> Done {
    let (json, location) = (folder.json, folder.location()?);
    let items = items_at(&location)?;
    if json {
        return items.iter().try_for_each(print_json);
    }
    if items.is_empty() {
        return print(&format!("{}: no tables", shown(location.path())));
    }
    items.iter().try_for_each(|item| print(&line(item)))
}

fn line(item: &Item) -> String {
    let kind = match item.kind {
        Kind::Table => "table",
        Kind::Certificate => "certificate",
        Kind::Work => "work of a run",
        Kind::Part => "part of a file",
    };
    let state = match (&item.state, item.kind) {
        (State::Whole, Kind::Certificate) => "checked".into(),
        (State::Whole, _) => "audited".into(),
        (State::Unchecked, Kind::Certificate) => "unchecked".into(),
        (State::Unchecked, _) => "not audited yet".into(),
        (State::Unfinished, _) => "unfinished".into(),
        (State::Old, _) => "of format 1: yomikiri tables upgrade".into(),
        (State::Damaged(why), _) => why.clone(),
    };
    let size = bytes(item.bytes as f64);
    let positions = item.positions.map_or(String::new(), |positions| grouped(positions) + " positions");
    let hash = item.header_hash.clone().unwrap_or_default();
    let text = format!("{:<28} {kind:<14} {size:>10} {positions:>26}  {hash:<16}  {state}", item.file);
    visible(text.trim_end())
}

/// What came of one file.
#[derive(Serialize)]
struct Outcome<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    becomes: Option<String>,
}

/// Files that are named, in the folder or by their paths; all of the folder if none are.
fn chosen(files: &[PathBuf], location: &Location) -> Result<Vec<Item>, Failure> {
    let all = if files.is_empty() || location.manifest().is_some() { items_at(location)? } else { Vec::new() };
    if files.is_empty() {
        return Ok(all);
    }
    let folder = location.path();
    let find = |name: &PathBuf| {
        if location.manifest().is_some() {
            let item = all.iter().find(|item| Path::new(&item.file) == name || item.path == *name);
            let none = || Failure::Request(format!("{}: the manifest does not list it", folder.join(name).display()));
            return item.cloned().ok_or_else(none);
        }
        let path = [folder.join(name), name.clone()].into_iter().find(|path| location.has(path));
        let none = || Failure::Request(format!("{}: there is no such file", folder.join(name).display()));
        let path = path.ok_or_else(none)?;
        item(&path).ok_or_else(|| Failure::Request(no_item(&path)))
    };
    files.iter().map(find).collect()
}

/// Why a file that is there is not one to work with.
fn no_item(path: &Path) -> String {
    match pieces::whole_of(path) {
        Some(whole) if pieces::is_there(&whole) => {
            format!("{}: is a piece of a table; name the table, {}", path.display(), whole.display())
        }
        _ => format!("{}: is no file of this program", path.display()),
    }
}

/// Does something with each file; all are tried, and the first failure is that of the whole.
fn each(items: &[Item], json: bool, act: impl Fn(&Item) -> Result<Option<String>, Failure>) -> Done {
    let mut failed = None;
    for item in items {
        let done = act(item);
        let error = done.as_ref().err().map(|failure| failure.text().to_string());
        let becomes = done.as_ref().ok().cloned().flatten();
        match (&error, json) {
            (_, true) => print_json(&Outcome { file: &item.file, error, becomes })?,
            (None, false) => print(&format!("{}: {}", visible(&item.file), becomes.as_deref().unwrap_or("sound")))?,
            (Some(error), false) if failed.is_some() => note(error),
            _ => {}
        }
        failed = failed.or(done.err());
    }
    failed.map_or(Ok(()), Err)
}

fn check(Chosen { files, folder }: Chosen) -> Done {
    let (json, location) = (folder.json, folder.location()?);
    let mut items = chosen(&files, &location)?;
    items.retain(|item| matches!(item.kind, Kind::Table | Kind::Certificate));
    each(&items, json, |item| Ok(item.check(&location).map(|()| None)?))
}

fn delete(Named { files, folder }: Named) -> Done {
    let (json, folder) = (folder.json, folder.folder()?);
    each(&chosen(&files, &folder.into())?, json, |item| {
        item.check_own()?;
        let lock = RunLock::take(&item.path.with_file_name(&item.rules))?;
        // The first piece of a table first: no table begins without it.
        item.files().iter().try_for_each(|path| disk::remove(path).map_err(TableError::io(path)))?;
        drop(lock);
        Ok(Some("deleted".into()))
    })
}

/// Writes tables anew in another form of their blocks; `write` says what has become of one.
fn rewrite_blocks(Named { files, folder }: Named, write: fn(&Item) -> Result<&'static str, Failure>) -> Done {
    let (json, folder) = (folder.json, folder.folder()?);
    each(&chosen(&files, &folder.into())?, json, |item| match (&item.state, item.kind) {
        (State::Whole | State::Unchecked, Kind::Table) => {
            let lock = RunLock::take(&item.path.with_file_name(&item.rules))?;
            let done = write(item)?;
            drop(lock);
            let length = pieces::open(&item.path)?.length();
            Ok(Some(format!("{done}, {}", bytes(length as f64))))
        }
        (State::Damaged(why), _) => Err(Failure::Work(why.clone())),
        _ => Err(Failure::Work(format!("{}: is no table of the format of this program", item.path.display()))),
    })
}

fn pack(item: &Item) -> Result<&'static str, Failure> {
    let (game, progress) = (AnyGame::parse(&item.rules)?, TerminalProgress::new(false));
    let is_new = with_game!(&game, game => game.pack(&item.path, &progress))?;
    Ok(if is_new { "packed" } else { "is packed" })
}

fn unpack(item: &Item) -> Result<&'static str, Failure> {
    let is_new = recode::to_zstd(&item.path, &TerminalProgress::new(false))?;
    Ok(if is_new { "unpacked" } else { "is not packed" })
}

fn upgrade(Chosen { files, folder }: Chosen) -> Done {
    let (json, folder) = (folder.json, folder.folder()?);
    let mut items = chosen(&files, &folder.as_path().into())?;
    if files.is_empty() {
        items.retain(|item| item.state == State::Old);
        if items.is_empty() && !json {
            return print(&format!("{}: nothing is of an older format", folder.display()));
        }
    }
    each(&items, json, |item| match (&item.state, item.kind) {
        (State::Old, Kind::Table) => {
            version1::upgrade(&item.path)?;
            Ok(Some("upgraded".into()))
        }
        (State::Old, Kind::Certificate) => upgrade_certificate(&item.path).map(|path| Some(path.display().to_string())),
        (State::Damaged(why), _) => Err(Failure::Work(why.clone())),
        _ => Ok(Some("needs no upgrade".into())),
    })
}

/// Writes a certificate anew, under its name without `.gz`, and deletes the old one.
fn upgrade_certificate(path: &Path) -> Result<PathBuf, Failure> {
    Ok(match certificate::rules_of_version1(path).and_then(|code| AnyGame::parse(&code).ok()) {
        Some(AnyGame::ConnectFour(_)) => Certificate::<ConnectFour>::upgrade_version1(path),
        Some(AnyGame::Reversi(_)) => Certificate::<Reversi>::upgrade_version1(path),
        _ => Certificate::<Binarsi>::upgrade_version1(path),
    }?)
}

/// Writes the list of what can be published, once it is whole.
fn write_manifest(folder: Folder) -> Done {
    let (json, folder) = (folder.json, folder.folder()?);
    let (path, own) = (folder.join(NAME), Replace::own("a list of tables", Manifest::is_at).or("move it away"));
    own.check(&path)?;
    let manifest = manifest(&folder, &TerminalProgress::new(false))?;
    let text = serde_json::to_string_pretty(&manifest).map_err(|error| Failure::Work(error.to_string()))?;
    Part::write(&path, (text + "\n").as_bytes(), own)?;
    if json {
        return manifest.files.iter().try_for_each(print_json);
    }
    let size = bytes(manifest.files.iter().map(|file| file.bytes as f64).sum());
    print(&format!("{}: {} files, {size}", shown(&path), grouped(manifest.files.len() as u64)))
}
