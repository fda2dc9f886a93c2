//! Files of the repository that tests hold the program to: records and pages.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

/// A path in the repository.
pub fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A recorded JSON, by its path in precomp.
pub fn record(path: &str) -> Json {
    read_json(&at("precomp").join(path))
}

/// All records of a folder in precomp.
pub fn records(folder: &str) -> Vec<Json> {
    let files = std::fs::read_dir(at("precomp").join(folder)).unwrap();
    files.map(|file| read_json(&file.unwrap().path())).collect()
}

pub fn read_json(path: &Path) -> Json {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// A page, by its path in the repository.
pub fn page(path: &str) -> String {
    std::fs::read_to_string(at(path)).unwrap()
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
