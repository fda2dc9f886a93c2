//! A child process that reads and writes lines. Dropping the [`Process`] ends the child process.

use std::io::{self, BufReader, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use super::group::Group;
use crate::input::{Input, Line};
use yomikiri_table::threads;

/// The interval at which [`Process::wait_for`] checks its flag `stop`.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The maximum number of times that [`Process::forget`] empties the queue of lines that have arrived.
const MAX_DRAINS: u32 = 100;

/// The time that a program has to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// A running program that takes commands.
pub struct Process {
    /// Ends the program, and all programs that it has started, when this `Process` is dropped.
    _group: Group,
    /// The queue of lines to write, or `None` once it is closed. A separate thread writes the lines, because a write
    /// may block.
    lines: Option<Sender<String>>,
    input: Input,
}

/// The reason why the awaited line did not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// The time limit has passed.
    Late,
    /// The program has ended or closed its output.
    Ended,
    /// The flag `stop` of [`Process::wait_for`] was set.
    Stopped,
}

impl Process {
    /// Starts a program. `words` are its name and arguments, and must not be empty.
    pub fn start(words: &[String]) -> io::Result<Process> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut group = Group::start(&mut command)?;
        let missing = || io::Error::other("no pipe to the program");
        let output = group.program.stdout.take().ok_or_else(missing)?;
        let stdin = group.program.stdin.take().ok_or_else(missing)?;
        let (lines, texts) = channel();
        threads::start("output", move || write_all(stdin, &texts))?;
        Ok(Process { lines: Some(lines), input: Input::new(BufReader::new(output))?, _group: group })
    }

    /// Sends a line. Write errors surface at the next read.
    pub fn send(&self, line: &str) {
        if let Some(lines) = &self.lines {
            let _ = lines.send(format!("{line}\n"));
        }
    }

    /// Discards the lines that have arrived. If the program keeps writing, some lines may be left.
    pub fn forget(&mut self) {
        for _ in 0..MAX_DRAINS {
            self.input.poll();
            let full = self.input.is_full();
            self.input.waiting.retain(|line| matches!(line, Line::End | Line::Failed(_)));
            if !full {
                return;
            }
        }
    }

    /// Waits at most `time` for a line for which `wanted` returns a value, and returns that value. Discards all earlier
    /// lines. Returns [`NoLine::Stopped`] soon after `stop` is set.
    pub fn wait_for<T>(
        &mut self,
        time: Duration,
        stop: &AtomicBool,
        wanted: impl Fn(&str) -> Option<T>,
    ) -> Result<T, NoLine> {
        let end = Instant::now() + time;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(NoLine::Stopped);
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.input.next_line_within(left.min(POLL_INTERVAL)) {
                Some(Line::Text(text)) => {
                    if let Some(found) = wanted(&text) {
                        return Ok(found);
                    }
                }
                Some(Line::Refused { .. }) => {}
                Some(Line::End | Line::Failed(_)) => return Err(NoLine::Ended),
                None if left.is_zero() => return Err(NoLine::Late),
                None => {}
            }
            if left.is_zero() {
                return Err(NoLine::Late);
            }
        }
    }

    /// Sends `quit`, and waits a short time for the program to end.
    pub fn quit(mut self) {
        self.send("quit");
        self.lines = None;
        let never = AtomicBool::new(false);
        let _ = self.wait_for(QUIT_TIMEOUT, &never, |_| None::<()>);
    }
}

/// Writes lines until the channel or the pipe is closed.
fn write_all(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}
