//! The command and what it says when it compares.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;
use tempfile::TempDir;

pub fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.env("YOMIKIRI_TABLES", folder).args(args).stdin(Stdio::null()).output().unwrap()
}

/// Standard output of a run that has to succeed.
pub fn good(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub fn good_json(folder: &Path, args: &[&str]) -> Json {
    let out = good(folder, args);
    assert_eq!(out.lines().count(), 1, "{args:?}: JSON stands on one line");
    serde_json::from_str(&out).unwrap()
}

/// The one line of a run that has to fail with this status.
pub fn fails(folder: &Path, args: &[&str], status: i32) -> String {
    let output = run(folder, args);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {err}");
    assert!(output.stdout.is_empty() && err.lines().count() == 1 && err.starts_with("error: "), "{args:?}: {err}");
    err
}

/// A folder with the finished tables of these codes.
pub fn tables(codes: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for code in codes {
        good(folder.path(), &["analyze", code]);
    }
    folder
}

pub const GROUPS: [&str; 3] = ["go_on", "over_in_first", "over_in_second"];
pub const OUTCOMES: [&str; 3] = ["win", "draw", "loss"];

/// What has to add up in any comparison.
pub fn check_sums(json: &Json) {
    let number = |value: &Json| value.as_u64().unwrap_or_else(|| panic!("{value} is no number"));
    let compared = |group: &str| number(&json[group]["compared"]);
    let only = |side: &str| number(&json[side]["count"]);
    for group in GROUPS {
        let matrix = |from: &str| OUTCOMES.iter().map(|to| number(&json[group]["outcomes"][from][to])).sum::<u64>();
        assert_eq!(OUTCOMES.iter().map(|from| matrix(from)).sum::<u64>(), compared(group), "matrix of {group}");
        let changes = json[group]["changes"].as_array().unwrap();
        let changed: u64 = changes.iter().map(|changes| number(&changes["count"])).sum();
        assert_eq!(changed + number(&json[group]["unchanged"]), compared(group), "changes of {group}");
        for changes in changes {
            if let Some((from, to)) = changes["change"].as_str().unwrap().split_once("_to_") {
                assert_eq!(changes["count"], json[group]["outcomes"][from][to]);
            }
        }
    }
    assert_eq!(number(&json["compared"]), GROUPS.map(compared).iter().sum::<u64>());
    let first = compared("go_on") + compared("over_in_second") + only("only_first");
    let second = compared("go_on") + compared("over_in_first") + only("only_second");
    assert_eq!([first, second], ["first", "second"].map(|side| number(&json[side]["positions"])));
}

/// Every list of examples of a comparison.
pub fn all_examples(json: &Json) -> Vec<&Vec<Json>> {
    let changes = GROUPS.iter().flat_map(|group| json[group]["changes"].as_array().unwrap());
    let lists = changes.chain([&json["only_first"], &json["only_second"]]);
    lists.map(|changes| changes["examples"].as_array().unwrap()).collect()
}
