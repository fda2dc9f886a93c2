//! A read-eval-print loop for people and programs: one command a line, answers in lines; and what may interrupt a
//! player that thinks meanwhile.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use super::input::{Input, Line};
use super::player::{Listener, Report};
use super::protocol::{Command, Reaction, State};
use yomikiri_rules::{TextError, visible};

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

    /// Prints remarks that programs may pass over, a line each.
    pub fn remark(&mut self, remarks: &[String]) -> Result<(), Broken> {
        remarks.iter().try_for_each(|remark| self.say(&format!("info string {}", visible(remark))))
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
                let words: Vec<&str> = line.split_whitespace().collect();
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

/// The lines of a `go` that has no move: an error, and the `bestmove` that a host waits for.
pub fn no_move(error: &TextError) -> String {
    format!("{}\nbestmove resign", error_line(error))
}

/// The lines of a `go` after a `position` that was refused: no move of an older position.
pub fn go_after_refusal(refused: &TextError) -> String {
    no_move(&TextError::new("go", format!("the last position was refused ({refused}); send another one")))
}

/// Refuses words that are longer than any the protocol has.
pub fn check_lengths(words: &[&str], longest: usize) -> Result<(), TextError> {
    let Some(word) = words.iter().find(|word| word.len() > longest) else { return Ok(()) };
    let begin: String = word.chars().take(20).collect();
    Err(TextError::new(format!("word \"{begin}...\""), format!("is longer than {longest} bytes")))
}

/// When the move of a `go` is wanted, besides the limits of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// What the engine does while it searches.
    pub state: State,
    /// Time that a pondering engine has from `ponderhit` on; no limit if there is none.
    pub after_hit: Option<Duration>,
    /// How long a search may go on when somebody waits for its end to quit.
    pub grace: Duration,
}

/// Prints reports, and reacts to lines that arrive meanwhile as [`State::react`] says.
pub struct Interruptible<'a, W, F> {
    channel: &'a mut Channel<W>,
    /// The lines for a report; none if there is nothing to print.
    text: F,
    wanted: Wanted,
    /// Waiting lines that were looked at and left.
    seen: usize,
    /// The move is wanted now.
    released: bool,
    answer_at: Option<Instant>,
    broken: Option<Broken>,
}

impl<'a, W: Write, F> Interruptible<'a, W, F> {
    /// Listens on a channel from the beginning of a search on.
    pub fn new(channel: &'a mut Channel<W>, text: F, wanted: Wanted) -> Self {
        Interruptible { channel, text, wanted, seen: 0, released: false, answer_at: None, broken: None }
    }

    /// Waits until the move is wanted, after the search has ended for whatever reason. Returns what went wrong while
    /// printing.
    pub fn hold(mut self) -> Result<(), Broken> {
        self.wanted.state = self.wanted.state.found();
        while self.wanted.state.is_endless() && !self.released && self.broken.is_none() && !self.read_on() {
            self.channel.input.wait();
        }
        self.broken.map_or(Ok(()), Err)
    }

    fn say(&mut self, text: &str) {
        self.broken = self.channel.say(text).err().or(self.broken.take());
    }

    fn answer_after(&mut self, time: Duration) {
        self.answer_at.get_or_insert(Instant::now() + time);
    }

    /// Goes through the lines that have arrived; true if one of them wants the move now.
    fn read_on(&mut self) -> bool {
        self.channel.input.look();
        while let Some(line) = self.channel.input.waiting.get(self.seen) {
            match self.wanted.state.react(Command::of(line)) {
                Reaction::Leave => {
                    self.seen += 1;
                    continue;
                }
                Reaction::LeaveRest | Reaction::Dispatch => return false,
                Reaction::AnswerSoon => {
                    self.answer_after(self.wanted.grace);
                    return false;
                }
                Reaction::AnswerFirst => {
                    self.released = true;
                    return true;
                }
                reaction => {
                    self.channel.input.waiting.remove(self.seen);
                    match reaction {
                        Reaction::SayReady => self.say("readyok"),
                        Reaction::Become(state) => self.go_over_to(state),
                        Reaction::Answer => self.released = true,
                        _ => {}
                    }
                }
            }
            if self.released {
                return true;
            }
        }
        // Nothing else can be heard any more.
        self.released = self.wanted.state.is_endless() && self.channel.input.is_full();
        self.released
    }

    fn go_over_to(&mut self, state: State) {
        self.wanted.state = state;
        if let (State::Thinking, Some(time)) = (state, self.wanted.after_hit) {
            self.answer_after(time);
        }
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
        self.released
            || self.read_on()
            || self.broken.is_some()
            || self.answer_at.is_some_and(|time| Instant::now() >= time)
    }
}
