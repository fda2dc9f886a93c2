//! The terminal of a game: lines in, text out, Ctrl-C.

use std::io::{BufReader, ErrorKind, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use yomikiri_play::input::{Input, Line};

use crate::Done;
use crate::error::Failure;
use crate::signals::flag_interrupts;

/// How often somebody who waits for a line looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// A Ctrl-C so soon after a machine has answered was meant for the machine.
const LATE: Duration = Duration::from_millis(250);

/// Letters shown of a line that nobody has seen being typed.
const SHOWN: usize = 200;

/// What comes of a prompt.
pub enum Asked {
    Line(String),
    /// No text; says why.
    Refused(String),
    /// Ctrl-C, or there are no more lines.
    Leaves,
}

/// What somebody wants who does not wait for the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Ctrl-C: a move at once, or to leave a game that nobody plays.
    Interrupt,
    /// A move at once.
    Stop,
    Quit,
}

pub struct Terminal {
    input: Input,
    /// Whether lines are typed, and not read from a file or another program.
    typed: bool,
    /// Whether somebody looks at what is written.
    pub watched: bool,
    interrupted: Arc<AtomicBool>,
    /// When a machine last stopped thinking.
    pub answered: Option<Instant>,
    /// Whether the last line has been read.
    ended: bool,
}

impl Terminal {
    pub fn new() -> Result<Terminal, Failure> {
        let (typed, watched) = (std::io::stdin().is_terminal(), std::io::stdout().is_terminal());
        let input = Input::new(BufReader::new(std::io::stdin())).map_err(unreadable)?;
        Ok(Terminal { input, typed, watched, interrupted: flag_interrupts()?, answered: None, ended: false })
    }

    /// Asks for a line. What is not typed, or was typed before, is shown behind the prompt as if it were typed now.
    pub fn ask(&mut self, prompt: &str) -> Result<Asked, Failure> {
        write(prompt)?;
        self.input.look();
        let is_early = !self.input.waiting.is_empty();
        let line = match self.line()? {
            Some(line) if !self.ended => line,
            _ => {
                // The prompt's line has no other end.
                write("\n")?;
                return Ok(Asked::Leaves);
            }
        };
        if !self.typed || is_early {
            let text = if let Line::Text(text) = &line { text.trim_end() } else { "" };
            let shown: String = text.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect();
            write(&format!("{shown}\n"))?;
        }
        Ok(match line {
            Line::Text(text) => Asked::Line(text),
            Line::Refused(why) => Asked::Refused(why),
            Line::End | Line::Failed(_) => Asked::Leaves,
        })
    }

    /// The next line; none after Ctrl-C.
    fn line(&mut self) -> Result<Option<Line>, Failure> {
        while !self.ended {
            if self.interrupted.swap(false, Ordering::Relaxed)
                && self.answered.is_none_or(|answered| answered.elapsed() > LATE)
            {
                return Ok(None);
            }
            match self.input.take_within(LOOK) {
                None => {}
                Some(Line::Failed(error)) => return Err(unreadable(error)),
                Some(Line::End) => self.ended = true,
                Some(line) => return Ok(Some(line)),
            }
        }
        Ok(None)
    }

    /// A line typed while nobody was asked.
    pub fn typed_line(&mut self) -> Result<Option<Line>, Failure> {
        if !self.typed || self.ended {
            return Ok(None);
        }
        match self.input.take_within(Duration::ZERO) {
            Some(Line::Failed(error)) => Err(unreadable(error)),
            Some(Line::End) => {
                self.ended = true;
                Ok(None)
            }
            line => Ok(line),
        }
    }

    /// Whether a game between machines leaves somebody to ask when it is over: somebody who looks and types, or a
    /// script with lines left.
    pub fn has_somebody(&mut self) -> Result<bool, Failure> {
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

    /// What somebody wants now: Ctrl-C and the word `stop` want a move. What was typed can be `quit` as well; in a
    /// script that waits for its turn, like all other lines.
    pub fn wish(&mut self) -> Option<Wish> {
        if self.interrupted.swap(false, Ordering::Relaxed) {
            return Some(Wish::Interrupt);
        }
        self.input.look();
        let is = |line: &Line, word: &str| matches!(line, Line::Text(text) if text.trim().eq_ignore_ascii_case(word));
        if let Some(at) = self.input.waiting.iter().position(|line| is(line, "stop")) {
            self.input.waiting.remove(at);
            return Some(Wish::Stop);
        }
        let quits = |line: &Line| is(line, "quit") || is(line, "exit");
        (self.typed && self.input.waiting.iter().any(quits)).then_some(Wish::Quit)
    }
}

fn unreadable(error: std::io::Error) -> Failure {
    Failure::Work(format!("standard input: {error}"))
}

/// Writes a text at once, in its colours only on a terminal that has them. A reader that has gone away ends the work
/// quietly.
pub fn write(text: &str) -> Done {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Failure::Work(format!("standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}
