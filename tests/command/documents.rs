//! Checks that documents agree with the code.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use crate::support::repository::{page, repository_name, repository_path, sources};

/// docs/design.md lists exactly the files with unsafe code. Each of these files allows the lint `unsafe_code`, which is
/// denied elsewhere.
#[test]
fn the_design_lists_all_unsafe_code() {
    let page = page("docs/design.md");
    let (_, section) = page.split_once("\n## Unsafe code\n").expect("the section");
    let listed: BTreeSet<&str> = section.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs")).collect();
    let sources = sources(["crates", "src", "python/src", "fuzz/src", "benches"].map(repository_path));
    let allows = |path: &&PathBuf| std::fs::read_to_string(path).unwrap().contains("allow(unsafe_code");
    let found: BTreeSet<String> = sources.iter().filter(allows).map(|path| repository_name(path)).collect();
    assert_eq!(listed, found.iter().map(String::as_str).collect());
}

/// The pictures that scripts/structure draws from the manifests are up to date, and docs/design.md shows them.
#[test]
fn the_design_shows_the_crates_as_they_are() {
    let checked = Command::new(repository_path("scripts/structure")).arg("--check").output().unwrap();
    assert!(checked.status.success(), "run scripts/structure: {}", String::from_utf8_lossy(&checked.stderr));
    for name in ["crates.svg", "flow.svg"] {
        assert!(page("docs/design.md").contains(&format!("(pictures/{name})")), "{name} is not shown");
    }
}
