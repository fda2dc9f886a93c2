//! Runs every verb while the system refuses memory or threads. The verb must do its work, or end with one error line
//! and status 1. It must not panic, abort or hang, whichever request the system refuses first.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Permissions;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

use crate::support::command::{good, program, verbs, with_input};
use crate::support::repository::{repository_path, sources};

/// A command line, its standard input, and a text that its standard output must contain. `{}` is replaced by a new
/// folder with the table of bin2x2.
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

/// At least one command line of each verb but `serve`, and one for each kernel that allocates in its own way.
const CASES: &[Case] = &[
    case("rules bin2x2", "bin2x2"),
    case("analyze bin2x3 --tables {}", "max depth :   8"),
    case("analyze pyon3x3 --tables {}", "max depth :   7"),
    case("analyze con3x3-k3 --tables {}", "max depth :   7"),
    case("analyze rev3x3 --tables {}", "init score:  -9"),
    case("query bin2x2", "White wins in 6 plies"),
    case("query pyon3x3", "It is a draw."),
    case("query con3x4", "It is a draw"),
    told("query bin2x2 - --brief --resident", "startpos\n@6208\n", "\"outcome\":\"loss\""),
    case("line bin2x2", "White wins in 6 plies"),
    case("solve rev3x3", "White wins by 9"),
    case("solve rev3x3 --time 60 --threads 2 --checkpoint {}", "White wins by 9"),
    case("prove bin2x2 --threads 2", "White wins."),
    case("prove bin2x2 --threads 1 --all-moves --length --certificate {}/new.proof --checkpoint {}", "White wins."),
    case("opening bin2x3 --plies 1 --memory 16M --threads 2 --tables {}", "White wins"),
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
    case("completions bash", "complete -F _yomikiri"),
    case("man query", "yomikiri\\-query"),
    case("man --out {}", ""),
    case("site bin2x2 --into {}", ""),
];

/// A folder with tables, a certificate and a copy of the program. All users can read it, because some limits need
/// another user.
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

    /// Returns the command under `limit`. It is killed after ten minutes, which it takes only if it hangs. If it
    /// panics, it prints a backtrace.
    fn command(&self, limit: &[String], words: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "600"]).args(limit).arg(self.program()).args(words);
        command.current_dir(self.0.path()).env("YOMIKIRI_TABLES", self.0.path()).env("YOMIKIRI_DATA", "");
        command.env("RUST_BACKTRACE", "1");
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
        with_input(self.command(limit, &words), case.input)
    }

    /// Starts the server, asks it one question, and stops it. Returns its output.
    fn serve(&self, limit: &[String]) -> Output {
        let mut child = self.command(limit, &["serve", "--port", "0"]).spawn().unwrap();
        let (mut out, mut line) = (BufReader::new(child.stdout.take().unwrap()), String::new());
        out.read_line(&mut line).unwrap();
        if let Some(address) = line.trim().strip_prefix("http://") {
            // The server may have ended, or may close a connection for which it gets no memory or thread.
            let answer = ask(address.trim_end_matches('/')).unwrap_or_default();
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 "), "{limit:?}: {answer}");
            // `timeout` passes the signal on.
            let _ = kill_process(Pid::from_child(&child), Signal::INT);
        }
        child.stdout = None;
        let mut output = child.wait_with_output().unwrap();
        output.stdout = line.into_bytes();
        output
    }
}

/// Asks a server a question for which it needs a thread. Returns the answer, or an error if the server closes the
/// connection.
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

/// The beginnings of lines that the C library and the standard library print when their own allocations fail. They then
/// abort the process, and no caller can prevent that.
const OF_LIBRARIES: &[&str] = &["Fatal glibc error: ", "memory allocation of "];

/// Checks the output and the status of a run. Returns its error line, if it has one.
fn check(what: &str, limit: &[String], output: &Output, says: &str) -> Option<String> {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let told = format!("{what} under {limit:?}: {}\n{out}\n{err}", output.status);
    for word in ["panicked", "backtrace"] {
        assert!(!err.contains(word), "{told}");
    }
    let starting = |texts: &[&str]| -> Vec<&str> {
        err.lines().filter(|line| texts.iter().any(|text| line.starts_with(text))).collect()
    };
    let (errors, of_libraries) = (starting(&["error: "]), starting(OF_LIBRARIES));
    match output.status.code() {
        Some(0) => assert!(errors.is_empty() && of_libraries.is_empty() && out.contains(says), "{told}"),
        Some(1) if !of_libraries.is_empty() => assert!(of_libraries.len() == 1 && errors.len() <= 1, "{told}"),
        // A survey with open variants reports them on standard output, without an error line.
        Some(1) => assert!(errors.len() == 1 || what.starts_with("survey") && errors.is_empty(), "{told}"),
        _ => panic!("{told}"),
    }
    errors.first().map(|line| line.to_string())
}

/// Runs every verb under each limit. Returns the error lines.
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
    let tested = CASES.iter().filter_map(|case| case.line.split(' ').next());
    assert_eq!(tested.chain(["serve"]).map(String::from).collect::<BTreeSet<_>>(), verbs(&[]));
    let shelf = Shelf::new();
    for case in CASES {
        let output = shelf.run(&[], case);
        assert!(output.status.success(), "{}: {output:?}", case.line);
        check(case.line, &[], &output, case.says);
    }
    assert_eq!(check("serve", &[], &shelf.serve(&[]), "http://"), None);
}

/// Returns the words before a command that limit its address space to `bytes` bytes.
fn of_memory(bytes: u64) -> Vec<String> {
    vec!["prlimit".into(), format!("--as={bytes}:{bytes}")]
}

/// Returns a number of bytes that is enough, at most `step` more than one that is not. Finds it by bisection between
/// `too_little` and 1 GiB.
fn enough_bytes(mut too_little: u64, step: u64, is_enough: impl Fn(u64) -> bool) -> u64 {
    let mut enough = 1 << 30;
    assert!(is_enough(enough));
    while enough - too_little > step {
        let middle = (too_little + enough) / 2;
        *(if is_enough(middle) { &mut enough } else { &mut too_little }) = middle;
    }
    enough
}

/// Returns the address space in bytes that the program needs for `rules`.
fn enough_to_start(shelf: &Shelf) -> u64 {
    enough_bytes(0, 64 << 10, |bytes| {
        shelf.command(&of_memory(bytes), &["rules", "bin2x2"]).output().unwrap().status.success()
    })
}

/// Returns the contents of the files in a folder.
fn files_of(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// If memory is refused while a checkpoint is read, the checkpoint is not called damaged and is not changed.
#[test]
fn a_checkpoint_is_not_called_damaged_where_memory_is_refused() {
    let shelf = Shelf::new();
    let state = shelf.0.path().join("state");
    let folder = state.to_str().unwrap();
    let words = |time| ["prove", "bin6x6", "--threads", "1", "--memory", "4M", "--checkpoint", folder, "--time", time];
    // Runs until the checkpoint has at least 256 KiB. On a busy machine, the checkpoint of one run is so small that it
    // can be read under every limit.
    let before = loop {
        let kept = shelf.command(&[], &words("500ms")).output().unwrap();
        assert_eq!(kept.status.code(), Some(1), "{kept:?}");
        let files = files_of(&state);
        let size = files.iter().find(|(path, _)| path.ends_with("proof.checkpoint")).map(|(_, bytes)| bytes.len());
        if size.unwrap_or_else(|| panic!("{kept:?}")) >= 256 << 10 {
            break files;
        }
    };
    let restore = || {
        files_of(&state).keys().for_each(|path| std::fs::remove_file(path).unwrap());
        before.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
    };
    // Finds a limit above which the checkpoint is read, by bisection. There can be several such limits, because the
    // address space that threads reserve depends on the limit. So the limits tried below begin 3 MiB above the one
    // found.
    let is_read = |bytes: u64| {
        let output = shelf.command(&of_memory(bytes), &words("100ms")).output().unwrap();
        restore();
        String::from_utf8_lossy(&output.stderr).contains("resumed from")
    };
    let enough = enough_bytes(enough_to_start(&shelf), 1 << 14, is_read);
    let (mut refused, mut resumed) = (0, 0);
    for limit in (0..80).map(|step| of_memory(enough + (3 << 20) - (step << 16))) {
        let output = shelf.command(&limit, &words("100ms")).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let told = format!("{limit:?}: {}\n{err}", output.status);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(["damaged", "delete", "panicked"].iter().all(|word| !err.contains(word)), "{told}");
        refused += usize::from(err.contains("proof.checkpoint: the system refused the memory to read the file"));
        let goes_on = err.contains("resumed from");
        resumed += usize::from(goes_on);
        // Lock files and temporary files may be left, as after a kill.
        let after = files_of(&state);
        assert!(goes_on || before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)), "{told}");
        restore();
    }
    assert!(refused > 0 && resumed > 0, "{refused} refused, {resumed} resumed");
}

#[test]
fn refused_memory_is_one_line_and_status_1() {
    let shelf = Shelf::new();
    let enough = enough_to_start(&shelf);
    let more = [0, 1, 2, 4, 8, 16, 24, 36, 50, 70, 100, 140, 180, 250, 400].map(|mebibytes: u64| mebibytes << 20);
    let lines = check_all(&shelf, &more.map(|more| of_memory(enough + more)));
    assert!(lines.iter().any(|line| line.contains("of memory")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("cannot start threads")), "{lines:?}");
}

/// Finds the least memory limit under which a survey starts its threads, and tries 40 limits from there in steps of a
/// page. At some of them the system refuses a running thread its stack for signals, and the standard library panics.
#[test]
fn threads_that_are_refused_memory_while_they_start_are_one_line_and_status_1() {
    let shelf = Shelf::new();
    let survey = case("survey bin2x2 --out {}/survey.jsonl", "White 1");
    let refused = |bytes: u64| {
        let line = check(survey.line, &of_memory(bytes), &shelf.run(&of_memory(bytes), &survey), survey.says);
        line.is_some_and(|line| line.contains("cannot start threads") && !line.contains("survey.jsonl"))
    };
    let enough = enough_bytes(enough_to_start(&shelf), 4 << 10, |bytes| !refused(bytes));
    (0..40).for_each(|step| _ = refused(enough + (step << 12)));
}

/// Returns the words before a command that limit its number of processes, threads included. If the tests run as the
/// superuser, to whom the limit does not apply, the command runs as another user. Otherwise it runs in a user
/// namespace. If the system has no such namespaces, `count` is added to the number of threads of the user.
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

/// Returns the number of threads that now run for the user of the tests.
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

/// Texts of calls that start a thread and panic if the system refuses it.
const PANICS: [&str; 6] =
    ["thread::spawn(", "scope.spawn(", ".spawn_scoped(", "thread::Builder", "ThreadPoolBuilder", "spawn_blocking"];

#[test]
fn threads_are_started_in_one_place() {
    let crates = std::fs::read_dir(repository_path("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let own = repository_path("crates/table/src/threads.rs");
    for path in sources(crates.chain([repository_path("src")])).into_iter().filter(|path| *path != own) {
        let text = std::fs::read_to_string(&path).unwrap();
        let without_tests = text.split("\nmod tests {").next().unwrap();
        let found = PANICS.iter().find(|call| without_tests.contains(**call));
        assert_eq!(found, None, "{}: yomikiri_table::threads starts threads", path.display());
    }
}
