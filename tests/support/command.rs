//! Runs the command under test with a folder of tables of its own.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use tempfile::TempDir;

/// The timeout of every wait. Only a hang takes this long, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(3600);

/// Returns the path of the program under test: the file that `YOMIKIRI_UNDER_TEST` names, or the one that was built
/// with the tests.
pub fn program() -> PathBuf {
    std::env::var_os("YOMIKIRI_UNDER_TEST").map_or_else(|| env!("CARGO_BIN_EXE_yomikiri").into(), PathBuf::from)
}

/// Returns a command of the program under test, with its tables in `folder`, without the certificates and openings that
/// ship with the program, and with nothing on standard input.
pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(args).env("YOMIKIRI_TABLES", folder).env("YOMIKIRI_DATA", "").stdin(Stdio::null());
    command
}

/// Sets English and a terminal with colours in the environment, and removes variables that override them.
pub fn in_english(mut command: Command) -> Command {
    for name in ["LC_ALL", "LC_MESSAGES", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command.env("LANG", "C").env("TERM", "xterm");
    command
}

pub fn run(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

/// Runs the command, which must succeed, and returns its standard output.
pub fn good(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {err}");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(!out.contains('\x1b') && !err.contains('\x1b'), "{args:?}: escape codes without a terminal");
    out
}

/// Runs the command, which must succeed, and parses the one line of JSON that it prints.
pub fn good_json(folder: &Path, args: &[&str]) -> Json {
    good_report(folder, args)
}

/// Runs the command, which must succeed, and parses the one line of JSON that it prints, as a report of type `R`.
pub fn good_report<R: DeserializeOwned>(folder: &Path, args: &[&str]) -> R {
    let out = good(folder, args);
    assert_eq!(out.lines().count(), 1, "{args:?}: JSON stands on one line");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}: {out}"))
}

/// Runs the command with the file `input` as standard input, and returns its output. The command must succeed.
pub fn piped(folder: &Path, args: &[&str], input: &Path) -> String {
    let output = command(folder, args).stdin(std::fs::File::open(input).unwrap()).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command with `input` as its standard input. A command may end before it has read everything.
pub fn with_input(command: Command, input: impl Into<Vec<u8>>) -> Output {
    assert_cmd::Command::from_std(command).timeout(PATIENCE).write_stdin(input).output().unwrap()
}

/// Runs the command, which must fail with `status`, and returns its error message.
pub fn fails(folder: &Path, args: &[&str], status: i32) -> String {
    refused(&run(folder, args), status, args)
}

/// Checks that a run failed with `status`, printed nothing on standard output, and printed one line beginning with
/// `error: ` on standard error. Returns that line.
pub fn refused(output: &Output, status: i32, what: impl Debug) -> String {
    let err = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(status), "{what:?}: {err}");
    assert!(output.stdout.is_empty(), "{what:?}: {}", String::from_utf8_lossy(&output.stdout));
    assert!(err.starts_with("error: ") && err.ends_with('\n') && err.lines().count() == 1, "{what:?}: {err:?}");
    assert!(!err.contains('\x1b'), "{what:?}: escape codes without a terminal: {err:?}");
    err
}

/// Returns the subcommands that the help of a command lists, without `help`. No `words` stand for the program itself.
pub fn verbs(words: &[&str]) -> BTreeSet<String> {
    let help = good(Path::new("."), &[words, &["--help"]].concat());
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(String::from).collect()
}

/// Returns a new folder with the finished tables of some codes.
pub fn tables(codes: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for code in codes {
        good(folder.path(), &["analyze", code]);
    }
    folder
}

/// Returns a new folder with the finished table of a code.
pub fn table(code: &str) -> TempDir {
    tables(&[code])
}

/// Waits until `is_so` returns true. Panics with `what` after [`PATIENCE`].
pub fn wait(what: &str, is_so: impl Fn() -> bool) {
    let limit = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < limit, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Starts a command once for each of `moments`. Each time it waits until the modification time of `file` changes, then
/// waits that number of milliseconds, and kills the command (SIGKILL). Returns the number of runs that had not ended
/// when they were killed.
pub fn kill_after_writing(folder: &Path, arguments: &[&str], file: &Path, moments: &[u64]) -> usize {
    let written = || file.metadata().and_then(|meta| meta.modified()).ok();
    let killed = moments.iter().filter(|&&moment| {
        let before = written();
        let mut child = command(folder, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait("the file is not written", || written() != before);
        std::thread::sleep(Duration::from_millis(moment));
        let is_at_work = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        is_at_work
    });
    killed.count()
}

/// Starts an analysis of `code` that saves its state after every wave, and kills it (SIGKILL) when `moment` returns
/// true.
pub fn kill(folder: &Path, code: &str, moment: impl Fn() -> bool) {
    kill_run(command(folder, &["analyze", code, "--checkpoint", "0"]), moment);
}

/// Starts a run and kills it (SIGKILL) when `moment` returns true. Panics if the run ends first.
pub fn kill_run(mut run: Command, moment: impl Fn() -> bool) {
    let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        if moment() {
            child.kill().unwrap();
            child.wait().unwrap();
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let said = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    panic!("the run ended with {} before its moment: {}{}", said.status, text(&said.stdout), text(&said.stderr));
}

/// Returns the sorted names of the files in a folder. The list is empty if there is no such folder.
pub fn files(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = files.map(|file| file.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns the peak resident memory of a child process, in bytes. Returns 0 if the system does not report it, or if the
/// child does not run its program yet: until then the system may report the memory of this process.
pub fn peak(child: &Child) -> u64 {
    let of_child = |name: &str| format!("/proc/{}/{name}", child.id());
    if std::fs::read_link(of_child("exe")).ok() == std::env::current_exe().ok() {
        return 0;
    }
    let status = std::fs::read_to_string(of_child("status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10
}

/// Waits for a child process to end. Returns its output and its peak resident memory in bytes.
pub fn ended_with_peak(mut child: Child) -> (Output, u64) {
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(peak(&child));
        std::thread::sleep(Duration::from_millis(1));
    }
    (child.wait_with_output().unwrap(), most)
}
