//! What the command prints about solving, in sessions each in a folder of its own, and what it refuses.

use crate::support::command::{fails, files};
use crate::support::repository::rows;

#[test]
fn sessions_are_what_the_command_prints() {
    let sessions = trycmd::TestCases::new();
    sessions.env("YOMIKIRI_TABLES", ".").case("tests/solve/sessions/*.trycmd").case("tests/solve/sessions/*.toml");
}

#[test]
fn senseless_requests_are_refused_in_one_line_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for [status, arguments, words] in rows(include_str!("refused.txt")) {
        let arguments = shlex::split(arguments).unwrap();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let line = fails(folder.path(), &arguments, status.parse().unwrap());
        assert!(line.contains(words), "{arguments:?}: {line}");
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_bad_line_stops_before_anything_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ends.obf");
    let refused = |text: &[u8]| {
        std::fs::write(&path, text).unwrap();
        fails(folder.path(), &["solve", "rev4x4", "--file", path.to_str().unwrap()], 2)
    };
    for [line, words] in rows(include_str!("refused_lines.txt")) {
        let error = refused(format!("startpos\n\n{line}\nstartpos\n").as_bytes());
        assert!(error.contains("ends.obf:3: ") && error.contains(words), "{line}: {error}");
    }
    assert!(refused(b"startpos\n\xff\xfe X\n").ends_with("ends.obf:2: is no UTF-8 text\n"));
}
