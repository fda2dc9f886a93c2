//! A read-eval-print loop for people and programs: one command a line, answers in lines; and what may interrupt a
//! player that thinks meanwhile.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use super::input::{Input, Line};
use super::player::{Listener, Report};
use yomikiri_rules::TextError;

/// Why a session broke off.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error("input: {0}")]
    Input(io::Error),
    #[error("output: {0}")]
    Output(io::Error),
}

/// What a command comes to: lines to print, without a line break at the end; empty if there is nothing to say.
pub type Answer = Result<String, TextError>;

/// Why a command has no answer: it makes no sense, or nobody is left to answer to.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    #[error(transparent)]
    Wrong(#[from] TextError),
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// Where lines come from and go to.
pub struct Channel<W> {
    pub input: Input,
    pub output: W,
}

impl<W: Write> Channel<W> {
    pub fn new(input: impl BufRead + Send + 'static, output: W) -> Result<Self, Broken> {
        Ok(Channel { input: Input::new(input).map_err(Broken::Input)?, output })
    }

    /// Prints lines at once.
    pub fn say(&mut self, text: &str) -> Result<(), Broken> {
        writeln!(self.output, "{text}").and_then(|()| self.output.flush()).map_err(Broken::Output)
    }
}

/// The one who answers.
pub trait Controller<W: Write> {
    /// Carries out a command with its arguments; lines that are empty or begin with `#` are none.
    fn dispatch(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered>;
}

/// Reads commands and prints answers until `quit` or the end of the input.
pub fn repl<W: Write>(controller: &mut impl Controller<W>, mut channel: Channel<W>) -> Result<(), Broken> {
    loop {
        let answer = match channel.input.take() {
            Line::End => return Ok(()),
            Line::Failed(error) => return Err(Broken::Input(error)),
            Line::Refused(why) => Err(TextError::new("line", why).into()),
            Line::Text(line) => {
                let words: Vec<&str> = line.trim_start_matches('\u{feff}').split_whitespace().collect();
                match words.first() {
                    Some(&"quit") => return Ok(()),
                    Some(command) if !command.starts_with('#') => controller.dispatch(&words, &mut channel),
                    _ => Ok(String::new()),
                }
            }
        };
        let text = match answer {
            Ok(text) => text,
            Err(Unanswered::Wrong(error)) => error_line(&error),
            Err(Unanswered::Broken(broken)) => return Err(broken),
        };
        if !text.is_empty() {
            channel.say(&text)?;
        }
    }
}

/// An error as a line that programs may pass over.
pub fn error_line(error: &TextError) -> String {
    format!("info string error: {error}")
}

/// Refuses words that are longer than any the protocol has.
pub fn check_lengths(words: &[&str], longest: usize) -> Result<(), TextError> {
    let Some(word) = words.iter().find(|word| word.len() > longest) else { return Ok(()) };
    let begin: String = word.chars().take(20).collect();
    Err(TextError::new(format!("word \"{begin}...\""), format!("is longer than {longest} bytes")))
}

/// Prints reports, and looks at lines that arrive meanwhile: `isready` is answered, `stop` ends the search. Other
/// lines wait, and what stands behind another `go` is for that one.
pub struct Interruptible<'a, W, F> {
    channel: &'a mut Channel<W>,
    /// The lines for a report; none if there is nothing to print.
    text: F,
    /// Waiting lines that were looked at and left.
    seen: usize,
    /// Nothing but `stop` limits the search. A `go` or the end of the input then stops it too, for nothing else will.
    endless: bool,
    /// How long the search may go on after `ponderhit`, where it waits for that.
    after_hit: Option<Duration>,
    /// How long a search may go on when somebody waits for its end to quit.
    grace: Duration,
    answer_at: Option<Instant>,
    broken: Option<Broken>,
}

impl<'a, W: Write, F> Interruptible<'a, W, F> {
    /// Listens on a channel. `grace` is how long a search may go on when somebody waits for its end to quit.
    pub fn new(channel: &'a mut Channel<W>, text: F, endless: bool, grace: Duration) -> Self {
        Interruptible { channel, text, seen: 0, endless, after_hit: None, grace, answer_at: None, broken: None }
    }

    /// Waits for `ponderhit`, and then so long.
    pub fn pondering(self, time: Option<Duration>) -> Self {
        Interruptible { after_hit: time, ..self }
    }

    /// What went wrong while printing.
    pub fn end(self) -> Result<(), Broken> {
        self.broken.map_or(Ok(()), Err)
    }

    fn say(&mut self, text: &str) {
        self.broken = self.channel.say(text).err().or(self.broken.take());
    }

    fn answer_after(&mut self, time: Duration) {
        self.answer_at.get_or_insert(Instant::now() + time);
    }

    /// Goes through the lines that have arrived; true if one of them wants an answer now.
    fn read_on(&mut self) -> bool {
        self.channel.input.look();
        while let Some(line) = self.channel.input.waiting.get(self.seen) {
            match first_word(line) {
                Some("stop") => {
                    self.channel.input.waiting.remove(self.seen);
                    return true;
                }
                Some("isready") => {
                    self.channel.input.waiting.remove(self.seen);
                    self.say("readyok");
                }
                Some("ponderhit") if self.after_hit.is_some() => {
                    self.channel.input.waiting.remove(self.seen);
                    self.endless = false;
                    self.answer_after(self.after_hit.unwrap_or_default());
                }
                Some("quit") => {
                    self.answer_after(self.grace);
                    return self.endless;
                }
                Some("go") | None => return self.endless,
                Some(_) => self.seen += 1,
            }
        }
        self.endless && self.channel.input.is_full()
    }
}

/// The command of a line; empty where there is none, `None` after the last line.
fn first_word(line: &Line) -> Option<&str> {
    match line {
        Line::Text(text) => Some(text.split_whitespace().next().unwrap_or_default()),
        Line::Refused(_) => Some(""),
        Line::End | Line::Failed(_) => None,
    }
}

impl<M, W: Write, F: Fn(&Report<M>) -> String> Listener<M> for Interruptible<'_, W, F> {
    fn hear(&mut self, report: Report<M>) {
        let text = (self.text)(&report);
        if !text.is_empty() {
            self.say(&text);
        }
    }

    fn wants_answer(&mut self) -> bool {
        self.read_on() || self.broken.is_some() || self.answer_at.is_some_and(|time| Instant::now() >= time)
    }
}
