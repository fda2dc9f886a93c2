//! Checks the list of the sources that change files. These few sources check what exists at a path before they write
//! there.

use std::fs;
use std::path::PathBuf;

use crate::support::repository::{self, repository_name, repository_path};

/// The sources that change files or folders by themselves, with their purposes. All other sources use `PartFile`,
/// `disk` and `own_folder`, which check what exists at a path.
const CHANGERS: &[(&str, &str)] = &[
    ("crates/table/src/disk/mod.rs", "every change to a file"),
    ("crates/table/src/lock.rs", "locks, which are empty"),
    ("crates/table/src/own_folder.rs", "folders with a marker"),
    ("crates/table/src/platform/other.rs", "opens files"),
    ("crates/table/src/platform/unix/mod.rs", "opens files"),
    ("crates/table/src/platform/windows/mod.rs", "opens files"),
    ("crates/table/src/regular.rs", "opens files"),
    ("crates/table/src/regular/write.rs", "opens files for writing"),
    ("crates/table/src/storage.rs", "folders of a cluster's files"),
    ("crates/command/src/site/copy.rs", "files in the marked folder of a copy"),
    ("crates/command/src/site/pins.rs", "files in the marked folder of a copy"),
    ("crates/command/src/survey/komi_proofs.rs", "files in the marked folder of a survey's work"),
    ("crates/command/src/survey/methods.rs", "files in the marked folder of a survey's work"),
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
    // These are types of the program, not `std::fs::File`.
    let allowed = [
        "DiskFile::create",
        "OutFile::create",
        "DataFile::create",
        "ParquetFile::create",
        "PartFile::create",
        "RecordFile::create",
    ];
    let mut found = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap().split("#[cfg(all(test").next().unwrap();
        let changes_files = text
            .lines()
            .map(|line| allowed.iter().fold(line.to_string(), |line, own| line.replace(own, "")))
            .any(|line| !line.trim_start().starts_with("//") && changes.iter().any(|change| line.contains(change)));
        if changes_files {
            found.push(repository_name(&path));
        }
    }
    found.sort();
    let known = |name: &String| CHANGERS.iter().any(|(known, _)| known == name);
    let unknown: Vec<&String> = found.iter().filter(|name| !known(name)).collect();
    assert!(unknown.is_empty(), "changes files by itself: {unknown:?}");
    let lost: Vec<_> = CHANGERS.iter().filter(|(name, _)| !found.iter().any(|found| found == name)).collect();
    assert!(lost.is_empty(), "no longer changes files: {lost:?}");
}

/// Returns the sources of the crates, without files of tests.
fn sources() -> Vec<PathBuf> {
    let crates = fs::read_dir(repository_path("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let all = repository::sources(crates);
    all.into_iter().filter(|path| !path.ends_with("tests.rs")).collect()
}
