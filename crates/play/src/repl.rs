//! A read-eval-print loop for people and programs. Each line of the input is a command, and its answer is printed as
//! lines. Commands such as `stop` can arrive while a player thinks.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use super::input::{Input, Line};
use super::player::{Listener, PlayerReport};
use super::protocol::{Command, Reaction, State};
use yomikiri_rules::{TextError, visible};

/// The error that ended a session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The input could not be read.
    #[error("input: {0}")]
    Input(io::Error),
    /// The output could not be written.
    #[error("output: {0}")]
    Output(io::Error),
}

/// The output of a command: lines without a line break at the end, or an empty text for no output.
pub type CommandAnswer = Result<String, TextError>;

/// The reason why a command has no answer: the command is wrong, or input or output has failed.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// The command is wrong.
    #[error(transparent)]
    Wrong(#[from] TextError),
    /// Input or output has failed, which ends the session.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// The input and the output of a session.
pub struct Channel<W> {
    /// The lines of the input.
    pub input: Input,
    /// The output. [`Channel::say`] flushes it after each text.
    pub output: W,
}

impl<W: Write> Channel<W> {
    /// Creates a channel, and starts the thread that reads `input`.
    pub fn new(input: impl BufRead + Send + 'static, output: W) -> Result<Self, SessionError> {
        Ok(Channel { input: Input::new(input).map_err(SessionError::Input)?, output })
    }

    /// Prints lines and flushes the output.
    pub fn say(&mut self, text: &str) -> Result<(), SessionError> {
        writeln!(self.output, "{text}").and_then(|()| self.output.flush()).map_err(SessionError::Output)
    }

    /// Prints remarks as `info string` lines, which programs skip.
    pub fn remark(&mut self, remarks: &[String]) -> Result<(), SessionError> {
        remarks.iter().try_for_each(|remark| self.say(&format!("info string {}", visible(remark))))
    }
}

/// Carries out commands.
pub trait Controller<W: Write> {
    /// Carries out a command and returns its output. `words` are the command and its arguments. Not called for `quit`,
    /// empty lines and lines that begin with `#`.
    fn dispatch(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered>;

    /// Answers a line that cannot be read as a whole, because of `error`. `words` are the words of the line that can be
    /// used; the first is the command. There are none if the command cannot be read. The host waits for a move after
    /// every `go`, and must not get one in an old position after a refused `position`.
    fn refuse(&mut self, words: &[&str], error: TextError, channel: &mut Channel<W>) -> Result<String, Unanswered> {
        match words {
            ["go", ..] => {
                channel.say(&error_line(&error))?;
                return self.dispatch(words, channel);
            }
            ["position", ..] => self.note_refused_position(&error),
            _ => {}
        }
        Err(error.into())
    }

    /// Called when a `position` is refused. Until the game changes, `go` gets no move.
    fn note_refused_position(&mut self, error: &TextError);
}

/// Reads commands and prints answers until `quit` or the end of the input.
pub fn repl<W: Write>(controller: &mut impl Controller<W>, mut channel: Channel<W>) -> Result<(), SessionError> {
    loop {
        let answer = match channel.input.next_line() {
            Line::End => return Ok(()),
            Line::Failed(error) => return Err(SessionError::Input(error)),
            Line::Refused { why, command } => {
                let words: &[&str] = if command.is_empty() { &[] } else { &[&command] };
                controller.refuse(words, TextError::new("line", why), &mut channel)
            }
            Line::Text(line) => {
                let words = words(&line);
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
            Err(Unanswered::Session(broken)) => return Err(broken),
        };
        if !text.is_empty() {
            channel.say(&text)?;
        }
    }
}

/// Splits a line into words. The value of `setoption` is one word, because blanks in the names of folders count.
fn words(line: &str) -> Vec<&str> {
    match line.split_once(" value ").filter(|_| line.trim_start().starts_with("setoption")) {
        Some((name, value)) => {
            let value = Some(value.trim()).filter(|value| !value.is_empty());
            name.split_whitespace().chain(["value"]).chain(value).collect()
        }
        None => line.split_whitespace().collect(),
    }
}

/// Formats an error as an `info string` line, which programs skip.
pub fn error_line(error: &TextError) -> String {
    format!("info string error: {error}")
}

/// Returns the answer to a `go` for which there is no move: the line of an error, and a `bestmove resign`, because the
/// host waits for a `bestmove`.
pub fn no_move(error: &TextError) -> String {
    format!("{}\nbestmove resign", error_line(error))
}

/// Returns the answer to a `go` after a `position` command that was refused. The answer has no move, because a move in
/// the position before the refused command would mislead the host.
pub fn go_after_refusal(refused: &TextError) -> String {
    no_move(&TextError::new("go", format!("the last position was refused ({refused}); send another one")))
}

/// Does nothing if no word is longer than `longest` bytes. Otherwise returns the other words with an error.
pub fn check_lengths<'w>(words: &[&'w str], longest: usize) -> Result<(), (Vec<&'w str>, TextError)> {
    let is_long = |word: &&&str| word.len() > longest;
    let Some(word) = words.iter().find(is_long) else { return Ok(()) };
    let begin: String = word.chars().take(20).collect();
    let error = TextError::new(format!("word \"{begin}...\""), format!("is longer than {longest} bytes"));
    let is_command_long = words.first().is_some_and(|command| command.len() > longest);
    let others = words.iter().filter(|word| !is_command_long && !is_long(word)).copied().collect();
    Err((others, error))
}

/// Tells when the host wants the move of a `go`. The limits of the search apply in addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoCondition {
    /// The state of the engine while it searches.
    pub state: State,
    /// The time for the move after `ponderhit`. `None` means no limit.
    pub after_hit: Option<Duration>,
    /// The time that the search gets after `quit`.
    pub grace: Duration,
}

/// A listener that prints reports, and reacts to incoming lines by [`State::react`].
pub struct Interruptible<'a, W, F> {
    channel: &'a mut Channel<W>,
    /// Returns the lines for a report, or an empty text for no output.
    text: F,
    wanted: GoCondition,
    /// The number of lines at the front of the input queue that have been looked at and left for later.
    seen: usize,
    /// True if the host wants the move now.
    released: bool,
    answer_at: Option<Instant>,
    broken: Option<SessionError>,
}

impl<'a, W: Write, F> Interruptible<'a, W, F> {
    /// Creates the listener of a search that begins now. `text` formats reports, and `wanted` says when the host wants
    /// the move.
    pub fn new(channel: &'a mut Channel<W>, text: F, wanted: GoCondition) -> Self {
        Interruptible { channel, text, wanted, seen: 0, released: false, answer_at: None, broken: None }
    }

    /// Waits until the host wants the move. Must be called after the search has ended. Returns an error if a line could
    /// not be printed.
    pub fn hold(mut self) -> Result<(), SessionError> {
        self.wanted.state = self.wanted.state.found();
        while self.wanted.state.is_endless() && !self.released && self.broken.is_none() && !self.read_on() {
            self.channel.input.wait();
        }
        self.broken.map_or(Ok(()), Err)
    }

    /// Ends the listener of a command whose answer the host wants as soon as it is found. Returns an error if a line
    /// could not be printed.
    pub fn finish(self) -> Result<(), SessionError> {
        self.broken.map_or(Ok(()), Err)
    }

    fn say(&mut self, text: &str) {
        self.broken = self.channel.say(text).err().or(self.broken.take());
    }

    fn answer_after(&mut self, time: Duration) {
        self.answer_at.get_or_insert(Instant::now() + time);
    }

    /// Reacts to the lines that have arrived. Returns true if the host wants the move now.
    fn read_on(&mut self) -> bool {
        self.channel.input.poll();
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
        // If the input queue is full, a `stop` could no longer be read. So a full queue releases the move if only a
        // command could release it.
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

impl<W: Write, F: Fn(&PlayerReport) -> String> Listener for Interruptible<'_, W, F> {
    fn report(&mut self, report: PlayerReport) {
        let text = (self.text)(&report);
        if !text.is_empty() {
            self.say(&text);
        }
    }

    fn should_stop(&mut self) -> bool {
        self.released
            || self.read_on()
            || self.broken.is_some()
            || self.answer_at.is_some_and(|time| Instant::now() >= time)
    }
}
