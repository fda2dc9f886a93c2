//! Files of the repository that tests hold the program to: records and pages.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;
use yomikiri_rules::Distance;

/// A path in the repository.
pub fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What a script of the project prints: the path of something that it has made.
pub fn made_by(script: &str) -> PathBuf {
    let ran = Command::new(at("scripts").join(script)).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    PathBuf::from(String::from_utf8(ran.stdout).unwrap().trim())
}

/// A recorded JSON, by its path in precomp.
pub fn record(path: &str) -> Json {
    read_json(&at("precomp").join(path))
}

/// The files of a folder whose names end so, in order.
pub fn files(folder: &str, end: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(at(folder)).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.to_str().unwrap().ends_with(end)).collect();
    files.sort();
    files
}

/// All records of a folder in precomp.
pub fn records(folder: &str) -> Vec<Json> {
    files(&format!("precomp/{folder}"), ".json").iter().map(|path| read_json(path)).collect()
}

pub fn read_json(path: &Path) -> Json {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// A page, by its path in the repository.
pub fn page(path: &str) -> String {
    std::fs::read_to_string(at(path)).unwrap()
}

/// The codes and positions whose moves or ends the texts of a game ask for (`tests/rules/texts`).
pub fn positions_of_texts(game: &str) -> Vec<(String, String)> {
    let asked = |line: &str| {
        let (verb, request) = line.strip_prefix("> ")?.split_once(' ')?;
        let (code, position) = request.split_once(' ').filter(|_| matches!(verb, "moves" | "end"))?;
        Some((code.into(), position.into()))
    };
    page(&format!("tests/rules/texts/{game}.txt")).lines().filter_map(asked).collect()
}

/// A fenced block of a page with the paragraph before it.
pub struct Block<'a> {
    pub before: &'a str,
    pub lines: Vec<&'a str>,
}

/// The fenced blocks of a language.
pub fn blocks<'a>(page: &'a str, language: &str) -> Vec<Block<'a>> {
    let fence = format!("\n```{language}\n");
    let block = |(at, _): (usize, &str)| {
        let body = &page[at + fence.len()..];
        let end = body.find("\n```\n").expect("every block is closed");
        Block { before: page[..at].trim_end().rsplit("\n\n").next().unwrap(), lines: body[..end].lines().collect() }
    };
    page.match_indices(&fence).map(block).collect()
}

/// The fenced texts that begin so; there must be some.
pub fn blocks_from<'a>(page: &'a str, start: &str) -> Vec<Block<'a>> {
    let mut found = blocks(page, "text");
    found.retain(|block| block.lines[0].starts_with(start));
    assert!(!found.is_empty(), "no block begins with {start:?}");
    found
}

/// Two pictures side by side, and the move in the arrow between them.
pub fn side_by_side<'a>(lines: &[&'a str]) -> Option<(Vec<&'a str>, &'a str, Vec<&'a str>)> {
    let (row, left) = lines.iter().enumerate().find_map(|(row, line)| Some((row, line.find("-- ")?)))?;
    let (arrow, _) = lines[row][left..].split_once("   ").expect("something right of the arrow");
    let right = left + arrow.len() + 3;
    let before = lines.iter().map(|line| line[..left].trim_end()).collect();
    let after = lines.iter().map(|line| &line[right..]).collect();
    Some((before, arrow.trim_start_matches("-- ").trim_end_matches(" -->"), after))
}

/// What stands between `` ` `` on one line, without the blocks.
pub fn inline_codes(page: &str) -> Vec<&str> {
    let parts = page.split("\n```").step_by(2);
    parts.flat_map(|part| part.lines().flat_map(|line| line.split('`').skip(1).step_by(2))).collect()
}

/// Rows of the tables of a page, cell by cell, without `` ` `` around a cell.
pub fn rows(page: &str) -> Vec<Vec<&str>> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()).collect()
}

/// A number with commas.
pub fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// What pages say of a start's value.
pub fn result(value: Distance) -> String {
    match value {
        Distance::Win(plies) => format!("Black wins in {}", plies.0),
        Distance::Loss(plies) => format!("White wins in {}", plies.0),
        Distance::Draw => "draw".into(),
    }
}

/// A file of requests, each after `> `, and their answers with the answers of today. Lines that begin with `## ` are
/// remarks.
pub fn answered(file: &str, answer: impl Fn(&str) -> String) -> String {
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
