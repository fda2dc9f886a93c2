//! Writes a copy of the explorer: the web page, the files with the values of a game, and the counts of its positions.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use yomikiri_rules::{AnyGame, Game};

use serde::Serialize;
use yomikiri_answer::{Dimension, GroupedCounts, write_excerpt};
use yomikiri_table::manifest::hash_text;
use yomikiri_table::source::{FileSource, ReadAt};
use yomikiri_table::{Location, RunLock, Table, TableError, disk, local, location, name, own_folder};

use super::super::CommandResult;
use super::super::error::Failure;
use super::super::open::open_or_advise;
use super::super::output::{bytes, grouped, print, shown};
use super::super::page;
use super::super::progress::TerminalProgress;
use super::super::suggest::check_advice;
use super::list::{self, HostedFile, HostedKind, HostedPart, HostedSite};
use super::pins;

/// The maximum size of a part of a file with values, in bytes. It is below 50 MB, the limit of plain web hosts.
const PART: u64 = 40 << 20;

/// The purpose of the folder of an unfinished copy. The marker file in the folder states it.
const UNFINISHED: &str = "unfinished copy of the explorer";

/// The number of bytes copied at a time.
const CHUNK: u64 = 1 << 20;

/// The maximum size in bytes of the files with values in a small copy of the explorer. `SMALL_POSITIONS` is the maximum
/// number of positions of an excerpt ([`excerpt`]).
const SMALL: u64 = 10_000_000;
const SMALL_POSITIONS: u64 = 12_000_000;

/// The dimensions of each count of positions that the web page shows. Counts that a game does not have are left out.
const COUNTS: [&[Dimension]; 3] =
    [&[Dimension::Ply, Dimension::Winner], &[Dimension::Plies, Dimension::Outcome], &[Dimension::Score]];

/// The file with the values of a game.
enum ValuesFile {
    Table(PathBuf),
    Certificate(PathBuf),
}

/// Writes a copy of the explorer for one game. It goes to a folder in `into` that is named after the rule code. If
/// `small` is true, the files with values have at most [`SMALL`] bytes. It is an error if the folder exists and is not
/// a copy.
///
/// Replaces an older copy there once the new one is complete. After a kill at any time, one of the two is left. If it
/// is in `CODE.old`, the next run puts it back.
pub fn write(game: &AnyGame, location: &Location, into: &Path, small: bool) -> CommandResult {
    let code = game.code();
    local::check(into).map_err(Failure::request)?;
    location::folder_of(into.into())?;
    let [done, part, old] = ["", ".part", ".old"].map(|ending| into.join(format!("{code}{ending}")));
    [&done, &part, &old].into_iter().try_for_each(|folder| check(folder, &code))?;
    let origin = origin(game, location)?;
    if page::files().is_empty() {
        return Err(Failure::work(page::WITHOUT));
    }
    disk::make_folder(into)?;
    let _lock = RunLock::take_for(&done, "copy")?;
    if list::is_copy(&old, &code) && !done.exists() {
        fs::rename(&old, &done).map_err(TableError::io(&done))?;
    }
    [&part, &old].into_iter().try_for_each(|folder| remove(folder, &code))?;
    own_folder::take(&part, UNFINISHED)?;
    disk::make_folder(&part.join("tables"))?;
    let written = fill(game, location, &origin, &part, small);
    let site = match written {
        Ok(site) => site,
        Err(failure) => {
            remove(&part, &code)?;
            return Err(failure);
        }
    };
    own_folder::unmark(&part)?;
    if done.exists() {
        fs::rename(&done, &old).map_err(TableError::io(&old))?;
    }
    if let Err(error) = fs::rename(&part, &done) {
        let _ = fs::rename(&old, &done);
        return Err(TableError::io(&done)(error).into());
    }
    remove(&old, &code)?;
    let held = &site.files[0];
    let what = match held.kind {
        HostedKind::Table => "its table",
        HostedKind::Certificate if site.files.len() > 1 => "its certificate and its opening, with winners only",
        HostedKind::Certificate => "its certificate, with winners only",
        HostedKind::Opening => "its opening, with the winners of the first positions",
        HostedKind::Excerpt => "the positions that one side needs to play best",
    };
    let (positions, size) = (grouped(held.positions), bytes(held.bytes as f64));
    print(&format!("{}: the page of {code} with {what}: {positions} positions, {size}", shown(&done)))
}

/// Returns an error if `folder` exists and is not a copy of the explorer for the rule code `code`, complete or
/// unfinished.
fn check(folder: &Path, code: &str) -> Result<(), Failure> {
    if list::is_copy(folder, code) {
        return Ok(());
    }
    let what = || format!("exists and is not a copy of {code} made by yomikiri site; move it away");
    own_folder::check(folder, UNFINISHED).map_err(|_| TableError::foreign(folder, what()).into())
}

/// Deletes the copy of the explorer in `folder`, complete or unfinished, if there is one. A complete copy is first
/// marked as unfinished, so that an interrupted deletion leaves a folder that the next run recognizes.
fn remove(folder: &Path, code: &str) -> Result<(), Failure> {
    check(folder, code)?;
    if list::is_copy(folder, code) {
        own_folder::mark(folder, UNFINISHED)?;
    }
    Ok(own_folder::remove(folder, UNFINISHED)?)
}

/// Finds the table of the whole game, or else its certificate. If both are missing, the error says how to make one of
/// them.
fn origin(game: &AnyGame, location: &Location) -> Result<ValuesFile, Failure> {
    let code = game.code();
    let table = location.file(|folder| name::whole(folder, &code));
    match name::proof_at(location, &code) {
        Some(path) if !location.has(&table) => Ok(ValuesFile::Certificate(path)),
        _ => {
            open_or_advise(game, location)?;
            Ok(ValuesFile::Table(table))
        }
    }
}

/// Writes all files of a copy of the explorer into `folder`, with the values from `origin`, and returns the description
/// of the copy. If `small` is true, the files with values have at most [`SMALL`] bytes.
fn fill(
    game: &AnyGame,
    location: &Location,
    origin: &ValuesFile,
    folder: &Path,
    small: bool,
) -> Result<HostedSite, Failure> {
    for file in page::files() {
        let path = folder.join(file.path);
        let parent = path.parent().expect("below the folder");
        disk::make_folder(parent)?;
        fs::write(&path, file.bytes()).map_err(TableError::io(&path))?;
    }
    let code = game.code();
    let mut counts = BTreeMap::new();
    let mut files = Vec::new();
    match origin {
        ValuesFile::Certificate(path) => {
            let opening = name::opening_at(location, &code);
            for (kind, path) in [(HostedKind::Certificate, Some(path)), (HostedKind::Opening, opening.as_ref())] {
                if let Some(path) = path {
                    files.push(hold_file(&code, kind, location, path, folder)?);
                }
            }
            let size = files.iter().map(|held| held.bytes).sum::<u64>();
            if small && size > SMALL {
                return Err(too_large(&code, &format!("its certificate has {}", bytes(size as f64))));
            }
        }
        ValuesFile::Table(_) if small => {
            files.push(excerpt(game, &open_or_advise(game, location)?, folder)?);
        }
        ValuesFile::Table(path) => {
            counts.insert(code.clone(), write_counts(game, &open_or_advise(game, location)?, folder)?);
            files.push(hold_file(&code, HostedKind::Table, location, path, folder)?);
        }
    }
    let mut site = HostedSite { values: "files".into(), opens: code, files, counts, integrity: BTreeMap::new() };
    site.integrity = pins::of(folder, &site)?;
    write_json(&folder.join(list::NAME), &site)?;
    pins::write_into_page(folder)?;
    Ok(site)
}

fn too_large(code: &str, what: &str) -> Failure {
    Failure::work(format!("{code}: {what}, too much for a small copy of at most 10 MB; leave out --small"))
}

/// Writes the positions that one side needs to play best, and returns their description.
fn excerpt(game: &AnyGame, table: &Table, folder: &Path) -> Result<HostedFile, Failure> {
    let (code, path) = (game.code(), folder.join("excerpt"));
    let written = write_excerpt(game, table, &path, SMALL_POSITIONS, &TerminalProgress::new(false))?;
    let Some(written) = written else {
        let positions = grouped(SMALL_POSITIONS);
        return Err(too_large(&code, &format!("one side needs more than {positions} positions")));
    };
    if written.bytes > SMALL {
        return Err(too_large(
            &code,
            &format!("the positions that {} needs take {}", written.side, bytes(written.bytes as f64)),
        ));
    }
    let source = FileSource::open(&path)?;
    let held = hold(&code, HostedKind::Excerpt, written.positions, &source, &path, folder)?;
    fs::remove_file(&path).map_err(TableError::io(&path))?;
    Ok(HostedFile { side: Some(written.side.name().into()), ..held })
}

/// Copies a table, a certificate or an opening to parts of at most [`PART`] bytes, and returns the description of the
/// copied file. Verifies every checksum first.
fn hold_file(
    code: &str,
    kind: HostedKind,
    location: &Location,
    path: &Path,
    folder: &Path,
) -> Result<HostedFile, Failure> {
    let table = Table::open_any_game(location.open(path)?, path)?;
    // The page calls all certificates and openings of a copy checked.
    if kind != HostedKind::Table && !location.is_checked(path, table.header.header_hash.get()) {
        return Err(Failure::work(format!("{}: has not been checked; {}", shown(path), check_advice(path))));
    }
    table.check(&TerminalProgress::new(false))?;
    let held = hold(code, kind, table.header.positions.get(), &*location.open(path)?, path, folder)?;
    Ok(HostedFile { header_hash: Some(hash_text(table.header.header_hash.get())), ..held })
}

/// Copies the file `source` to parts of at most [`PART`] bytes, and returns the description of the copied file.
fn hold(
    code: &str,
    kind: HostedKind,
    positions: u64,
    source: &dyn ReadAt,
    from: &Path,
    folder: &Path,
) -> Result<HostedFile, Failure> {
    let ending = match kind {
        HostedKind::Table => "tbl",
        HostedKind::Certificate => "proof",
        HostedKind::Opening => "opening",
        HostedKind::Excerpt => "excerpt",
    };
    let (length, mut parts) = (source.length(), Vec::new());
    for (number, start) in (0..length).step_by(PART as usize).enumerate() {
        let (end, relative) = (length.min(start + PART), format!("tables/{code}.{ending}.{number}"));
        let path = folder.join(&relative);
        let mut file = fs::File::create(&path).map_err(TableError::io(&path))?;
        for start in (start..end).step_by(CHUNK as usize) {
            let bytes = source.read_at(start..end.min(start + CHUNK)).map_err(TableError::read(from))?;
            file.write_all(&bytes).map_err(TableError::io(&path))?;
        }
        parts.push(HostedPart { path: relative, bytes: end - start });
    }
    Ok(HostedFile { rules: code.into(), kind, bytes: length, positions, header_hash: None, parts, side: None })
}

/// Writes the counts of a table that the web page shows. Returns the paths of the files, by dimensions such as
/// `ply,winner`.
fn write_counts(game: &AnyGame, table: &Table, folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut paths = BTreeMap::new();
    let counts = folder.join("counts");
    disk::make_folder(&counts)?;
    for by in COUNTS.iter().filter(|by| by.iter().all(|dimension| dimension.refusal(game).is_none())) {
        let names: Vec<_> = by.iter().map(|dimension| dimension.name()).collect();
        let path = format!("counts/{}.json", names.join("-"));
        write_json(&folder.join(&path), &GroupedCounts::of_table(game, table, by, &TerminalProgress::new(false))?)?;
        paths.insert(names.join(","), path);
    }
    Ok(paths)
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(Failure::work)?;
    Ok(fs::write(path, text + "\n").map_err(TableError::io(path))?)
}
