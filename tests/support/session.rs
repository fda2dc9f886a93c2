//! Shell sessions in files, replayed by tests.
//!
//! A line that begins with `$ ` is a command line. All command lines of a file share a folder, which is empty at first
//! and keeps tables in `tables`. The text after `> ` is typed while the command runs: after a prompt of `play`, or as a
//! line to an engine. Lines of standard error come last, each after `! `. A line `? 2` after the command line is the
//! exit status if it is not 0. A line `...` matches any number of lines, `[..]` matches any text, and lines that begin
//! with `## ` are remarks. If the environment variable `SNAPSHOTS` is `overwrite`, the tests write the files again with
//! current output.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::command::{in_english, program, with_input};
use crate::support::repository::repository_path;
use snapbox::{Assert, Data, assert::DEFAULT_ACTION_ENV};
use tempfile::TempDir;

/// A command that no engine knows. An engine answers it with [`ANSWERED`] after it has answered all lines before it and
/// ended all searches.
pub const ASK: &str = "done?";
pub const ANSWERED: &str = "info string error: command \"done?\": is unknown; \"help\" lists the commands";

/// Replays the sessions of a file in `tests`, or of all files of a folder. Panics with a list of the files that differ.
pub fn replay(path: &str) {
    let path = repository_path("tests").join(path);
    let files: Vec<_> = match std::fs::read_dir(&path) {
        Ok(files) => files.map(|file| file.unwrap().path()).collect(),
        Err(_) => vec![path],
    };
    assert!(!files.is_empty());
    let differs = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        catch_unwind(|| check(replayed(&text, at_shell), Data::read_from(file, None))).is_err()
    };
    let differing: Vec<_> = files.into_iter().filter(differs).collect();
    assert!(differing.is_empty(), "sessions went otherwise: {differing:?}");
}

/// Compares a session with the expected one, apart from times and speeds. Panics if they differ.
pub fn check(said: String, expected: Data) {
    Assert::new().normalize_paths(false).action_env(DEFAULT_ACTION_ENV).eq(without_times(&said), expected);
}

/// Checks a table in a file in `tests`: the last cell of each row must be the answer to the `CELLS` cells before it.
/// Cells are separated by ` | `, and lines that begin with `# ` are remarks.
pub fn check_table<const CELLS: usize>(path: &str, answer: impl Fn([&str; CELLS]) -> String) {
    let path = repository_path("tests").join(path);
    let row = |line: &str| match line.starts_with("# ") {
        true => format!("{line}\n"),
        false => {
            let cells: Vec<&str> = line.split(" | ").take(CELLS).collect();
            let given = cells.join(" | ");
            format!("{given} | {}\n", answer(cells.try_into().unwrap_or_else(|_| panic!("{line}: too few cells"))))
        }
    };
    let table: String = std::fs::read_to_string(&path).unwrap().lines().map(row).collect();
    check(table, Data::read_from(&path, None));
}

/// Replays the sessions of a file and returns the text of the file with current output. `run` takes a folder, a command
/// line and the typed lines. It returns the parts of the output: one for the command line and, for an engine, one for
/// each typed line.
pub fn replayed(sessions: &str, run: impl Fn(&Path, &str, &[&str]) -> Vec<String>) -> String {
    let folder = TempDir::new().unwrap();
    let (mut text, mut lines, mut parts) = (String::new(), sessions.lines(), Vec::new().into_iter());
    while let Some(line) = lines.next() {
        if line.starts_with("## ") {
            text += &format!("{line}\n");
        } else if let Some(command) = line.strip_prefix("$ ") {
            let session = lines.clone().take_while(|line| !line.starts_with("$ "));
            parts = run(folder.path(), command, &session.filter_map(typed).collect::<Vec<_>>()).into_iter();
            text += &format!("{line}\n{}", parts.next().expect("what is said at first"));
        } else if let Some(part) = typed(line).and_then(|_| parts.next()) {
            text += &format!("{line}\n{part}");
        }
    }
    text
}

/// Returns the text that is typed on a line of a session, which is everything after the prompt. Returns `None` if there
/// is none, or if the prompt contains `<`, as in `<word>`.
fn typed(line: &str) -> Option<&str> {
    let (prompt, typed) = line.split_once("> ")?;
    (!prompt.contains('<') && !typed.is_empty()).then_some(typed)
}

/// Runs a command line in a shell and types lines to it. Returns the parts of its output, as [`replayed`] expects them
/// from `run`.
pub fn at_shell(folder: &Path, line: &str, typed: &[&str]) -> Vec<String> {
    let is_engine = ["yomikiri usi", "yomikiri upi"].iter().any(|engine| line.contains(engine));
    let end = if is_engine { format!("\n{ASK}\n") } else { "\n".into() };
    let script: String = typed.iter().flat_map(|line| [*line, &end]).collect();
    let output = with_input(shell(folder, line), script);
    // The program for Windows joins names of folders and files by a backslash.
    let text = |bytes| String::from_utf8(bytes).expect("what is said is UTF-8").replace("tables\\", "tables/");
    let (out, err) = (text(output.stdout), text(output.stderr));
    if is_engine && out.contains(ANSWERED) {
        assert!(output.status.success() && err.is_empty(), "{line}: {:?}: {err}", output.status);
        let mut parts: Vec<String> = out.split(&format!("{ANSWERED}\n")).map(String::from).collect();
        assert!(parts.len() <= typed.len() || parts[typed.len()].is_empty(), "{line}: {parts:?}");
        parts.resize(typed.len(), String::new());
        parts.insert(0, String::new());
        return parts;
    }
    assert!([&out, &err].iter().all(|text| text.is_empty() || text.ends_with('\n')), "{line}: {out}{err}");
    let status = output.status.code().filter(|&code| code != 0).map(|code| format!("? {code}\n"));
    let err: String = err.lines().map(|line| format!("! {line}\n")).collect();
    vec![status.unwrap_or_default() + &out + &err]
}

/// Returns a shell that runs a command line in `folder`: in English, with the program under test on its path, tables in
/// `tables` and nothing that ships with the program.
pub fn shell(folder: &Path, line: &str) -> Command {
    let own = program().parent().unwrap().to_path_buf();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others))).unwrap();
    let mut command = in_english(Command::new("sh"));
    command.args(["-c", line]).current_dir(folder).env("YOMIKIRI_TABLES", "tables").env("YOMIKIRI_DATA", "");
    command.env("PATH", path);
    command
}

/// Replaces the numbers after `time` and `nps` in the lines of a search with `[..]`.
pub fn without_times(text: &str) -> String {
    let mut is_time = false;
    let word = |word: &str| match std::mem::replace(&mut is_time, matches!(word, "time " | "nps ")) {
        true if word.trim_end().parse::<u64>().is_ok() => "[..] ".to_string(),
        _ => word.to_string(),
    };
    text.split_inclusive([' ', '\n']).map(word).collect()
}
