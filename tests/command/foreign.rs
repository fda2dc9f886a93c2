//! What a verb writes replaces nothing that is not its own: every verb that writes meets, at every place that it writes
//! to, a foreign file, a folder, a device, a pipe, a socket and links. It ends with a line that names the place, and
//! what was there is as it was.
//!
//! The list of verbs is held against the program's help, so that a new verb has to be put into it.

use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::support::command::{PATIENCE, command, files, good};
use crate::support::repository::at;

/// A verb with everything that it writes.
struct Case {
    /// The verb, with its subcommand if it has some, and arguments. `{}` is the folder of tables, in which the
    /// command runs.
    line: &'static str,
    /// Commands that come first.
    before: &'static [&'static str],
    /// Names in the folder.
    places: &'static [&'static str],
    /// Whether a regular file is refused that the program has not written: without --force.
    refuses_files: bool,
}

const fn case(line: &'static str, before: &'static [&'static str], places: &'static [&'static str]) -> Case {
    Case { line, before, places, refuses_files: true }
}

/// The same where any regular file is replaced, as the user has asked for that.
const fn forced(line: &'static str, before: &'static [&'static str], places: &'static [&'static str]) -> Case {
    Case { refuses_files: false, ..case(line, before, places) }
}

const TABLE: &[&str] = &["analyze bin2x2"];
const LISTS: &[&str] = &["analyze m00c1"];
const COPY: &[&str] = &["analyze bin2x2", "site bin2x2 --into {}/site"];

/// Everything that verbs write.
const WRITERS: &[Case] = &[
    case(
        "analyze bin2x2",
        &[],
        &[
            "bin2x2.tbl",
            "bin2x2.unaudited",
            "bin2x2.work",
            "bin2x2.journal",
            "bin2x2.reach.work",
            "bin2x2.reach.journal",
            "bin2x2.audit0.work",
            "bin2x2.audit1.journal",
            "bin2x2.lock",
        ],
    ),
    forced("analyze bin2x2 --force", TABLE, &["bin2x2.tbl", "bin2x2.unaudited", "bin2x2.work", "bin2x2.reach.journal"]),
    case("analyze pyon2x3", &[], &["pyon2x3.waves0.work", "pyon2x3.waves1.journal", "pyon2x3.work"]),
    case("analyze con3x3-k3", &[], &["con3x3-k3.keys.work", "con3x3-k3.values.journal", "con3x3-k3.work"]),
    case("prove bin2x3 --certificate {}/some", &[], &["some"]),
    forced("prove bin2x3 --certificate {}/some --force", &[], &["some"]),
    case("prove bin2x3 --tables {} --certificate", &[], &["bin2x3.proof"]),
    case(
        "prove bin2x3 --checkpoint {}/state",
        &["make state"],
        &["state/proof.checkpoint", "state/proof.checkpoint.before", "state/proof.lock"],
    ),
    case(
        "solve rev3x3 --checkpoint {}/state",
        &["make state"],
        &["state/search.checkpoint", "state/search.checkpoint.before", "state/search.lock"],
    ),
    case("survey bin2x2 --out {}/some", &[], &["some", "some.journal", "some.work", "some.lock"]),
    case("survey --upgrade {}/some", &[], &["some"]),
    case("plot bin2x2 --to {}/some", TABLE, &["some"]),
    case("plot bin2x2", TABLE, &["r_bin2x2_outcomes.svg"]),
    forced("plot bin2x2 --to {}/some --force", TABLE, &["some"]),
    case("export bin2x2 --to gz", TABLE, &["r_bin2x2_keys.gz", "r_bin2x2_keys.gz.gzi", "r_bin2x2_vals.json"]),
    case("export bin2x2 --to csv", TABLE, &["r_bin2x2.csv"]),
    case("export bin2x2 --to jsonl", TABLE, &["r_bin2x2.jsonl"]),
    case("export bin2x2 --to parquet", TABLE, &["r_bin2x2.parquet"]),
    case("export m00c1 --to 2.txt", LISTS, &["r_m00c1_2.txt"]),
    case("match bin2x2 random greedy --games 2 --records {}/some", &[], &["some"]),
    case("tables delete some.tbl", &[], &["some.tbl"]),
    case("tables delete some.proof", &[], &["some.proof"]),
    case("tables delete some.work", &[], &["some.work"]),
    case("tables delete some.journal", &[], &["some.journal"]),
    case("tables delete some.part", &[], &["some.part"]),
    forced("tables delete some.1-1.part", &[], &["some.1-1.part"]),
    case("tables delete bin2x2.tbl", TABLE, &["bin2x2.lock"]),
    case("tables manifest", TABLE, &["manifest.json"]),
    case("tables pack m00c1.tbl", LISTS, &["m00c1.lock"]),
    case("tables pack some.tbl", &[], &["some.tbl"]),
    case("tables unpack some.tbl", &[], &["some.tbl"]),
    case("tables upgrade some.tbl", &[], &["some.tbl"]),
    case("tables upgrade bin4x4.proof.gz", &["old bin4x4.proof.gz"], &["bin4x4.proof"]),
    case("check {}/bin2x3.proof", &["prove bin2x3 --certificate {}/bin2x3.proof"], &["checked"]),
    case("site bin2x2 --into {}/site", &["analyze bin2x2", "make site"], &["site/bin2x2", "site/bin2x2.part"]),
    case("site --into {}/site", COPY, &["site/index.html"]),
    case("play bin2x2", &["say save some"], &["some"]),
];

/// Verbs that write nothing but to standard output.
const READERS: &[&str] = &[
    "rules",
    "query",
    "line",
    "stats",
    "puzzle",
    "compare",
    "verify",
    "decode",
    "encode",
    "moves",
    "perft",
    "estimate",
    "usi",
    "upi",
    "serve",
    "tables list",
    "tables check",
];

/// Names of the subcommands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(String::from).collect()
}

#[test]
fn every_verb_is_known_to_write_or_not_to_write() {
    let nowhere = tempfile::tempdir().unwrap();
    let mut verbs = Vec::new();
    for verb in listed(&good(nowhere.path(), &["--help"])) {
        let below = listed(&good(nowhere.path(), &[&verb, "--help"]));
        match below.is_empty() {
            true => verbs.push(verb),
            false => verbs.extend(below.iter().map(|name| format!("{verb} {name}"))),
        }
    }
    assert!(verbs.len() > 20, "{verbs:?}");
    let is_of = |line: &str, verb: &str| line == verb || line.starts_with(&format!("{verb} "));
    for verb in &verbs {
        let writes = WRITERS.iter().any(|case| is_of(case.line, verb));
        assert!(writes != READERS.contains(&verb.as_str()), "{verb}: is it a writer or a reader?");
    }
    let is_verb = |line: &str| verbs.iter().any(|verb| is_of(line, verb));
    assert!(WRITERS.iter().all(|case| is_verb(case.line)) && READERS.iter().all(|line| is_verb(line)));
}

/// What stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Foreign {
    File,
    Folder,
    Device,
    Pipe,
    Socket,
    Link,
    DanglingLink,
}

impl Foreign {
    const ALL: [Foreign; 7] = [
        Foreign::File,
        Foreign::Folder,
        Foreign::Device,
        Foreign::Pipe,
        Foreign::Socket,
        Foreign::Link,
        Foreign::DanglingLink,
    ];

    /// Puts it at a path. Nothing outside of the folder can be harmed: devices are nodes in it, or, for those who may
    /// not make nodes, links.
    fn put(self, path: &Path) {
        let made = |program: &str, args: &[&str]| {
            let status = Command::new(program).args(args).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        let name = path.to_str().unwrap();
        match self {
            Foreign::File => fs::write(path, "Dear reader,\nthis is a letter.\n").unwrap(),
            Foreign::Folder => {
                fs::create_dir(path).unwrap();
                fs::write(path.join("letter"), "Dear reader\n").unwrap();
            }
            Foreign::Device if made("mknod", &[name, "c", "1", "3"]) => {}
            Foreign::Device => symlink("/dev/null", path).unwrap(),
            Foreign::Pipe => assert!(made("mkfifo", &[name])),
            // The name stays when nobody listens any more.
            Foreign::Socket => drop(UnixListener::bind(path).unwrap()),
            Foreign::Link => {
                let target = path.with_file_name("a letter");
                fs::write(&target, "Dear reader\n").unwrap();
                symlink(target, path).unwrap();
            }
            Foreign::DanglingLink => symlink("nowhere", path).unwrap(),
        }
    }
}

/// What lies below a folder: paths with what tells whether they are the same, locks aside.
fn everything(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = path.symlink_metadata().unwrap();
            found.push((path.clone(), told(&path, &meta)));
            if meta.is_dir() {
                folders.push(path);
            }
        }
    }
    found.sort();
    found
}

fn told(path: &Path, meta: &Metadata) -> String {
    let kind = meta.file_type();
    let bytes = if kind.is_file() { fs::read(path).unwrap() } else { Vec::new() };
    let target = if kind.is_symlink() { fs::read_link(path).unwrap() } else { PathBuf::new() };
    let special = kind.is_fifo() || kind.is_socket() || kind.is_char_device();
    format!("{kind:?} {special} {} {} {target:?} {bytes:?}", meta.ino(), meta.rdev())
}

/// Runs a command line of a case; one that hangs fails the test.
fn ended(mut child: Child, what: &str) -> Output {
    let limit = Instant::now() + PATIENCE / 12;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > limit {
            child.kill().unwrap();
            panic!("{what}: hangs");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().unwrap()
}

/// The folder of a case, with what comes first; returns what is typed to the command too.
fn prepared(case: &Case) -> (TempDir, String) {
    let (folder, mut typed) = (tempfile::tempdir().unwrap(), String::new());
    for line in case.before {
        let name = |line: &str| folder.path().join(line);
        match line.split_once(' ') {
            Some(("make", name_of)) => fs::create_dir(name(name_of)).unwrap(),
            Some(("old", file)) => drop(fs::copy(at("tests/tables/version1").join(file), name(file)).unwrap()),
            Some(("say", line)) => typed = format!("{line}\n"),
            _ => drop(good(folder.path(), &words(folder.path(), line).iter().map(String::as_str).collect::<Vec<_>>())),
        }
    }
    (folder, typed)
}

fn words(folder: &Path, line: &str) -> Vec<String> {
    line.split(' ').map(|word| word.replace("{}", folder.to_str().unwrap())).collect()
}

fn run_with(folder: &Path, line: &str, typed: &str) -> Output {
    use std::io::Write;
    let words = words(folder, line);
    let mut run = command(folder, &words.iter().map(String::as_str).collect::<Vec<_>>());
    run.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = run.spawn().unwrap();
    // One that ends at once reads nothing.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    ended(child, line)
}

#[test]
fn nothing_foreign_is_replaced_or_deleted() {
    let mut wrong = Vec::new();
    for case in WRITERS {
        for place in case.places {
            for foreign in Foreign::ALL {
                wrong.extend(meets(case, place, foreign).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

/// Has a verb meet something foreign at a place; the error says what is wrong then.
fn meets(case: &Case, place: &str, foreign: Foreign) -> Result<(), String> {
    let line = case.line;
    if foreign == Foreign::File && !case.refuses_files {
        return Ok(());
    }
    let (folder, typed) = prepared(case);
    let path = folder.path().join(place);
    if path.is_dir() {
        fs::remove_dir_all(&path).unwrap()
    } else {
        drop(fs::remove_file(&path))
    }
    foreign.put(&path);
    let before = everything(folder.path());
    let output = run_with(folder.path(), line, &typed);
    let after = everything(folder.path());
    let said = String::from_utf8(output.stderr).unwrap();
    let what = format!("{line}: {foreign:?} at {place}: ");
    if before != after {
        let gone = before.iter().filter(|entry| !after.contains(entry)).map(|(path, _)| path).collect::<Vec<_>>();
        let new = after.iter().filter(|entry| !before.contains(entry)).map(|(path, _)| path).collect::<Vec<_>>();
        return Err(format!("{what}something else is there: gone {gone:?}, new {new:?}: {said}"));
    }
    // A session goes on, and a check has its result, whatever cannot be written.
    let goes_on = line.starts_with("play ") || line.starts_with("check ");
    let told = if line.starts_with("play ") { String::from_utf8(output.stdout).unwrap() } else { said.clone() };
    let name = Path::new(place).file_name().unwrap().to_str().unwrap();
    let is_refused = output.status.code().is_some_and(|code| (code != 0) != goes_on);
    if !is_refused || !told.contains(name) {
        return Err(format!("{what}{:?}: {told}", output.status));
    }
    if !goes_on && (said.lines().count() != 1 || !said.starts_with("error: ")) {
        return Err(format!("{what}not one line: {said}"));
    }
    Ok(())
}

/// What the program has written itself is replaced, or taken up, by the same command.
#[test]
fn own_files_are_replaced() {
    for case in WRITERS
        .iter()
        .filter(|case| !["tables", "survey --upgrade", "match", "play"].iter().any(|verb| case.line.starts_with(verb)))
    {
        let (folder, typed) = prepared(case);
        for _ in 0..2 {
            let output = run_with(folder.path(), case.line, &typed);
            let said = String::from_utf8(output.stderr).unwrap();
            let is_without_page = said.contains("without the page");
            assert!(output.status.success() || is_without_page, "{}: {said}", case.line);
        }
    }
}

// Reading

/// Verbs that read a file which a user names.
const NAMED: &[&str] = &[
    "check {}/some",
    "solve rev3x3 --file {}/some",
    "match bin2x2 random greedy --parts {}/some",
    "survey bin2x2 --out {}/some",
    "survey --upgrade {}/some",
    "play bin2x2 --load {}/some",
];

#[test]
fn only_regular_files_are_read() {
    for line in NAMED {
        for foreign in [Foreign::Folder, Foreign::Device, Foreign::Pipe, Foreign::Socket] {
            let folder = tempfile::tempdir().unwrap();
            foreign.put(&folder.path().join("some"));
            let output = run_with(folder.path(), line, "");
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success(), "{line}: {foreign:?}");
            assert!(said.starts_with("error: ") && said.contains("some: is "), "{line}: {foreign:?}: {said}");
            assert_eq!((said.lines().count(), files(folder.path())), (1, vec!["some".to_string()]), "{line}: {said}");
        }
    }
}

/// Endless devices are refused before anything is read.
#[test]
fn endless_devices_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = |line: &str| line.replace("{}/some", "/dev/zero");
    for line in NAMED.iter().filter(|line| !line.contains("--out") && !line.contains("--upgrade")) {
        let output = run_with(folder.path(), &zeros(line), "");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said == "error: /dev/zero: is not a file\n", "{line}: {said}");
    }
}

/// Whoever waits for input, or works for long, ends when asked to.
#[test]
fn a_request_to_end_is_heeded() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), &["analyze", "bin2x2"]);
    for line in [
        "encode",
        "query bin2x2 -",
        "solve rev3x3 --file -",
        "play bin2x2",
        "usi bin2x2",
        "upi pyon",
        "solve rev6x6",
        "prove bin6x6",
        "prove bin6x6 --checkpoint {}/state",
        "survey bin6x6 --out {}/some",
        "match bin7x6 search,time=10s search,time=10s --games 1000 --threads 1",
        "analyze bin5x5",
    ] {
        let words = words(folder.path(), line);
        let mut run = command(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
        run.current_dir(folder.path()).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = run.spawn().unwrap();
        // Input stays open, and nothing comes.
        let _input = child.stdin.take();
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "{line}: has ended by itself");
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        ended(child, line);
    }
}
