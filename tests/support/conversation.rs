//! Whole conversations with an engine through pipes.

use std::path::Path;

use crate::support::command::PATIENCE;
use tempfile::TempDir;

/// What begins the line of a mistake.
pub const ERROR: &str = "info string error: ";

/// Standard output of a whole conversation with a verb of the command, with tables in `folder`. It has to end well and
/// without errors.
pub fn converse(folder: &Path, arguments: &[&str], script: impl AsRef<[u8]>) -> String {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    let empty = TempDir::new().unwrap();
    command.args(arguments).env("YOMIKIRI_TABLES", folder).current_dir(empty.path()).timeout(PATIENCE);
    let output = command.write_stdin(script.as_ref()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {:?}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// The lines without those that tell what the machine thinks.
pub fn answers(text: &str) -> Vec<&str> {
    let thought = |line: &&str| {
        line.starts_with("info ") && !line.starts_with(ERROR) && !line.starts_with("info string result: ")
    };
    text.lines().filter(|line| !thought(line)).collect()
}

/// What is typed in the session of a page, and what it is answered by: the lines of the first text that begins with
/// `> `.
pub fn session_of_page(page: &str) -> (String, Vec<&str>) {
    let session = page.split("```text\n> ").nth(1).and_then(|rest| rest.split("```").next()).expect("a session");
    let lines: Vec<&str> = session.lines().collect();
    let typed = lines.iter().enumerate().filter_map(|(at, line)| match at {
        0 => Some(*line),
        _ => line.strip_prefix("> "),
    });
    let script = typed.map(|line| format!("{line}\n")).collect();
    (script, lines.iter().skip(1).filter(|line| !line.starts_with("> ")).copied().collect())
}
