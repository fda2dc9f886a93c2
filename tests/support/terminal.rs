//! Runs the command in a pseudo-terminal.

use crate::support::command::PATIENCE;
use crate::support::session::{ANSWERED, ASK, shell};
use rexpect::process::WaitStatus;
use rexpect::session::{PtySession, spawn_command};
use tempfile::TempDir;

/// A pseudo-terminal in which a command runs.
pub struct Terminal {
    session: PtySession,
    /// The working folder of the command. Dropping it deletes the folder.
    folder: TempDir,
}

impl Terminal {
    /// Starts a command line in an empty folder.
    pub fn open(line: &str) -> Terminal {
        let folder = TempDir::new().unwrap();
        let command = shell(folder.path(), &format!("echo $$ >process; echo started; exec {line}"));
        let mut session = spawn_command(command, Some(PATIENCE.as_millis() as u64)).unwrap();
        // The system may lose input that is typed before the terminal is ready.
        session.exp_string("started\r\n").unwrap();
        Terminal { session, folder }
    }

    /// Waits until the command prints `text`. Returns the output before it.
    pub fn wait_for(&mut self, text: &str) -> String {
        self.session.exp_string(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    pub fn type_line(&mut self, line: &str) {
        self.session.send_line(line).unwrap();
    }

    /// Presses Ctrl and a letter.
    pub fn press(&mut self, letter: char) {
        self.session.send_control(letter).unwrap();
    }

    /// Types a line to an engine and returns the answer. What is typed does not appear in the answer, because the
    /// terminal does not echo it.
    pub fn ask(&mut self, line: &str) -> String {
        self.type_line(line);
        self.type_line(ASK);
        self.wait_for(&format!("{ANSWERED}\r\n")).replace("\r\n", "\n")
    }

    /// Returns the number of bytes that the command has read so far, from files and its terminal together.
    pub fn bytes_read(&self) -> u64 {
        let process = std::fs::read_to_string(self.folder.path().join("process")).unwrap();
        let counts = std::fs::read_to_string(format!("/proc/{}/io", process.trim())).unwrap();
        counts.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
    }

    /// Waits for the command to end. It must succeed. Returns the rest of its output.
    pub fn finish(mut self) -> String {
        let rest = self.session.exp_eof().unwrap();
        let status = self.session.process().wait().unwrap();
        assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}: {rest}");
        rest
    }
}
