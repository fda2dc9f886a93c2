//! The command on a pseudo-terminal, as a person meets it.
#![allow(dead_code)]

use std::path::Path;
use std::process::Command;

use rexpect::session::{PtySession, spawn_command};

/// Milliseconds that an answer may take.
const PATIENCE: u64 = 120_000;

/// A line whose answer comes after those of all before it, also after that of a search.
const ASK: &str = "done?";
const ANSWERED: &str = "info string error: command \"done?\": is not known; help lists them";

/// A person's terminal with an engine in it.
pub struct Terminal {
    session: PtySession,
}

impl Terminal {
    /// Starts the command with tables in `folder`.
    pub fn open(folder: &Path, arguments: &[&str]) -> Terminal {
        let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
        command.args(arguments).env("YOMIKIRI_TABLES", folder).env("TERM", "xterm");
        Terminal { session: spawn_command(command, Some(PATIENCE)).unwrap() }
    }

    /// Types a line and returns the lines it is answered by, without what the terminal shows of the typing.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.session.send_line(line).unwrap();
        self.session.send_line(ASK).unwrap();
        let (mut answer, mut typed) = (Vec::new(), vec![line, ASK]);
        loop {
            let shown = self.session.read_line().unwrap();
            let shown = shown.trim_end_matches(['\r', '\n']);
            if shown == ANSWERED {
                return answer;
            }
            match typed.iter().position(|&typed| typed == shown) {
                Some(at) => drop(typed.remove(at)),
                None => answer.push(shown.to_string()),
            }
        }
    }

    /// Types Ctrl-D, the end of the input; the command has to end well.
    pub fn leave(mut self) {
        self.session.send_control('d').unwrap();
        self.session.exp_eof().unwrap();
        let status = self.session.process().wait().unwrap();
        let status = format!("{status:?}");
        assert!(status.starts_with("Exited(") && status.ends_with(", 0)"), "{status}");
    }
}
