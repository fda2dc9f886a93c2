//! Tests that verbs replace only their own files. At every place that a verb writes to, the tests put a foreign file, a
//! folder, a device, a pipe, a socket or a link. The verb must end with a line that names the place, and must leave
//! everything as it was.
//!
//! The list of verbs is compared with the program's help, so a new verb must be added to it.

use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::support::command::{PATIENCE, command, files, good, verbs as listed};
use crate::support::repository::{below, repository_path};

/// A command line and the places that it writes to.
struct Case {
    /// The verb, its subcommand if any, and its arguments. `{}` is replaced by the path of the folder of tables, in
    /// which the command runs.
    line: &'static str,
    /// Lines that prepare the folder of tables: command lines, or `make`, `old` and `say` with an argument, as
    /// [`prepared`] carries them out.
    before: &'static [&'static str],
    /// The files and folders that the command writes, relative to the folder of tables.
    places: &'static [&'static str],
    /// True if the verb refuses to replace regular files that the program has not written.
    refuses_files: bool,
}

const fn case(line: &'static str, before: &'static [&'static str], places: &'static [&'static str]) -> Case {
    Case { line, before, places, refuses_files: true }
}

/// Returns a case in which the verb replaces any regular file, because the user asks for it.
const fn forced(line: &'static str, before: &'static [&'static str], places: &'static [&'static str]) -> Case {
    Case { refuses_files: false, ..case(line, before, places) }
}

const TABLE: &[&str] = &["analyze bin2x2"];
const LISTS: &[&str] = &["analyze m00c1"];
const COPY: &[&str] = &["analyze bin2x2", "site bin2x2 --into {}/site"];

/// All verbs that write to places other than standard output, with these places.
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
    case(
        "opening bin2x3 --plies 1 --memory 64M --tables {}",
        &["make openings"],
        &["openings/bin2x3.opening", "openings/bin2x3.jsonl", "openings/bin2x3.jsonl.lock"],
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
    case(
        "site bin2x2 --into {}/site",
        &["analyze bin2x2", "make site"],
        &["site/bin2x2", "site/bin2x2.old", "site/bin2x2.part"],
    ),
    case("site --into {}/site", COPY, &["site/index.html"]),
    case("play bin2x2", &["say save some"], &["some"]),
    case("man --out {}", &[], &["yomikiri.1", "yomikiri-tables-check.1"]),
];

/// Verbs that write only to standard output.
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
    "completions",
    "tables list",
    "tables check",
];

#[test]
fn every_verb_is_known_to_write_or_not_to_write() {
    let mut verbs = Vec::new();
    for verb in listed(&[]) {
        let below = listed(&[&verb]);
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

/// An object that the tests put at a place.
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

    /// Creates the object at a path. A device is a new node, or a link to /dev/null if the user may not create nodes,
    /// so that verbs cannot harm anything else.
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
            // The socket stays in the folder after the listener is dropped.
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

/// Returns all paths in a folder and its subfolders, in order, each with a text that changes if the object at the path
/// is replaced or changed.
fn everything(folder: &Path) -> Vec<(PathBuf, String)> {
    below(folder)
        .into_iter()
        .map(|path| (path.clone(), fingerprint(&path, &path.symlink_metadata().unwrap())))
        .collect()
}

fn fingerprint(path: &Path, meta: &Metadata) -> String {
    let kind = meta.file_type();
    let bytes = if kind.is_file() { fs::read(path).unwrap() } else { Vec::new() };
    let target = if kind.is_symlink() { fs::read_link(path).unwrap() } else { PathBuf::new() };
    let special = kind.is_fifo() || kind.is_socket() || kind.is_char_device();
    format!("{kind:?} {special} {} {} {target:?} {bytes:?}", meta.ino(), meta.rdev())
}

/// Waits for a command to end. Panics if it hangs.
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

/// Creates the folder of a case and carries out the lines of [`Case::before`]. `make NAME` creates a folder, `old FILE`
/// copies a file of format 1, `say TEXT` sets the text to type, and any other line is a command. Returns the folder and
/// the text to type.
fn prepared(case: &Case) -> (TempDir, String) {
    let (folder, mut typed) = (tempfile::tempdir().unwrap(), String::new());
    for line in case.before {
        let name = |line: &str| folder.path().join(line);
        match line.split_once(' ') {
            Some(("make", name_of)) => fs::create_dir(name(name_of)).unwrap(),
            Some(("old", file)) => {
                fs::copy(repository_path("tests/tables/version1").join(file), name(file)).map(drop).unwrap();
            }
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
    // A command that ends at once does not read its input, so errors are ignored.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    ended(child, line)
}

#[test]
fn nothing_foreign_is_replaced_or_deleted() {
    let mut wrong = Vec::new();
    for case in WRITERS {
        for place in case.places {
            for foreign in Foreign::ALL {
                wrong.extend(check_place(case, place, foreign).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

/// Runs a verb with a foreign object at a place. Returns an error that says what went wrong, if the verb does not
/// refuse the object or changes anything.
fn check_place(case: &Case, place: &str, foreign: Foreign) -> Result<(), String> {
    let line = case.line;
    if foreign == Foreign::File && !case.refuses_files {
        return Ok(());
    }
    let (folder, typed) = prepared(case);
    let path = folder.path().join(place);
    if path.is_dir() {
        fs::remove_dir_all(&path).unwrap();
    } else {
        drop(fs::remove_file(&path));
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
    // `play` goes on and `check` reports its result, even if they cannot write.
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

/// A command that runs twice replaces or resumes its own files.
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

/// Command lines of verbs that read a file that the user names.
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
        assert!(!output.status.success() && said == "error: /dev/zero: is not a regular file\n", "{line}: {said}");
    }
}

/// A program that waits for input or works for a long time ends at SIGTERM.
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
        // The input stays open, but nothing is written to it.
        let _input = child.stdin.take();
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "{line}: has ended by itself");
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        ended(child, line);
    }
}
