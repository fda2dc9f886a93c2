//! The command on a pseudo-terminal, as a person meets it.

use crate::support::command::PATIENCE;
use crate::support::session::{ANSWERED, ASK, shell};
use rexpect::process::WaitStatus;
use rexpect::session::{PtySession, spawn_command};
use tempfile::TempDir;

/// A person's terminal with a command in it.
pub struct Terminal {
    session: PtySession,
    /// The command's own folder, for as long as it runs.
    folder: TempDir,
}

impl Terminal {
    /// Starts a command line in an empty folder.
    pub fn open(line: &str) -> Terminal {
        let folder = TempDir::new().unwrap();
        let command = shell(folder.path(), &format!("echo $$ >process; echo started; exec {line}"));
        let mut session = spawn_command(command, Some(PATIENCE.as_millis() as u64)).unwrap();
        // What is typed before the terminal is ready may be lost.
        session.exp_string("started\r\n").unwrap();
        Terminal { session, folder }
    }

    /// Waits until a text is said.
    pub fn hears(&mut self, text: &str) -> String {
        self.session.exp_string(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    pub fn types(&mut self, line: &str) {
        self.session.send_line(line).unwrap();
    }

    /// Presses Ctrl with a letter.
    pub fn presses(&mut self, letter: char) {
        self.session.send_control(letter).unwrap();
    }

    /// Types a line to an engine and returns what it answers. The terminal does not show what is typed.
    pub fn asks(&mut self, line: &str) -> String {
        self.types(line);
        self.types(ASK);
        self.hears(&format!("{ANSWERED}\r\n")).replace("\r\n", "\n")
    }

    /// Bytes that the command has read so far, from files and its terminal.
    pub fn bytes_read(&self) -> u64 {
        let process = std::fs::read_to_string(self.folder.path().join("process")).unwrap();
        let counts = std::fs::read_to_string(format!("/proc/{}/io", process.trim())).unwrap();
        counts.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
    }

    /// What is said to the end, which has to be a good one.
    pub fn leaves(mut self) -> String {
        let rest = self.session.exp_eof().unwrap();
        let status = self.session.process().wait().unwrap();
        assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}: {rest}");
        rest
    }
}
