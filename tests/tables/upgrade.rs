//! Tests of upgrades of tables and certificates that older programs made. These are the files of format 1 in
//! `version1`.

use std::fs;
use std::path::Path;

use crate::support::command::{fails, good, good_json, run};
use crate::support::games::{animal_shogi, binarsi, pyonpyon, reversi};
use crate::support::repository::repository_path;
use crate::support::solving::analyzed;
use tempfile::TempDir;
use yomikiri_solve::Solvable;

/// Returns a folder with copies of the files of format 1.
fn old() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(repository_path("tests/tables/version1")).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    folder
}

/// Checks that an upgraded table has the same bytes as a new one.
fn check_upgrade<G: Solvable>(folder: &Path, game: &G) {
    let fresh = tempfile::tempdir().unwrap();
    let expected = fs::read(analyzed(game, fresh.path()).path()).unwrap();
    let found = fs::read(folder.join(format!("{}.tbl", game.code()))).unwrap();
    assert!(found == expected, "{}", game.code());
}

#[test]
fn old_tables_become_what_would_be_made_today() {
    let folder = old();
    let folder = folder.path();
    for code in ["bin2x2", "m00c1", "pyon2x3", "rev3x3"] {
        let line = fails(folder, &["stats", code], 1);
        let words = "has format version 1, but this program reads version 2; run \"yomikiri tables upgrade\"";
        assert!(line.contains(words), "{line}");
    }
    good(folder, &["tables", "upgrade"]);
    check_upgrade(folder, &binarsi("bin2x2"));
    check_upgrade(folder, &animal_shogi("m00c1"));
    check_upgrade(folder, &pyonpyon("pyon2x3"));
    check_upgrade(folder, &reversi("rev3x3"));
    good(folder, &["tables", "check"]);
}

#[test]
fn an_old_certificate_proves_what_it_proved() {
    let folder = old();
    let folder = folder.path();
    good(folder, &["tables", "upgrade", "bin4x4.proof.gz"]);
    assert!(!folder.join("bin4x4.proof.gz").exists());
    let query = |at: &str| good_json(folder, &["query", "bin4x4", at, "--json"]);
    let trust = |at: &str| query(at)["certificate"].clone();
    assert_eq!(trust("startpos"), "unchecked");
    let text = good(folder, &["query", "bin4x4", "startpos"]);
    assert!(text.contains("White wins, by an unchecked certificate"), "{text}");
    let file = folder.join("bin4x4.proof");
    let report = good_json(folder, &["check", file.to_str().unwrap(), "--rules", "bin4x4", "--json"]);
    assert_eq!((&report["proved"], &report["winner"]), (&true.into(), &"white".into()));
    assert_eq!(trust("startpos"), "checked");
}

/// An old file that is damaged anywhere is not changed.
#[test]
fn damaged_old_files_are_not_upgraded() {
    let folder = old();
    for name in ["bin2x2.tbl", "m00c1.tbl", "pyon2x3.tbl", "bin4x4.proof.gz"] {
        let path = folder.path().join(name);
        let sound = fs::read(&path).unwrap();
        for at in (0..sound.len()).step_by(sound.len() / 40) {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x20;
            fs::write(&path, &bytes).unwrap();
            let output = run(folder.path(), &["tables", "upgrade", name]);
            assert!(!output.status.success(), "{name}, byte {at}");
            assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1, "{name}, byte {at}");
            assert!(fs::read(&path).unwrap() == bytes, "{name}, byte {at}");
        }
        fs::write(&path, &sound[..sound.len() - 1]).unwrap();
        fails(folder.path(), &["tables", "upgrade", name], 1);
        fs::write(&path, sound).unwrap();
    }
}
