//! The terminal of a game: input lines, output text and Ctrl-C.

use std::io::{BufReader, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use yomikiri_play::input::{Input, Line};
use yomikiri_rules::is_invisible;

use crate::CommandResult;
use crate::error::Failure;
use crate::output::done;
use crate::signals::flag_interrupts;

/// The time between two checks for Ctrl-C while waiting for a line.
const LOOK: Duration = Duration::from_millis(50);

/// The time after a machine's answer in which Ctrl-C is ignored, because it was meant to interrupt the machine.
const LATE: Duration = Duration::from_millis(250);

/// The maximum length of an echoed line, in characters.
const SHOWN: usize = 200;

/// The answer to a prompt.
pub enum PromptAnswer {
    Line(String),
    /// The line cannot be read as text, for this reason.
    Refused(String),
    /// Ctrl-C, or the end of input.
    Leaves,
}

/// A request of the person while a machine thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Ctrl-C. While a person plays, it asks the machine to move at once. In a game between machines, it asks to leave.
    Interrupt,
    /// The person wants the computer to move at once.
    Stop,
    Quit,
}

pub struct Terminal {
    input: Input,
    /// True if lines come from a keyboard, not from a file or a program.
    typed: bool,
    /// True if the output goes to a terminal.
    pub watched: bool,
    interrupted: Arc<AtomicBool>,
    /// The time when a machine last stopped thinking, or `None` before that.
    pub answered: Option<Instant>,
    /// True if the input has ended.
    ended: bool,
}

impl Terminal {
    pub fn new() -> Result<Terminal, Failure> {
        let (typed, watched) = (std::io::stdin().is_terminal(), std::io::stdout().is_terminal());
        let input = Input::new(BufReader::new(std::io::stdin())).map_err(unreadable)?;
        Ok(Terminal { input, typed, watched, interrupted: flag_interrupts()?, answered: None, ended: false })
    }

    /// Shows a prompt and waits for a line. If the line comes from a file, or was typed before the prompt, it is echoed
    /// after the prompt.
    pub fn ask(&mut self, prompt: &str) -> Result<PromptAnswer, Failure> {
        write(prompt)?;
        self.input.poll();
        let is_early = !self.input.waiting.is_empty();
        let line = match self.line()? {
            Some(line) if !self.ended => line,
            _ => {
                // Nobody typed a newline after the prompt. This one ends the prompt's line.
                write("\n")?;
                return Ok(PromptAnswer::Leaves);
            }
        };
        if !self.typed || is_early {
            let text = if let Line::Text(text) = &line { text.trim_end() } else { "" };
            let shown: String = text.chars().filter(|&letter| !is_invisible(letter)).take(SHOWN).collect();
            write(&format!("{shown}\n"))?;
        }
        Ok(match line {
            Line::Text(text) => PromptAnswer::Line(text),
            Line::Refused { why, .. } => PromptAnswer::Refused(why),
            Line::End | Line::Failed(_) => PromptAnswer::Leaves,
        })
    }

    /// Waits for the next line. Returns `None` after Ctrl-C, or after the end of input.
    fn line(&mut self) -> Result<Option<Line>, Failure> {
        while !self.ended {
            if self.interrupted.swap(false, Ordering::Relaxed)
                && self.answered.is_none_or(|answered| answered.elapsed() > LATE)
            {
                return Ok(None);
            }
            match self.input.next_line_within(LOOK) {
                None => {}
                Some(Line::Failed(error)) => return Err(unreadable(error)),
                Some(Line::End) => self.ended = true,
                Some(line) => return Ok(Some(line)),
            }
        }
        Ok(None)
    }

    /// Returns the next line, or `None` if a person has not typed one yet or the input is not a keyboard. Does not wait
    /// for a line.
    pub fn typed_line(&mut self) -> Result<Option<Line>, Failure> {
        if !self.typed || self.ended {
            return Ok(None);
        }
        match self.input.next_line_within(Duration::ZERO) {
            Some(Line::Failed(error)) => Err(unreadable(error)),
            Some(Line::End) => {
                self.ended = true;
                Ok(None)
            }
            line => Ok(line),
        }
    }

    /// Returns true if there can be input after a game between machines: a person types at a keyboard and sees the
    /// output, or a script has lines left. May wait for the script's next line.
    pub fn has_input_after_game(&mut self) -> Result<bool, Failure> {
        if self.typed {
            return Ok(self.watched);
        }
        let line = self.line()?;
        let is_there = line.is_some();
        if let Some(line) = line {
            self.input.waiting.push_front(line);
        }
        Ok(is_there)
    }

    /// Returns the person's request, or `None` if there is none now. Ctrl-C is [`Request::Interrupt`], and the word
    /// `stop` asks for a move at once. A typed `quit` or `exit` asks to leave. In a script, `quit` and `exit` are
    /// executed in their turn, like other lines.
    pub fn request(&mut self) -> Option<Request> {
        if self.interrupted.swap(false, Ordering::Relaxed) {
            return Some(Request::Interrupt);
        }
        self.input.poll();
        let is = |line: &Line, word: &str| matches!(line, Line::Text(text) if text.trim().eq_ignore_ascii_case(word));
        if let Some(at) = self.input.waiting.iter().position(|line| is(line, "stop")) {
            self.input.waiting.remove(at);
            return Some(Request::Stop);
        }
        let quits = |line: &Line| is(line, "quit") || is(line, "exit");
        (self.typed && self.input.waiting.iter().any(quits)).then_some(Request::Quit)
    }
}

fn unreadable(error: std::io::Error) -> Failure {
    Failure::work(error).named("standard input")
}

/// Writes a text and flushes it, with colours only on terminals that have them. If the reader has closed the pipe, the
/// process ends with status 0.
pub fn write(text: &str) -> CommandResult {
    let mut out = anstream::stdout().lock();
    done(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}
