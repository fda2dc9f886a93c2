//! Sessions at a shell's prompt: files of what is typed and of what is said to it.
//!
//! `$ ` begins a command line. All those of a file share a folder that is empty at first, with tables in `tables`
//! below it. What stands behind `> ` is typed while the command runs: behind the prompts of `play`, at the beginning
//! of a line to an engine. What is said on standard error stands behind the rest, each line after `! `; `? 2` after
//! the command line is its status where that is not 0. `...` alone stands for any lines, `[..]` for any text, and
//! lines that begin with `## ` are remarks. With SNAPSHOTS=overwrite a file is written anew.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::command::{PATIENCE, in_english, program};
use crate::support::repository::at;
use snapbox::{Assert, Data, assert::DEFAULT_ACTION_ENV};
use tempfile::TempDir;

/// A line that an engine answers after all before it, also after a search, and its answer.
pub const ASK: &str = "done?";
pub const ANSWERED: &str = "info string error: command \"done?\": is not known; help lists them";

/// Has the sessions of a file of tests again, or of all files of a folder; all that differ are told.
pub fn replay(path: &str) {
    let path = at("tests").join(path);
    let files: Vec<_> = match std::fs::read_dir(&path) {
        Ok(files) => files.map(|file| file.unwrap().path()).collect(),
        Err(_) => vec![path],
    };
    assert!(!files.is_empty());
    let differs = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        catch_unwind(|| check(had_again(&text, at_shell), Data::read_from(file, None))).is_err()
    };
    let differing: Vec<_> = files.into_iter().filter(differs).collect();
    assert!(differing.is_empty(), "sessions went otherwise: {differing:?}");
}

/// Holds a session against what was expected. Times are whatever they are.
pub fn check(said: String, expected: Data) {
    Assert::new().normalize_paths(false).action_env(DEFAULT_ACTION_ENV).eq(without_times(&said), expected);
}

/// Holds the last cell of each row of a table against what comes of those before it. Cells stand between ` | `, lines
/// that begin with `# ` are remarks.
pub fn check_table<const CELLS: usize>(path: &str, answer: impl Fn([&str; CELLS]) -> String) {
    let path = at("tests").join(path);
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

/// What is really said in sessions: their text with the parts that `run` gives, one for a command line and, where it
/// is an engine, one for each line that is typed. `run` is given a folder, the command line and what is typed.
pub fn had_again(sessions: &str, run: impl Fn(&Path, &str, &[&str]) -> Vec<String>) -> String {
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

/// What is typed on a line: what stands behind a prompt, but not behind a `<word>`.
fn typed(line: &str) -> Option<&str> {
    let (prompt, typed) = line.split_once("> ")?;
    (!prompt.contains('<') && !typed.is_empty()).then_some(typed)
}

/// Gives a command line to a shell, and what is typed to the command.
pub fn at_shell(folder: &Path, line: &str, typed: &[&str]) -> Vec<String> {
    let is_engine = ["yomikiri usi", "yomikiri upi"].iter().any(|engine| line.contains(engine));
    let end = if is_engine { format!("\n{ASK}\n") } else { "\n".into() };
    let script: String = typed.iter().flat_map(|line| [*line, &end]).collect();
    let mut command = assert_cmd::Command::from_std(shell(folder, line));
    let output = command.timeout(PATIENCE).write_stdin(script).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("what is said is UTF-8");
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

/// A shell with a command line, in English, with the command under test on its path and tables in `tables`.
pub fn shell(folder: &Path, line: &str) -> Command {
    let own = program().parent().unwrap().to_path_buf();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others))).unwrap();
    let mut command = in_english(Command::new("sh"));
    command.args(["-c", line]).current_dir(folder).env("YOMIKIRI_TABLES", "tables").env("PATH", path);
    command
}

/// Lines that tell of a search, with `[..]` for its times.
pub fn without_times(text: &str) -> String {
    let mut is_time = false;
    let word = |word: &str| match std::mem::replace(&mut is_time, matches!(word, "time " | "nps ")) {
        true if word.trim_end().parse::<u64>().is_ok() => "[..] ".to_string(),
        _ => word.to_string(),
    };
    text.split_inclusive([' ', '\n']).map(word).collect()
}
