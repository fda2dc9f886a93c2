//! Tests of tables in pieces. Every command that takes a table also takes one in several files, and gives the same
//! answers.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::command::{command, fails, files, good, good_json, tables, with_input};
use crate::support::solving::pack_anyway;
use tempfile::TempDir;

/// The codes of a table of tiers, of one to compare it with, and of one that can be packed. Another table begins at
/// [`BELOW`].
const CODES: [&str; 3] = ["bin3x3", "bin3x3-n", "pyon2x5"];
const BELOW: &str = "startpos moves 2n";

/// The minimum length of a piece in bytes. Pieces of this length cut headers, pages and blocks in two.
const PIECE: usize = 100;

/// Cuts a table into pieces and deletes the table.
fn cut(path: &Path) {
    let bytes = fs::read(path).unwrap();
    for (number, piece) in bytes.chunks(bytes.len().div_ceil(9).max(PIECE)).enumerate() {
        fs::write(piece_of(path, number), piece).unwrap();
    }
    fs::remove_file(path).unwrap();
}

fn piece_of(path: &Path, number: usize) -> PathBuf {
    path.with_added_extension(format!("{number:04}"))
}

/// Returns a folder with whole tables, and one with the same tables in pieces.
fn whole_and_cut() -> (TempDir, TempDir) {
    let (whole, pieces) = (tables(&CODES), tempfile::tempdir().unwrap());
    good(whole.path(), &["analyze", "bin3x3-kb3.5", "--from", BELOW]);
    for name in files(whole.path()) {
        fs::copy(whole.path().join(&name), pieces.path().join(&name)).unwrap();
        cut(&pieces.path().join(&name));
    }
    (whole, pieces)
}

/// Returns the standard output of a command that reads `lines`.
fn session(folder: &Path, args: &[&str], lines: &str) -> String {
    String::from_utf8(with_input(command(folder, args), lines).stdout).unwrap()
}

#[test]
fn every_verb_takes_a_table_in_pieces() {
    let (whole, pieces) = whole_and_cut();
    let same = |what: &str, said: &dyn Fn(&Path) -> String| {
        let [one, other] =
            [&whole, &pieces].map(|folder| said(folder.path()).replace(folder.path().to_str().unwrap(), ""));
        assert_eq!(one, other, "{what}");
    };
    for words in [
        &["query", "bin3x3", "startpos", "--json"][..],
        &["query", "bin3x3-kb3.5", BELOW, "--json"],
        &["line", "bin3x3"],
        &["stats", "bin3x3", "--json"],
        &["stats", "bin3x3", "--by", "ply"],
        &["puzzle", "bin3x3", "--plies", "3", "--json"],
        &["compare", "bin3x3", "bin3x3-n", "--json"],
        &["verify", "bin3x3"],
        &["verify", "pyon2x5"],
        &["verify", "bin3x3", "--sample", "20"],
        &["verify", "bin3x3-kb3.5", "--from", BELOW],
        &["export", "bin3x3", "--to", "gz"],
        &["export", "bin3x3", "--to", "csv"],
        &["plot", "bin3x3", "--what", "branching"],
        &["tables", "check"],
        &["tables", "--json"],
    ] {
        same(&words.join(" "), &|folder| good(folder, words));
    }
    let moves = "usi\nisready\nposition startpos moves 2n\ngo movetime 100\nquit\n";
    let best = |said: String| said.lines().filter(|line| line.starts_with("bestmove")).collect::<Vec<_>>().join("\n");
    same("usi", &|folder| best(session(folder, &["usi", "bin3x3"], moves)));
    same("query -", &|folder| session(folder, &["query", "bin3x3", "-"], "startpos\n@41600\n"));
    same("query - --resident", &|folder| session(folder, &["query", "bin3x3", "-", "--resident"], "startpos\n"));
    for name in ["r_bin3x3_keys.gz", "r_bin3x3_vals.gz", "r_bin3x3_positions.csv", "r_bin3x3_branching.svg"] {
        let read = |folder: &TempDir| fs::read(folder.path().join(name)).ok();
        assert!(read(&whole) == read(&pieces), "{name}");
    }
    assert_eq!(good_json(pieces.path(), &["query", "bin3x3-kb3.5", BELOW, "--json"])["source"], "table");
}

#[test]
fn analyze_does_not_solve_a_table_in_pieces_again() {
    let (whole, pieces) = whole_and_cut();
    let folder = pieces.path();
    let before = files(folder);
    for words in [&["analyze", "bin3x3"][..], &["analyze", "bin3x3-kb3.5", "--from", BELOW]] {
        let said = good(folder, words);
        assert!(said.contains("already there, nothing to do"), "{words:?}: {said}");
    }
    assert_eq!(files(folder), before);
    // With `--force`, a run replaces the pieces by one file.
    good(folder, &["analyze", "bin3x3", "--force"]);
    let path = folder.join("bin3x3.tbl");
    assert!(fs::read(&path).unwrap() == fs::read(whole.path().join("bin3x3.tbl")).unwrap());
    assert!(!piece_of(&path, 0).exists() && !piece_of(&path, 8).exists());
    // A file with the name of a piece stays if it is not a piece of a table, either after the end of the table or as
    // the first piece.
    fs::rename(&path, piece_of(&path, 0)).unwrap();
    fs::write(piece_of(&path, 1), "a letter").unwrap();
    good(folder, &["analyze", "bin3x3", "--force"]);
    assert!(!piece_of(&path, 0).exists() && fs::read(piece_of(&path, 1)).unwrap() == b"a letter");
    fs::write(piece_of(&path, 0), "a letter").unwrap();
    good(folder, &["analyze", "bin3x3", "--force"]);
    assert_eq!(fs::read(piece_of(&path, 0)).unwrap(), b"a letter");
}

#[test]
fn pack_and_unpack_make_one_file_of_pieces() {
    let (whole, pieces) = whole_and_cut();
    let (path, sound) = (pieces.path().join("pyon2x5.tbl"), fs::read(whole.path().join("pyon2x5.tbl")).unwrap());
    let said = good(pieces.path(), &["tables", "unpack", "pyon2x5.tbl"]);
    assert!(said.starts_with("pyon2x5.tbl: is not packed, ") && !path.exists(), "{said}");
    // A table that would not become smaller stays in pieces.
    let said = good(pieces.path(), &["tables", "pack", "pyon2x5.tbl"]);
    assert!(said.starts_with("pyon2x5.tbl: packing would not make it smaller, ") && !path.exists(), "{said}");
    pack_anyway(&path);
    assert!(path.exists() && !piece_of(&path, 0).exists() && !piece_of(&path, 1).exists());
    good(pieces.path(), &["verify", "pyon2x5"]);
    cut(&path);
    let said = good(pieces.path(), &["tables", "unpack", "pyon2x5.tbl"]);
    assert!(said.starts_with("pyon2x5.tbl: unpacked, "), "{said}");
    assert!(fs::read(&path).unwrap() == sound && !piece_of(&path, 0).exists());
    // Tables that list all their positions have no smaller form, in pieces or not.
    let line = fails(pieces.path(), &["tables", "pack", "bin3x3.tbl"], 1);
    assert!(line.contains("bin3x3.tbl: has no smaller form"), "{line}");
    assert!(piece_of(&pieces.path().join("bin3x3.tbl"), 0).exists());
}

#[test]
fn a_single_piece_is_refused_with_the_name_of_its_table() {
    let (_, pieces) = whole_and_cut();
    for name in ["bin3x3.tbl.0000", "bin3x3.tbl.0003"] {
        for verb in ["check", "pack", "delete", "upgrade"] {
            let line = fails(pieces.path(), &["tables", verb, name], 2);
            assert!(
                line.contains(name) && line.contains("name the table, ") && line.contains("bin3x3.tbl\n"),
                "{line}"
            );
        }
    }
    // A name that is given twice is one file.
    assert_eq!(good(pieces.path(), &["tables", "delete", "bin3x3.tbl", "bin3x3.tbl"]), "bin3x3.tbl: deleted\n");
    assert!(files(pieces.path()).iter().all(|name| !name.starts_with("bin3x3.tbl")));
}

/// If a table is both in one file and in pieces, the file and the pieces are all deleted.
#[test]
fn delete_takes_the_whole_file_and_the_pieces() {
    let (whole, pieces) = whole_and_cut();
    fs::copy(whole.path().join("bin3x3.tbl"), pieces.path().join("bin3x3.tbl")).unwrap();
    good(pieces.path(), &["tables", "delete", "bin3x3.tbl"]);
    assert!(files(pieces.path()).iter().all(|name| !name.starts_with("bin3x3.tbl")));
    // If the first piece is not a file of the program, everything stays.
    fs::copy(whole.path().join("bin3x3.tbl"), pieces.path().join("bin3x3.tbl")).unwrap();
    fs::write(piece_of(&pieces.path().join("bin3x3.tbl"), 0), "a diary").unwrap();
    let before = files(pieces.path());
    fails(pieces.path(), &["tables", "delete", "bin3x3.tbl"], 1);
    assert_eq!(files(pieces.path()), before);
}

/// Tables of an older format can be in pieces too.
#[test]
fn upgrade_makes_one_file_of_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bin2x2.tbl");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables/version1/bin2x2.tbl");
    fs::copy(old, &path).unwrap();
    cut(&path);
    assert!(good(folder.path(), &["tables"]).contains("format 1; run: "));
    assert_eq!(good(folder.path(), &["tables", "upgrade"]).trim(), "bin2x2.tbl: upgraded");
    assert_eq!(files(folder.path()), ["bin2x2.tbl"]);
    good(folder.path(), &["verify", "bin2x2"]);
}
