//! Every verb where the system refuses memory or threads: it does its work, or ends with one line and status 1. It never
//! panics, aborts or hangs, whichever request is the first that is refused.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

use crate::support::command::{good, program};
use crate::support::repository::at;

/// A command line, in which `{}` is a folder of its own that has the table of bin2x2, with its standard input and a part of what it prints.
struct Case {
    line: &'static str,
    input: &'static str,
    says: &'static str,
}

const fn case(line: &'static str, says: &'static str) -> Case {
    Case { line, input: "", says }
}

const fn told(line: &'static str, input: &'static str, says: &'static str) -> Case {
    Case { line, input, says }
}

/// At least one command line of each verb but `serve`, and one for each kernel that allocates its own way.
const CASES: &[Case] = &[
    case("rules bin2x2", "bin2x2"),
    case("analyze bin2x3 --tables {}", "max depth :   8"),
    case("analyze pyon3x3 --tables {}", "max depth :   7"),
    case("analyze con3x3-k3 --tables {}", "max depth :   7"),
    case("analyze rev3x3 --tables {}", "init score:  -9"),
    case("query bin2x2", "White wins in 6 plies"),
    case("query pyon3x3", "It is a draw."),
    case("query con4x4", "It is a draw"),
    told("query bin2x2 - --brief --resident", "startpos\n@6208\n", "\"outcome\":\"loss\""),
    case("line bin2x2", "White wins in 6 plies"),
    case("solve rev3x3", "White wins by 9"),
    case("solve rev3x3 --time 60 --threads 2 --checkpoint {}", "White wins by 9"),
    case("prove bin2x2 --threads 2", "White wins."),
    case("prove bin2x2 --threads 1 --all-moves --length --certificate {}/new.proof --checkpoint {}", "White wins."),
    case("survey bin2x2 --out {}/survey.jsonl", "White 1"),
    case("stats bin2x2", "positions"),
    case("plot bin2x2 --tables {}", "svg"),
    case("tables", "bin2x2"),
    case("tables check", "bin2x2"),
    case("puzzle con3x3-k3 --plies 3", "puzzle 1"),
    case("compare bin2x2 bin2x2", "bin2x2"),
    case("verify bin2x2", "bin2x2"),
    case("verify pyon3x3", "pyon3x3"),
    case("verify m00c1", "m00c1"),
    case("verify con3x3-k3", "con3x3-k3"),
    case("verify rev3x3", "rev3x3"),
    case("check bin2x2.proof", "White"),
    case("export bin2x2 --to gz --tables {}", ""),
    case("decode bin2x2 0", "o1/2 b"),
    case("encode bin2x2 startpos", "0"),
    case("moves bin2x2", "2n"),
    case("perft bin2x2 3", "\n"),
    told("play bin2x2 --black computer --white computer", "", "wins"),
    case("estimate bin2x2", "positions"),
    told("usi bin2x2", "usi\nposition startpos\ngo movetime 20\nquit\n", "usiok"),
    told("upi pyon3x3", "upi\nposition startpos\ngo movetime 20\nquit\n", "upiok"),
    case("match bin2x2 search,depth=2 random --games 2 --threads 2", "games"),
    case("site bin2x2 --into {}", ""),
];

/// Tables and a certificate, with the program itself: what others than the owner of the checkout may read too.
struct Shelf(TempDir);

impl Shelf {
    fn new() -> Shelf {
        let folder = tempfile::tempdir().unwrap();
        for code in ["bin2x2", "pyon3x3", "con3x3-k3", "rev3x3", "m00c1"] {
            good(folder.path(), &["analyze", code]);
        }
        good(folder.path(), &["prove", "bin2x2", "--certificate"]);
        std::fs::copy(program(), folder.path().join("yomikiri")).unwrap();
        open_to_all(folder.path());
        Shelf(folder)
    }

    fn program(&self) -> PathBuf {
        self.0.path().join("yomikiri")
    }

    /// The command under `limit`, killed after a time that only a hang takes. Its report of a panic would need memory.
    fn command(&self, limit: &[String], words: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "600"]).args(limit).arg(self.program()).args(words);
        command.current_dir(self.0.path()).env("YOMIKIRI_TABLES", self.0.path()).env("RUST_BACKTRACE", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, limit: &[String], case: &Case) -> Output {
        let own = tempfile::tempdir().unwrap();
        std::fs::copy(self.0.path().join("bin2x2.tbl"), own.path().join("bin2x2.tbl")).unwrap();
        open_to_all(own.path());
        let own = own.path().to_str().unwrap();
        let words: Vec<String> = case.line.split(' ').map(|word| word.replace("{}", own)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut child = self.command(limit, &words).spawn().unwrap();
        // One that has ended reads nothing.
        let _ = child.stdin.take().unwrap().write_all(case.input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// Starts the server, asks it one question, and stops it.
    fn serve(&self, limit: &[String]) -> Output {
        let mut child = self.command(limit, &["serve", "--port", "0"]).spawn().unwrap();
        let (mut out, mut line) = (BufReader::new(child.stdout.take().unwrap()), String::new());
        out.read_line(&mut line).unwrap();
        if let Some(address) = line.trim().strip_prefix("http://") {
            // It may end before, or close a connection for which it gets nothing.
            let answer = ask(address.trim_end_matches('/')).unwrap_or_default();
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 "), "{limit:?}: {answer}");
            // `timeout` passes it on.
            let _ = kill_process(Pid::from_child(&child), Signal::INT);
        }
        child.stdout = None;
        let mut output = child.wait_with_output().unwrap();
        output.stdout = line.into_bytes();
        output
    }
}

/// The answer of a server to a question that takes a thread; an error if it closes the connection.
fn ask(address: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(300)))?;
    let request = format!("GET /api/v1/query?rules=bin2x2 HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    match stream.read_to_string(&mut answer) {
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => panic!("the server does not answer"),
        read => read.map(|_| answer),
    }
}

fn open_to_all(folder: &Path) {
    std::fs::set_permissions(folder, Permissions::from_mode(0o777)).unwrap();
}

/// Holds what a run has come to against what is promised; returns the line about its failure.
fn check(what: &str, limit: &[String], output: &Output, says: &str) -> Option<String> {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let told = format!("{what} under {limit:?}: {}\n{out}\n{err}", output.status);
    for word in ["panicked", "memory allocation", "backtrace"] {
        assert!(!err.contains(word), "{told}");
    }
    let errors: Vec<&str> = err.lines().filter(|line| line.starts_with("error: ")).collect();
    match output.status.code() {
        Some(0) => assert!(errors.is_empty() && out.contains(says), "{told}"),
        // A survey whose variants stay open says so on standard output.
        Some(1) => assert!(errors.len() == 1 || what.starts_with("survey") && errors.is_empty(), "{told}"),
        _ => panic!("{told}"),
    }
    errors.first().map(|line| line.to_string())
}

/// Runs every verb under each of some limits; returns the lines about what failed.
fn check_all(shelf: &Shelf, limits: &[Vec<String>]) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for limit in limits {
        for case in CASES {
            lines.extend(check(case.line, limit, &shelf.run(limit, case), case.says));
        }
        lines.extend(check("serve", limit, &shelf.serve(limit), "http://"));
    }
    lines
}

#[test]
fn every_verb_is_run_under_limits() {
    let folder = tempfile::tempdir().unwrap();
    let help = good(folder.path(), &["--help"]);
    let listed = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let verbs = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let verbs: BTreeSet<&str> = verbs.filter_map(|line| line.split_whitespace().next()).collect();
    let tested = CASES.iter().filter_map(|case| case.line.split(' ').next());
    assert_eq!(tested.chain(["serve", "help"]).collect::<BTreeSet<_>>(), verbs);
    let shelf = Shelf::new();
    for case in CASES {
        let output = shelf.run(&[], case);
        assert!(output.status.success(), "{}: {output:?}", case.line);
        check(case.line, &[], &output, case.says);
    }
    assert_eq!(check("serve", &[], &shelf.serve(&[]), "http://"), None);
}

/// A limit on the bytes of the address space.
fn of_memory(bytes: u64) -> Vec<String> {
    vec!["prlimit".into(), format!("--as={bytes}:{bytes}")]
}

#[test]
fn refused_memory_is_one_line_and_status_1() {
    let shelf = Shelf::new();
    // What the program needs to come to its first line, found by halves.
    let starts = |bytes: u64| {
        let output = shelf.command(&of_memory(bytes), &["rules", "bin2x2"]).output().unwrap();
        output.status.success()
    };
    let (mut too_little, mut enough) = (0, 1 << 30);
    assert!(starts(enough));
    while enough - too_little > 64 << 10 {
        let middle = (too_little + enough) / 2;
        *(if starts(middle) { &mut enough } else { &mut too_little }) = middle;
    }
    let more = [0, 1, 2, 4, 8, 16, 24, 36, 50, 70, 100, 140, 180, 250, 400].map(|mebibytes: u64| mebibytes << 20);
    let lines = check_all(&shelf, &more.map(|more| of_memory(enough + more)));
    assert!(lines.iter().any(|line| line.contains("of memory")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("cannot start threads")), "{lines:?}");
}

/// A limit on the number of processes, threads included, which counts for nobody else: as another user where the tests
/// run as the superuser, whom no such limit binds, else in a user namespace. Where there are none, all processes of the
/// user count.
fn of_processes(count: usize) -> Vec<String> {
    let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
    let limit = format!("prlimit --nproc={count}:{count}");
    if geteuid().is_root() {
        return words(&format!("setpriv --reuid=54321 --regid=54321 --clear-groups {limit}"));
    }
    let own = words(&format!("unshare --user {limit}"));
    if Command::new(&own[0]).args(&own[1..]).arg("true").output().is_ok_and(|output| output.status.success()) {
        return own;
    }
    let count = count + threads_of_user();
    words(&format!("prlimit --nproc={count}:{count}"))
}

/// Threads of the user who runs the tests.
fn threads_of_user() -> usize {
    let mine = |status: &str| {
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next());
        let is_mine = field("Uid:") == Some(&geteuid().as_raw().to_string());
        if is_mine { field("Threads:")?.parse::<usize>().ok() } else { None }
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|process| mine(&std::fs::read_to_string(process.path().join("status")).ok()?)).sum()
}

#[test]
fn refused_threads_are_one_line_and_status_1() {
    let shelf = Shelf::new();
    let lines = check_all(&shelf, &[1, 2, 3, 4, 5, 6, 8, 12].map(of_processes));
    assert!(lines.iter().any(|line| line.contains("cannot start threads")), "{lines:?}");
}

/// Whatever starts a thread in another way panics when it is refused.
const PANICS: [&str; 6] =
    ["thread::spawn(", "scope.spawn(", ".spawn_scoped(", "thread::Builder", "ThreadPoolBuilder", "spawn_blocking"];

/// The Rust sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    paths.flat_map(below).filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

#[test]
fn threads_are_started_in_one_place() {
    let crates = std::fs::read_dir(at("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let own = at("crates/table/src/threads.rs");
    for path in crates.chain([at("src")]).flat_map(|folder| sources(&folder)).filter(|path| *path != own) {
        let text = std::fs::read_to_string(&path).unwrap();
        let without_tests = text.split("\nmod tests {").next().unwrap();
        let found = PANICS.iter().find(|call| without_tests.contains(**call));
        assert_eq!(found, None, "{}: yomikiri_table::threads starts threads", path.display());
    }
}
