//! Tests of questions that child processes answer.

use std::path::Path;
use std::process::Command;

use rustix::process::Signal;

use crate::support::command::{command, good, program, tables, wait};
use crate::support::serve::{Server, children, is_at_work, long_question};

/// A question that a child process answers quickly.
const PUZZLE: &str = "puzzle?rules=bin3x3&plies=5&seed=3";

/// The work on a long question ends when its client closes the connection. Before that, other questions are answered.
#[test]
fn long_questions_are_ended_with_those_who_asked() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &["--patience", "3000"]);
    let streams = server.ask_from(1, &long_question(), 3);
    let working =
        |wanted: usize| wait("the number of child processes", || children(server.process.id()).len() == wanted);
    working(2);
    server.good("query?rules=bin2x2");
    drop(streams);
    working(0);
}

/// Child processes end with the server, however it ends.
#[test]
fn child_processes_end_with_the_server() {
    let folder = tempfile::tempdir().unwrap();
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        let server = Server::start(folder.path(), &["--patience", "3000"]);
        let _streams = server.ask_from(1, &long_question(), 2);
        wait("two child processes", || children(server.process.id()).len() == 2);
        let working = children(server.process.id());
        server.signal(signal);
        assert_eq!(server.end().success(), signal != Signal::KILL, "{signal:?}");
        wait("the child processes still work", || !working.iter().any(|&child| is_at_work(child)));
    }
}

/// The running program answers even if its file has been replaced or deleted.
#[test]
fn a_server_whose_program_was_replaced_goes_on() {
    let folder = tables(&["bin3x3"]);
    let place = folder.path().join("program");
    std::fs::copy(program(), &place).unwrap();
    let mut start = Command::new(&place);
    start.args(["serve", "--port", "0", "--tables"]).arg(folder.path()).env("YOMIKIRI_DATA", "");
    let server = Server::run(start);
    let before = server.good(PUZZLE);
    let other = folder.path().join("other");
    std::fs::write(&other, "another program").unwrap();
    std::fs::rename(&other, &place).unwrap();
    assert_eq!(server.good(PUZZLE), before);
    std::fs::remove_file(&place).unwrap();
    assert_eq!(server.good(PUZZLE), before);
}

/// A folder whose name begins with `-` is not taken for an option.
#[test]
fn folders_may_have_names_like_options() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |mut command: Command| {
        command.current_dir(folder.path());
        command
    };
    good(&folder.path().join("-x"), &["analyze", "bin3x3"]);
    let server = Server::run(inside(command(Path::new("nowhere"), &["serve", "--port", "0", "--tables=-x"])));
    assert_eq!(server.good(PUZZLE).as_array().unwrap().len(), 1);
    let server = Server::run(inside(command(Path::new("-x"), &["serve", "--port", "0"])));
    assert_eq!(server.good(PUZZLE).as_array().unwrap().len(), 1);
}
