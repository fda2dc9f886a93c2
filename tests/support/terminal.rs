//! The command on a pseudo-terminal, as a person meets it.

use std::path::Path;

use crate::support::command::PATIENCE;
use crate::support::session::{ANSWERED, ASK, shell};
use rexpect::session::{PtySession, spawn_command};

/// A person's terminal with an engine in it.
pub struct Terminal {
    session: PtySession,
}

impl Terminal {
    /// Starts a command line in a folder.
    pub fn open(folder: &Path, line: &str) -> Terminal {
        let command = shell(folder, &format!("echo started; exec {line}"));
        let mut session = spawn_command(command, Some(PATIENCE.as_millis() as u64)).unwrap();
        // What is typed before the terminal is ready may be lost.
        session.exp_string("started\r\n").unwrap();
        Terminal { session }
    }

    /// Types a line and returns the lines it is answered by. The terminal does not show what is typed.
    pub fn ask(&mut self, line: &str) -> String {
        self.session.send_line(line).unwrap();
        self.session.send_line(ASK).unwrap();
        let mut answer = String::new();
        loop {
            match self.session.read_line().unwrap() {
                shown if shown == ANSWERED => return answer,
                shown => answer += &format!("{shown}\n"),
            }
        }
    }

    /// Types Ctrl-D, the end of the input; the command has to end well.
    pub fn leave(mut self) {
        self.session.send_control('d').unwrap();
        self.session.exp_eof().unwrap();
        let status = self.session.process().wait().unwrap();
        assert!(matches!(status, rexpect::process::WaitStatus::Exited(_, 0)), "{status:?}");
    }
}
