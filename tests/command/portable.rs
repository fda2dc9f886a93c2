//! Tests that also run with the program for Windows, under Wine (`make test-windows`): tables and their bytes, kills,
//! damage, two runs at once, engines, matches and the server. They use nothing of the system but files, pipes, sockets
//! and signals.

use std::path::Path;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value as Json;
use yomikiri_play::matches::MatchSummary;

use crate::support::command::{
    command, fails, files, good, good_json, good_report, kill_run, program, table, wait, with_input,
};
use crate::support::serve::Server;

/// A small board of each game, and the XXH3 (64 bits) of its table on every system.
const TABLES: [(&str, u64); 5] = [
    ("bin3x3", 0x16ce_f294_589e_4fc6),
    ("2g001", 0x4495_488b_7748_65b8),
    ("pyon3x4", 0x0d63_634c_7889_36f7),
    ("rev4x4", 0x7d8d_619f_3846_5348),
    ("con4x4-k3", 0x663c_3a29_d0ca_4001),
];

/// A board whose run is long enough to be interrupted, and the hash of its table.
const LARGER: (&str, u64) = ("bin4x4-t333", 0x672a_8e2d_3f6b_cfb8);

fn hash(path: &Path) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&std::fs::read(path).unwrap())
}

#[test]
fn tables_have_the_same_bytes_on_every_system() {
    let folder = tempfile::tempdir().unwrap();
    for (code, expected) in TABLES {
        good(folder.path(), &["analyze", code]);
        let path = folder.path().join(format!("{code}.tbl"));
        assert_eq!(hash(&path), expected, "{code}: {:#x}", hash(&path));
        good(folder.path(), &["verify", code]);
    }
    assert_eq!(files(folder.path()).len(), TABLES.len());
}

#[test]
fn a_table_answers() {
    let folder = table("bin3x3");
    let told = good_json(folder.path(), &["query", "bin3x3", "--json"]);
    assert_eq!((told["outcome"].as_str(), told["plies"].as_u64()), (Some("loss"), Some(10)), "{told}");
    let picture = good(folder.path(), &["query", "bin3x3"]);
    assert!(picture.contains("White wins in 10"), "{picture}");
    let told = good(folder.path(), &["tables"]);
    assert!(told.contains("bin3x3"), "{told}");
}

/// Folders and files have names with blanks and letters beyond ASCII, and paths longer than 260 characters.
#[test]
fn folders_have_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let long = ["盤面 1", "ü", &"a".repeat(200), &"b".repeat(150)].iter().collect::<std::path::PathBuf>();
    let tables = folder.path().join(long);
    let named = tables.to_str().unwrap();
    assert!(named.chars().count() > 360);
    good(folder.path(), &["analyze", "bin3x3", "--tables", named]);
    assert_eq!(hash(&tables.join("bin3x3.tbl")), TABLES[0].1);
    good(folder.path(), &["query", "bin3x3", "--tables", named]);
}

/// A run that is killed in its enumeration and in its solution resumes, and makes the same bytes.
#[test]
fn a_killed_run_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["analyze", LARGER.0, "--threads", "2"];
    for (file, bytes) in [("reach.work", 200_001), ("work", 1_001)] {
        let path = folder.path().join(format!("bin4x4-t333.{file}"));
        kill_run(command(folder.path(), &arguments), || path.metadata().is_ok_and(|meta| meta.len() >= bytes));
    }
    good(folder.path(), &arguments);
    assert_eq!(files(folder.path()), ["bin4x4-t333.tbl"]);
    assert_eq!(hash(&folder.path().join("bin4x4-t333.tbl")), LARGER.1);
}

/// Ctrl-C ends a run with a note, and the same command resumes it.
#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["analyze", LARGER.0, "--threads", "2"];
    let work = folder.path().join("bin4x4-t333.reach.work");
    let run = command(folder.path(), &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait("the run begins", || work.metadata().is_ok_and(|meta| meta.len() >= 200_001));
    kill_process(Pid::from_child(&run), Signal::INT).unwrap();
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("stopped; the same command resumes from the last finished step"), "{said}");
    good(folder.path(), &arguments);
    assert_eq!(hash(&folder.path().join("bin4x4-t333.tbl")), LARGER.1);
}

#[test]
fn a_damaged_table_is_refused() {
    let folder = table("bin3x3");
    let path = folder.path().join("bin3x3.tbl");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let said = fails(folder.path(), &["verify", "bin3x3"], 1);
    assert!(said.contains("checksum"), "{said}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    std::fs::write(&path, &bytes[..middle]).unwrap();
    fails(folder.path(), &["query", "bin3x3"], 1);
}

/// A second run on the same table is refused while the first one works. A query of another table does not wait for it.
#[test]
fn two_runs_at_once_do_not_disturb_each_other() {
    let folder = table("bin3x3");
    let mut first = command(folder.path(), &["analyze", "bin4x4"]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // A run makes this file when it holds its lock.
    let work = folder.path().join("bin4x4.reach.work");
    wait("the first run begins", || work.exists());
    let said = fails(folder.path(), &["analyze", "bin4x4"], 1);
    assert!(said.contains("bin4x4.lock: another run is at work on this table"), "{said}");
    good(folder.path(), &["query", "bin3x3"]);
    first.kill().unwrap();
    first.wait().unwrap();
}

/// Sends `text` to an engine and returns its output.
fn engine(verb: &str, code: &str, folder: &Path, text: &str) -> String {
    let output = with_input(command(folder, &[verb, code]), text);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.ends_with('\n') && !said.contains('\r'), "{said:?}");
    said
}

/// Lines may end as hosts of any system end them, and the last line is not lost if it has no end.
#[test]
fn engines_speak_with_every_host() {
    let folder = table("bin3x3");
    for end in ["\n", "\r\n"] {
        let text = ["usi", "isready", "usinewgame", "position startpos", "go", "quit"].join(end);
        let said = engine("usi", "bin3x3", folder.path(), &text);
        let begins = |start: &str| said.lines().any(|line| line.starts_with(start));
        assert!(["id name", "usiok", "readyok", "bestmove"].into_iter().all(begins), "{said}");
    }
    let said = engine("upi", "pyon3x4", folder.path(), "upi\nisready\nposition startpos\ngo depth 2\nquit");
    assert!(["upiok", "readyok", "bestmove"].into_iter().all(|word| said.contains(word)), "{said}");
}

/// Returns the command line of the program under test as an engine of a match. Under Wine the program that the tests
/// start is a script, so `YOMIKIRI_ENGINE` names the file of the program itself.
fn own_engine(code: &str) -> String {
    let file = std::env::var("YOMIKIRI_ENGINE").unwrap_or_else(|_| program().to_str().unwrap().to_owned());
    format!("usi,time=100ms:\"{file}\" usi {code}")
}

#[test]
fn two_engines_play_a_match() {
    let folder = table("bin3x3");
    let engine = own_engine("bin3x3");
    let arguments = ["match", "bin3x3", &engine, &engine, "--games", "4", "--grace", "60s", "--json"];
    let summary: MatchSummary = good_report(folder.path(), &arguments);
    assert_eq!(summary.games, 4);
    // White wins from the start, and both engines play by the table.
    assert_eq!((summary.a.as_black.losses, summary.a.as_white.wins), (2, 2));
    let said = fails(folder.path(), &["match", "bin3x3", "random", "usi:\"no such program\" usi", "--games", "1"], 1);
    assert!(said.contains("no such program"), "{said}");
}

#[test]
fn the_server_answers() {
    let folder = table("bin3x3");
    let server = Server::start(folder.path(), &[]);
    let told: Json = server.good("query?rules=bin3x3");
    assert_eq!(told["plies"].as_u64(), Some(10), "{told}");
    server.refused("query?rules=bin3x3&position=nonsense", 400);
    // A child process answers this question.
    let told = server.good("puzzle?rules=bin3x3&plies=5&seed=3");
    assert_eq!(told[0]["plies"].as_u64(), Some(5), "{told}");
    let (status, _, _) = server.get("/");
    assert_eq!(status, 200);
}
