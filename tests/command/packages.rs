//! The packages for crates.io, as scripts/package makes them.

use std::collections::BTreeMap;
use std::io::Read;
use std::process::Command;

use flate2::read::GzDecoder;

use crate::support::repository::repository_path;

/// Reads an archive in the format of tar. Returns the contents of its plain files by name, and the names of all other
/// entries. Names of more than 100 bytes are cut.
fn read_tar(bytes: &[u8]) -> (BTreeMap<String, &[u8]>, Vec<String>) {
    let text = |field: &[u8]| String::from_utf8(field.split(|&byte| byte == 0).next().unwrap().to_vec()).unwrap();
    let (mut files, mut others, mut rest) = (BTreeMap::new(), Vec::new(), bytes);
    while let Some((header, after)) = rest.split_first_chunk::<512>().filter(|(header, _)| header[0] != 0) {
        let size = usize::from_str_radix(text(&header[124..136]).trim(), 8).unwrap();
        let name = text(&header[..100]);
        if matches!(header[156], 0 | b'0') {
            files.insert(name, &after[..size]);
        } else {
            others.push(name);
        }
        rest = &after[size.next_multiple_of(512)..];
    }
    (files, others)
}

#[test]
fn packages_have_all_that_they_need_and_nothing_from_outside() {
    let out = tempfile::tempdir().unwrap();
    let made = Command::new(repository_path("scripts/package"))
        .arg("--no-verify")
        .arg("--out")
        .arg(out.path())
        .env("CARGO_NET_OFFLINE", "true")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{told}");
    let licence = std::fs::read(repository_path("LICENSE")).unwrap();
    let mut names = Vec::new();
    for file in std::fs::read_dir(out.path()).unwrap().map(|entry| entry.unwrap().path()) {
        let mut bytes = Vec::new();
        GzDecoder::new(std::fs::File::open(&file).unwrap()).read_to_end(&mut bytes).unwrap();
        let (files, others) = read_tar(&bytes);
        let stem = file.file_stem().unwrap().to_str().unwrap();
        assert_eq!(others, Vec::<String>::new(), "{stem} has links");
        let has = |name: &str| files.get(&format!("{stem}/{name}")).copied();
        assert_eq!(has("LICENSE"), Some(&licence[..]), "{stem}");
        assert!(has("README.md").is_some_and(|text| text.starts_with(b"# ")), "{stem}");
        assert!(has("src/lib.rs").or(has("src/main.rs")).is_some(), "{stem}");
        let manifest = std::str::from_utf8(has("Cargo.toml").unwrap()).unwrap();
        for needed in ["description = ", "license = ", "keywords = ", "categories = ", "readme = ", "rust-version = "] {
            assert!(manifest.contains(needed), "{stem} lacks {needed}");
        }
        let outside = manifest.lines().find(|line| line.contains("path = \"../"));
        assert_eq!(outside, None, "{stem}");
        if stem.starts_with("yomikiri-command-") {
            assert!(has("page/index.html").is_some_and(|page| !page.is_empty()));
        }
        names.push(stem.strip_suffix(&format!("-{}", env!("CARGO_PKG_VERSION"))).unwrap().to_string());
    }
    names.sort_unstable();
    let published = ["answer", "command", "export", "play", "remote", "rules", "search", "solve", "table"];
    let mut expected: Vec<String> = published.iter().map(|name| format!("yomikiri-{name}")).collect();
    expected.insert(0, "yomikiri".into());
    assert_eq!(names, expected);
}
