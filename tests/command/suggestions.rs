//! Tests that the commands in messages can be pasted into a shell, whatever the name of the folder.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::support::command::{program, refused};

/// Names of folders. A shell splits or changes all but the first unless they are quoted.
const NAMES: [&str; 8] = ["plain", "two words", "it's", "a$HOME", "a`b`", "a\"b", "a&b;c>d", "-x"];

/// A working folder, and a search path on which the program has its usual name.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("bin")).unwrap();
        std::os::unix::fs::symlink(program(), folder.path().join("bin/yomikiri")).unwrap();
        Desk { folder }
    }

    fn command(&self, program: &Path) -> Command {
        let path = format!("{}:/usr/bin:/bin", self.folder.path().join("bin").display());
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env("PATH", path).env_remove("YOMIKIRI_TABLES").env("YOMIKIRI_DATA", "");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(Path::new("yomikiri")).args(arguments).output().unwrap()
    }

    /// Runs a line in a shell, where it must succeed. Returns its standard output.
    fn paste(&self, line: &str) -> String {
        let output = self.command(Path::new("sh")).args(["-c", line]).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Returns the text from `mark` to the end of its line, without the mark.
fn behind<'a>(text: &'a str, mark: &str) -> &'a str {
    let (_, rest) = text.split_once(mark).unwrap_or_else(|| panic!("no {mark} in {text}"));
    rest.lines().next().unwrap().trim()
}

#[test]
fn commands_can_be_pasted() {
    for name in NAMES {
        let desk = Desk::new();
        let tables = format!("--tables={name}");
        let advice = refused(&desk.run(&["verify", "bin2x2", &tables]), 1, name);
        let made = desk.paste(behind(&advice, "make it with: "));
        assert!(desk.folder.path().join(name).join("bin2x2.tbl").is_file(), "{name}: made elsewhere");
        let (query, line) = made.split_once("Query it with:\n").unwrap().1.split_once('\n').unwrap();
        assert!(desk.paste(query.trim()).contains("White wins in 6"), "{name}");
        assert!(desk.paste(line.trim()).contains("moves"), "{name}");
        let advice = refused(&desk.run(&["verify", "bin3x2", "--from", "startpos moves 2n", &tables]), 1, name);
        let made = desk.paste(behind(&advice, "make it with: "));
        desk.paste(made.split_once("Query it with:\n").unwrap().1.lines().next().unwrap().trim());
    }
}
