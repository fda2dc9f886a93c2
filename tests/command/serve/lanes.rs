//! Tests that short questions and other clients do not have to wait for long questions.
//!
//! The tests check the order of the answers, not their times.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread;

use rustix::process::Signal;

use crate::support::command::{good, tables};
use crate::support::serve::{Server, answer, answered};

/// The number of questions that one client asks at the same time, far above the number of cores.
const MANY: usize = 100;

/// A question that needs a search of a few tenths of a second, because there is no table for it.
const SEARCH: &str = "line?rules=bin7x6";

#[test]
fn searches_hold_up_no_look_up() {
    let folder = tables(&["bin3x3"]);
    let server = Server::start(folder.path(), &[]);
    let searches = server.ask_from(1, SEARCH, MANY);
    for question in [
        "query?rules=bin3x3",
        "line?rules=bin3x3",
        "choose?rules=bin3x3",
        "stats?rules=bin3x3",
        "tables",
        "games",
        "rules?rules=bin7x6",
        "openapi.json",
    ] {
        server.good(question);
    }
    let done = answered(&searches);
    assert!(done < MANY / 2, "{done} of {MANY} searches were done before the look-ups");
}

#[test]
fn searches_of_one_client_hold_up_no_search_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let greedy = server.ask_from(2, SEARCH, MANY);
    let mut other = server.ask_from(3, SEARCH, 1);
    let (status, head, _) = answer(&mut other[0]);
    assert_eq!(status, 404, "{head}");
    let done = answered(&greedy);
    assert!(done < MANY / 2, "{done} of {MANY} searches were done before that of another client");
}

/// Starts a server that sends the manifest of a folder and does not answer other requests. Returns its address.
fn silent(folder: &Path) -> String {
    let list = std::fs::read(folder.join("manifest.json")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    // The thread ends with the test program.
    thread::spawn(move || {
        let mut silent = Vec::new();
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let asked = lines.next().unwrap_or_default();
            let _ = lines.find(String::is_empty);
            if asked.contains("/manifest.json ") {
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", list.len());
                stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&list)).unwrap();
            } else {
                silent.push(stream);
            }
        }
    });
    format!("http://{address}")
}

#[test]
fn a_silent_address_holds_up_only_what_needs_its_files() {
    let folder = tables(&["bin2x2"]);
    good(folder.path(), &["tables", "manifest"]);
    let server = Server::start(folder.path(), &["--tables", &silent(folder.path())]);
    let waiting = server.ask_from(1, "query?rules=bin2x2", MANY);
    for question in ["games", "rules?rules=bin2x2", "openapi.json"] {
        server.good(question);
    }
    assert!(server.refused("puzzle?rules=bin2x2", 400).contains("plies is required"));
    assert!(answered(&waiting) < MANY, "what needs the files was answered first");
    // Questions that wait for the address do not keep the server from ending.
    server.signal(Signal::TERM);
    assert!(server.end().success());
}
