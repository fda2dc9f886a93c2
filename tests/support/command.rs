//! The command under test, run in a folder of its own tables.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.args(args).env("YOMIKIRI_TABLES", folder).stdin(Stdio::null());
    command
}

pub fn run(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

/// Standard output of a run that has to succeed.
pub fn good(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The one line of a run that has to fail with this status.
pub fn fails(folder: &Path, args: &[&str], status: i32) -> String {
    let output = run(folder, args);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {text}");
    assert!(output.stdout.is_empty() && text.lines().count() == 1 && text.starts_with("error: "), "{args:?}: {text}");
    text
}

/// Starts a run that keeps its state after every wave and kills it (SIGKILL) at a moment before its end.
pub fn kill(folder: &Path, code: &str, moment: impl Fn() -> bool) {
    let mut run = command(folder, &["analyze", code, "--checkpoint", "0"]);
    let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let limit = Instant::now() + Duration::from_secs(300);
    while child.try_wait().unwrap().is_none() {
        if moment() {
            child.kill().unwrap();
            child.wait().unwrap();
            return;
        }
        assert!(Instant::now() < limit, "the run neither ends nor comes to its moment");
        std::thread::sleep(Duration::from_millis(2));
    }
    let said = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    panic!("the run ended with {} before its moment: {}{}", said.status, text(&said.stdout), text(&said.stderr));
}

/// Names of the files in a folder.
pub fn files(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
