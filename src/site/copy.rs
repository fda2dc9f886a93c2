//! Writes a copy: the page, files with values, counts.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use yomikiri_answer::{Counts, Dimension, write_excerpt};
use yomikiri_solve::Solvable;
use yomikiri_table::manifest::hash_text;
use yomikiri_table::source::{FileSource, ReadAt};
use yomikiri_table::{Location, Table, TableError, name, own_folder};

use super::super::Done;
use super::super::error::Failure;
use super::super::open::open_or_advise;
use super::super::output::{bytes, grouped, print, shown};
use super::super::page;
use super::super::progress::TerminalProgress;
use super::list::{self, Held, Kind, Part, Site};
use super::pins;

/// Bytes of a part: below what plain hosts take, 50 MB.
const PART: u64 = 40 << 20;

/// The purpose of the folder that a copy is written to, in its marker, until the copy is whole.
const UNFINISHED: &str = "unfinished copy of the explorer";

/// Bytes that are copied at a time.
const CHUNK: u64 = 1 << 20;

/// Bytes of a small copy's file, at most, and positions that are tried to be brought into them.
const SMALL: u64 = 10_000_000;
const SMALL_POSITIONS: u64 = 12_000_000;

/// Counts that the page shows, where a game has them.
const COUNTS: [&[Dimension]; 3] =
    [&[Dimension::Ply, Dimension::Winner], &[Dimension::Plies, Dimension::Outcome], &[Dimension::Score]];

/// Where values of a game come from.
enum Origin {
    Table(PathBuf),
    Certificate(PathBuf),
}

/// Writes the copy of a code below a folder, in the place of an older one. A folder of that name which is no such copy
/// is left as it is.
pub fn write<G: Solvable>(game: &G, location: &Location, into: &Path, small: bool) -> Done {
    let code = game.code();
    let (done, part) = (into.join(&code), into.join(format!("{code}.part")));
    check(&done, &code)?;
    check(&part, &code)?;
    let origin = origin(game, location)?;
    if page::files().is_empty() {
        return Err(Failure::Work(page::WITHOUT.into()));
    }
    remove(&part, &code)?;
    fs::create_dir_all(into).map_err(TableError::io(into))?;
    own_folder::take(&part, UNFINISHED)?;
    fs::create_dir_all(part.join("tables")).map_err(TableError::io(&part))?;
    let written = fill(game, location, &origin, &part, small);
    let site = match written {
        Ok(site) => site,
        Err(failure) => {
            remove(&part, &code)?;
            return Err(failure);
        }
    };
    remove(&done, &code)?;
    own_folder::unmark(&part)?;
    fs::rename(&part, &done).map_err(TableError::io(&done))?;
    let held = &site.files[0];
    let what = match held.kind {
        Kind::Table => "its table",
        Kind::Certificate => "its certificate, which tells who wins",
        Kind::Excerpt => "what one side needs to play best",
    };
    let (positions, size) = (grouped(held.positions), bytes(held.bytes as f64));
    print(&format!("{}: the page of {code} with {what}: {positions} positions, {size}", shown(&done)))
}

/// Refuses a place that holds anything but a copy of the code, whole or unfinished.
fn check(folder: &Path, code: &str) -> Result<(), Failure> {
    if list::is_copy(folder, code) {
        return Ok(());
    }
    let what = || format!("is there and is no copy of {code} that yomikiri site wrote; move it away");
    own_folder::check(folder, UNFINISHED).map_err(|_| TableError::foreign(folder, what()).into())
}

/// Deletes a copy of a code, whole or unfinished, if it is there. It is marked as unfinished first, so that it is known
/// if the deletion is cut off.
fn remove(folder: &Path, code: &str) -> Result<(), Failure> {
    check(folder, code)?;
    if list::is_copy(folder, code) {
        own_folder::mark(folder, UNFINISHED)?;
    }
    Ok(own_folder::remove(folder, UNFINISHED)?)
}

/// The table of the whole game, else its certificate; where there is neither it is said how to make one.
fn origin<G: Solvable>(game: &G, location: &Location) -> Result<Origin, Failure> {
    let (folder, code) = (location.path(), game.code());
    let table = name::whole(folder, &code);
    let proofs = [name::proof(folder, &code), name::proof(&folder.join(name::RECORDED), &code)];
    match proofs.into_iter().find(|path| location.has(path)) {
        Some(path) if !location.has(&table) => Ok(Origin::Certificate(path)),
        _ => {
            open_or_advise(game, location, &table, None)?;
            Ok(Origin::Table(table))
        }
    }
}

/// Writes everything into a folder.
fn fill<G: Solvable>(
    game: &G,
    location: &Location,
    origin: &Origin,
    folder: &Path,
    small: bool,
) -> Result<Site, Failure> {
    for file in page::files() {
        let path = folder.join(file.path);
        let parent = path.parent().expect("below the folder");
        fs::create_dir_all(parent).map_err(TableError::io(parent))?;
        fs::write(&path, file.bytes).map_err(TableError::io(&path))?;
    }
    let code = game.code();
    let mut counts = BTreeMap::new();
    let held = match origin {
        Origin::Certificate(path) => {
            let source = location.open(path)?;
            let header = Table::of_any_game(location.open(path)?, path)?.header;
            if small && source.length() > SMALL {
                return Err(too_large(&code, &format!("its certificate has {}", bytes(source.length() as f64))));
            }
            let held = hold(&code, Kind::Certificate, header.positions.get(), &*source, path, folder)?;
            Held { header_hash: Some(hash_text(header.header_hash.get())), ..held }
        }
        Origin::Table(path) => {
            let table = open_or_advise(game, location, path, None)?;
            if small {
                excerpt(game, &table, folder)?
            } else {
                let header = &table.header;
                let by_code = write_counts(game, &table, folder)?;
                counts.insert(code.clone(), by_code);
                let held = hold(&code, Kind::Table, header.positions.get(), &*location.open(path)?, path, folder)?;
                Held { header_hash: Some(hash_text(header.header_hash.get())), ..held }
            }
        }
    };
    let mut site = Site { values: "files".into(), opens: code, files: vec![held], counts, integrity: BTreeMap::new() };
    site.integrity = pins::of(folder, &site)?;
    write_json(&folder.join(list::NAME), &site)?;
    pins::write_into_page(folder)?;
    Ok(site)
}

fn too_large(code: &str, what: &str) -> Failure {
    Failure::Work(format!("{code}: {what}, more than the 10 MB of a small copy: make RULES={code} docs takes all"))
}

/// Writes what one side needs to play best.
fn excerpt<G: Solvable>(game: &G, table: &Table, folder: &Path) -> Result<Held, Failure> {
    let (code, path) = (game.code(), folder.join("excerpt"));
    let written = write_excerpt(game, table, &path, SMALL_POSITIONS, &TerminalProgress::new(false))?;
    let Some(written) = written else {
        let positions = grouped(SMALL_POSITIONS);
        return Err(too_large(&code, &format!("what one side needs are more than {positions} positions")));
    };
    if written.bytes > SMALL {
        return Err(too_large(&code, &format!("what {} needs has {}", written.side, bytes(written.bytes as f64))));
    }
    let source = FileSource::open(&path)?;
    let held = hold(&code, Kind::Excerpt, written.positions, &source, &path, folder)?;
    fs::remove_file(&path).map_err(TableError::io(&path))?;
    Ok(Held { side: Some(written.side.name().into()), ..held })
}

/// Copies a file in parts.
fn hold(
    code: &str,
    kind: Kind,
    positions: u64,
    source: &dyn ReadAt,
    from: &Path,
    folder: &Path,
) -> Result<Held, Failure> {
    let ending = match kind {
        Kind::Table => "tbl",
        Kind::Certificate => "proof",
        Kind::Excerpt => "excerpt",
    };
    let (length, mut parts) = (source.length(), Vec::new());
    for (number, start) in (0..length).step_by(PART as usize).enumerate() {
        let (end, relative) = (length.min(start + PART), format!("tables/{code}.{ending}.{number}"));
        let path = folder.join(&relative);
        let mut file = fs::File::create(&path).map_err(TableError::io(&path))?;
        for start in (start..end).step_by(CHUNK as usize) {
            let bytes = source.read_at(start..end.min(start + CHUNK)).map_err(TableError::io(from))?;
            file.write_all(&bytes).map_err(TableError::io(&path))?;
        }
        parts.push(Part { path: relative, bytes: end - start });
    }
    Ok(Held { rules: code.into(), kind, bytes: length, positions, header_hash: None, parts, side: None })
}

/// Writes the counts of a table that the page shows; the names of the files by what they count by.
fn write_counts<G: Solvable>(game: &G, table: &Table, folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut paths = BTreeMap::new();
    let counts = folder.join("counts");
    fs::create_dir_all(&counts).map_err(TableError::io(&counts))?;
    for by in COUNTS.iter().filter(|by| by.iter().all(|dimension| dimension.refusal(game).is_none())) {
        let names: Vec<_> = by.iter().map(|dimension| dimension.name()).collect();
        let path = format!("counts/{}.json", names.join("-"));
        write_json(&folder.join(&path), &Counts::of_table(game, table, by, &TerminalProgress::new(false))?)?;
        paths.insert(names.join(","), path);
    }
    Ok(paths)
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::Work(error.to_string()))?;
    Ok(fs::write(path, text + "\n").map_err(TableError::io(path))?)
}
