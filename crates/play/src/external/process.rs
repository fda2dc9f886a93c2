//! A program that runs beside this one: lines go in, lines come out, and it never outlives its owner.

use std::io::{self, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::input::{Input, Line};
use yomikiri_table::threads;

/// How often a wait looks up to see whether it should stop.
const GLANCE: Duration = Duration::from_millis(50);

/// How often waiting lines are looked for, to pass over them.
const MOST_LOOKS: u32 = 100;

/// How long a program may take to end once it is told to.
const FAREWELL: Duration = Duration::from_millis(500);

/// A program that runs and can be spoken to.
pub struct Process {
    /// Held so that it ends with this.
    _group: Group,
    /// Lines to write; they are written by a thread of their own, which may have to wait.
    lines: Option<Sender<String>>,
    input: Input,
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The time is over.
    Late,
    /// The program has ended or closed its output.
    Ended,
    /// `stop` was set.
    Stopped,
}

impl Process {
    /// Starts a program by its name and arguments, which must not be empty.
    pub fn start(words: &[String]) -> io::Result<Process> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).process_group(0);
        let mut group = Group(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?);
        let missing = || io::Error::other("no pipe to the program");
        let output = group.0.stdout.take().ok_or_else(missing)?;
        let stdin = group.0.stdin.take().ok_or_else(missing)?;
        let (lines, texts) = channel();
        threads::start("output", move || write_all(stdin, &texts))?;
        Ok(Process { lines: Some(lines), input: Input::new(BufReader::new(output))?, _group: group })
    }

    /// Sends a line. That nobody reads it shows when an answer is waited for.
    pub fn send(&self, line: &str) {
        if let Some(lines) = &self.lines {
            let _ = lines.send(format!("{line}\n"));
        }
    }

    /// Passes over what the program has said so far; not over all of it, if it does not stop.
    pub fn forget(&mut self) {
        for _ in 0..MOST_LOOKS {
            self.input.look();
            let full = self.input.is_full();
            self.input.waiting.retain(|line| matches!(line, Line::End | Line::Failed(_)));
            if !full {
                return;
            }
        }
    }

    /// The first thing that `wanted` finds in a line within some time. Other lines are passed over.
    pub fn wait_for<T>(
        &mut self,
        time: Duration,
        stop: &AtomicBool,
        wanted: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Silence> {
        let end = Instant::now() + time;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Silence::Stopped);
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.input.take_within(left.min(GLANCE)) {
                Some(Line::Text(text)) => {
                    if let Some(found) = wanted(&text) {
                        return Ok(found);
                    }
                }
                Some(Line::Refused(_)) => {}
                Some(Line::End | Line::Failed(_)) => return Err(Silence::Ended),
                None if left.is_zero() => return Err(Silence::Late),
                None => {}
            }
            if left.is_zero() {
                return Err(Silence::Late);
            }
        }
    }

    /// Tells the program to quit and gives it a moment for that.
    pub fn quit(mut self) {
        self.send("quit");
        self.lines = None;
        let never = AtomicBool::new(false);
        let _ = self.wait_for(FAREWELL, &never, |_| None::<()>);
    }
}

/// A program alone in a process group, so that Ctrl-C on the terminal does not reach it, and all that it has started
/// can be ended with it.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        // Errors say that there is nothing left to end.
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Writes lines until there are no more or nobody reads them.
fn write_all(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}
