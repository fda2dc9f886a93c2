//! Which sources change files: few, so that nothing is written past the look at what is there.

use std::fs;
use std::path::PathBuf;

use crate::support::repository::at;

/// The files that change files or folders by themselves, and all that they are for. Everything else goes through
/// `Part`, `disk` and `own_folder`, which look at what is there.
const CHANGERS: &[(&str, &str)] = &[
    ("crates/table/src/disk/mod.rs", "every change to a file"),
    ("crates/table/src/lock.rs", "locks, which are empty"),
    ("crates/table/src/own_folder.rs", "folders with a marker"),
    ("crates/table/src/regular.rs", "opens files"),
    ("crates/table/src/storage.rs", "folders of a cluster's files"),
    ("src/prove/certificate.rs", "makes the folder of tables"),
    ("src/site/copy.rs", "files in the marked folder of a copy"),
    ("src/site/pins.rs", "files in the marked folder of a copy"),
    ("src/survey/kept.rs", "files in the marked folder of a survey's work"),
    ("src/survey/ways.rs", "files in the marked folder of a survey's work"),
];

#[test]
fn few_sources_change_files() {
    let changes = [
        "fs::write",
        "remove_file",
        "remove_dir",
        "fs::rename",
        "create_dir",
        "File::create",
        "File::options",
        "OpenOptions",
        "fs::copy",
        "hard_link",
        "symlink(",
    ];
    // Through the one place.
    let allowed =
        ["DiskFile::create", "OutFile::create", "DataFile::create", "ParquetFile::create", "RecordFile::create"];
    let mut found = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap().split("#[cfg(all(test").next().unwrap();
        let changes_files = text
            .lines()
            .map(|line| allowed.iter().fold(line.to_string(), |line, own| line.replace(own, "")))
            .any(|line| !line.trim_start().starts_with("//") && changes.iter().any(|change| line.contains(change)));
        if changes_files {
            found.push(path.strip_prefix(at("")).unwrap().to_str().unwrap().to_string());
        }
    }
    found.sort();
    let known = |name: &String| CHANGERS.iter().any(|(known, _)| known == name);
    let unknown: Vec<&String> = found.iter().filter(|name| !known(name)).collect();
    assert!(unknown.is_empty(), "changes files by itself: {unknown:?}");
    let lost: Vec<_> = CHANGERS.iter().filter(|(name, _)| !found.iter().any(|found| found == name)).collect();
    assert!(lost.is_empty(), "no longer changes files: {lost:?}");
}

/// The sources of the command and of the crates.
fn sources() -> Vec<PathBuf> {
    let crates = fs::read_dir(at("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let (mut folders, mut found): (Vec<PathBuf>, _) = (crates.chain([at("src")]).collect(), Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "rs" && !path.ends_with("tests.rs") => found.push(path),
                _ => {}
            }
        }
    }
    found
}
