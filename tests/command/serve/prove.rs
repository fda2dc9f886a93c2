//! Tests of questions for proofs, whose answer is sent line by line.

use std::io::Write;

use serde_json::Value as Json;

use super::answers::description;
use super::lists::without_chunks;
use crate::support::command::{good_json, tables, wait};
use crate::support::repository::json_lines;
use crate::support::serve::{Server, answered, children, escaped};

/// A late position of the 7x6 board whose moves are all decided within a second.
const LATE: &str = "xxxxxox/ooooooo/oxooooo/ooxxxxo/xxxxxxx/7 b 134abc 8///13//7 16";

/// A position whose proof takes hours.
const EARLY: &str = "startpos moves 4n";

fn path(code: &str, position: &str) -> String {
    format!("/api/v1/prove?rules={code}&position={}", escaped(position))
}

/// Returns the lines of the answer about a position.
fn lines(server: &Server, code: &str, position: &str) -> Vec<Json> {
    let (status, head, body) = server.get(&path(code, position));
    assert!(status == 200 && head.contains("content-type: application/x-ndjson"), "{head}");
    let body = if head.contains("transfer-encoding: chunked") { without_chunks(&body) } else { body };
    let text = String::from_utf8(body).unwrap();
    assert!(text.ends_with('\n'), "{text}");
    json_lines(&text)
}

fn moves(report: &Json) -> &[Json] {
    report["moves"].as_array().unwrap()
}

#[test]
fn the_last_line_is_the_answer_and_those_before_are_what_it_has() {
    let folder = tables(&["bin3x3"]);
    let server = Server::start(folder.path(), &["--patience", "600"]);
    let by_table = lines(&server, "bin3x3", "startpos");
    assert_eq!(by_table, [server.good("query?rules=bin3x3")]);
    let told = lines(&server, "bin7x6", LATE);
    let (last, before) = told.split_last().unwrap();
    assert_eq!((&last["source"], &last["winner"]), (&"proof".into(), &"white".into()), "{last}");
    assert!(moves(last).iter().all(|mv| !mv["outcome"].is_null()), "{last}");
    assert_eq!(before[0], serde_json::json!({"winner": "white"}));
    let all = moves(last).len() as u64;
    let mut decided = all - (before.len() as u64 - 1);
    for line in &before[1..] {
        decided += 1;
        assert_eq!((line["decided"].as_u64(), line["of"].as_u64()), (Some(decided), Some(all)), "{line}");
        let same = moves(last).iter().find(|mv| mv["move"] == line["move"]).unwrap();
        assert!(same.as_object().unwrap().iter().all(|(name, value)| line[name] == *value), "{line} {same}");
    }
    assert_eq!(decided, all);
    assert_eq!(*last, good_json(folder.path(), &["query", "bin7x6", LATE, "--json", "--time", "600s"]));
    assert_eq!(*last, server.good(&format!("query?rules=bin7x6&position={}", escaped(LATE))));
    let description = description(&server.good("openapi.json"), "/api/v1/prove", "get");
    for line in told.iter().chain(&by_table) {
        assert_eq!(description.problem(line), None);
    }
}

#[test]
fn what_is_open_when_the_time_is_over_has_no_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--patience", "2"]);
    let told = lines(&server, "bin7x6", EARLY);
    let last = told.last().unwrap();
    assert!(last["outcome"].is_null() && last["winner"].is_null() && last["source"] == "proof", "{last}");
    assert!(moves(last).len() == 19 && moves(last).iter().all(|mv| mv["outcome"].is_null()), "{last}");
    assert_eq!(*last, server.good(&format!("query?rules=bin7x6&position={}", escaped(EARLY))));
}

#[test]
fn a_proof_ends_when_its_client_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--patience", "3600"]);
    let mut stream = server.connect_from(2, 1);
    stream[0].write_all(server.request("GET", &path("bin7x6", EARLY), "").as_bytes()).unwrap();
    wait("a child process proves", || !children(server.process.id()).is_empty());
    drop(stream);
    wait("the child process ends", || children(server.process.id()).is_empty());
    let waiting = server.connect_from(2, 1);
    assert_eq!(answered(&waiting), 0);
    server.good("games");
}

#[test]
fn questions_that_make_no_sense_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    assert!(server.refused("prove", 400).contains("rules is missing"));
    assert!(server.refused("prove?rules=bin7x6&position=nonsense", 400).contains("SFEN"));
    assert!(server.refused("prove?rules=bin7x6&time=9", 400).contains("\"time\" is not a parameter of this question"));
    // Only a child process finds out that there is nothing to prove.
    let told = lines(&server, "bin7x6-p", "startpos");
    assert!(told.len() == 1 && told[0]["status"] == 404, "{told:?}");
    assert!(told[0]["error"].as_str().unwrap().contains("too many to search"), "{told:?}");
}
