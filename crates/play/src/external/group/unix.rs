//! Process groups of Unix.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process_group};

/// A program in its own process group. Ctrl-C on the terminal does not reach the program. Dropping the `Group` kills
/// the whole process group.
pub struct Group {
    pub program: Child,
}

impl Group {
    /// Starts a program.
    pub fn start(command: &mut Command) -> io::Result<Group> {
        Ok(Group { program: command.process_group(0).spawn()? })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = kill_process_group(Pid::from_child(&self.program), Signal::KILL);
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
