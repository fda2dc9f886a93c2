//! Records and pages of the repository, which tests compare with the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;
use yomikiri_rules::Distance;

/// Returns the full path of a file or folder of the repository.
pub fn repository_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the sorted paths of all files and folders in a folder and its subfolders. Does not follow links.
pub fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

/// Returns the contents of the files in a folder and its subfolders, by their paths in the folder.
pub fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = below(folder).into_iter().filter(|path| !path.is_dir());
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_str().unwrap().to_string();
    files.map(|path| (name(&path), std::fs::read(&path).unwrap())).collect()
}

/// Returns the paths of all Rust sources in folders and their subfolders.
pub fn sources(folders: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let all = folders.into_iter().flat_map(|folder| below(&folder));
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Returns a path relative to the root of the repository.
pub fn repository_name(path: &Path) -> String {
    path.strip_prefix(repository_path("")).unwrap().to_str().unwrap().to_string()
}

/// Runs a script of the folder `scripts` and returns the path that it prints.
pub fn made_by(script: &str) -> PathBuf {
    let ran = Command::new(repository_path("scripts").join(script)).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    PathBuf::from(String::from_utf8(ran.stdout).unwrap().trim())
}

/// Reads a JSON record by its path in `precomp`.
pub fn record(path: &str) -> Json {
    read_json(&repository_path("precomp").join(path))
}

/// Returns the sorted paths of the files in a folder that end with `end`.
pub fn files(folder: &str, end: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(repository_path(folder)).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.to_str().unwrap().ends_with(end)).collect();
    files.sort();
    files
}

/// Reads all records of a folder in `precomp`, sorted by path.
pub fn records(folder: &str) -> Vec<Json> {
    files(&format!("precomp/{folder}"), ".json").iter().map(|path| read_json(path)).collect()
}

pub fn read_json(path: &Path) -> Json {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Reads a file of JSON lines.
pub fn read_json_lines(path: &Path) -> Vec<Json> {
    json_lines(&std::fs::read_to_string(path).unwrap())
}

pub fn json_lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Reads a page by its path in the repository.
pub fn page(path: &str) -> String {
    std::fs::read_to_string(repository_path(path)).unwrap()
}

/// Returns the code and position of every `moves` and `end` request in the texts of a game (`tests/rules/texts`).
pub fn positions_of_texts(game: &str) -> Vec<(String, String)> {
    let asked = |line: &str| {
        let (verb, request) = line.strip_prefix("> ")?.split_once(' ')?;
        let (code, position) = request.split_once(' ').filter(|_| matches!(verb, "moves" | "end"))?;
        Some((code.into(), position.into()))
    };
    page(&format!("tests/rules/texts/{game}.txt")).lines().filter_map(asked).collect()
}

/// A fenced block of a page, with the paragraph before it.
pub struct Block<'a> {
    pub before: &'a str,
    pub lines: Vec<&'a str>,
}

/// Returns the fenced blocks of a page that are marked with `language`.
pub fn blocks<'a>(page: &'a str, language: &str) -> Vec<Block<'a>> {
    let fence = format!("\n```{language}\n");
    let block = |(at, _): (usize, &str)| {
        let body = &page[at + fence.len()..];
        let end = body.find("\n```\n").expect("every block is closed");
        Block { before: page[..at].trim_end().rsplit("\n\n").next().unwrap(), lines: body[..end].lines().collect() }
    };
    page.match_indices(&fence).map(block).collect()
}

/// Returns the fenced `text` blocks whose first line begins with `start`. Panics if there are none.
pub fn blocks_from<'a>(page: &'a str, start: &str) -> Vec<Block<'a>> {
    let mut found = blocks(page, "text");
    found.retain(|block| block.lines[0].starts_with(start));
    assert!(!found.is_empty(), "no block begins with {start:?}");
    found
}

/// Splits lines that show two pictures side by side. Returns the left picture, the move in the arrow between them, and
/// the right picture, or `None` if there is no arrow.
pub fn side_by_side<'a>(lines: &[&'a str]) -> Option<(Vec<&'a str>, &'a str, Vec<&'a str>)> {
    let (row, left) = lines.iter().enumerate().find_map(|(row, line)| Some((row, line.find("-- ")?)))?;
    let (arrow, _) = lines[row][left..].split_once("   ").expect("something right of the arrow");
    let right = left + arrow.len() + 3;
    let before = lines.iter().map(|line| line[..left].trim_end()).collect();
    let after = lines.iter().map(|line| &line[right..]).collect();
    Some((before, arrow.trim_start_matches("-- ").trim_end_matches(" -->"), after))
}

/// Returns the texts between backquotes on a page, except those in fenced blocks.
pub fn inline_codes(page: &str) -> Vec<&str> {
    let parts = page.split("\n```").step_by(2);
    parts.flat_map(|part| part.lines().flat_map(|line| line.split('`').skip(1).step_by(2))).collect()
}

/// Returns the cells of every table row of a page, without `` ` `` around a cell.
pub fn rows(page: &str) -> Vec<Vec<&str>> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()).collect()
}

/// Parses a number with commas as thousands separators.
pub fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("{text} is not a number"))
}

/// Formats a number with commas as thousands separators. This is the inverse of [`number`].
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|part| std::str::from_utf8(part).unwrap()).collect();
    parts.join(",")
}

/// Returns the words in which pages give the value of a start position.
pub fn result(value: Distance) -> String {
    match value {
        Distance::Win(plies) => format!("Black wins in {}", plies.0),
        Distance::Loss(plies) => format!("White wins in {}", plies.0),
        Distance::Draw => "draw".into(),
    }
}

/// Returns the text of a file of requests with current answers. A line that begins with `> ` is a request, and `answer`
/// gets the rest of that line. Lines that begin with `## ` are remarks.
pub fn answer_requests(file: &str, answer: impl Fn(&str) -> String) -> String {
    let (mut told, mut before) = (String::new(), "## ");
    for line in file.lines() {
        if line.starts_with("## ") {
            told += if before.is_empty() { "\n" } else { "" };
            told += &format!("{line}\n");
        } else if let Some(request) = line.strip_prefix("> ") {
            told += &format!("{line}\n{}\n", answer(request));
        }
        before = line;
    }
    told
}
