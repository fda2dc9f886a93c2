//! The command on a pseudo-terminal, as a person meets it.

use std::path::Path;
use std::process::Command;

use crate::support::command::PATIENCE;
use rexpect::session::{PtySession, spawn_command};

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
        let mut command = Command::new("sh");
        command.args(["-c", "echo started; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_yomikiri")]);
        command.args(arguments).env("YOMIKIRI_TABLES", folder).env("TERM", "xterm");
        let mut session = spawn_command(command, Some(PATIENCE.as_millis() as u64)).unwrap();
        // What is typed before the terminal is ready may be lost.
        session.exp_string("started\r\n").unwrap();
        Terminal { session }
    }

    /// Types a line and returns the lines it is answered by. The terminal does not show what is typed.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.session.send_line(line).unwrap();
        self.session.send_line(ASK).unwrap();
        let mut answer = Vec::new();
        loop {
            match self.session.read_line().unwrap() {
                shown if shown == ANSWERED => return answer,
                shown => answer.push(shown),
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
