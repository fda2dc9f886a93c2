//! UPI, the protocol of the pyonpyon game: one command a line, answers in lines. docs/upi.md describes it.
//!
//! `go` is the search for a move and what may interrupt it, `options` what can be set, `text` the answers.

mod go;
mod options;
mod text;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use super::input::{Input, Line};
use super::{Machine, Session};
use crate::game::{Game, TextError};
use crate::games::pyonpyon::Pyonpyon;
use options::Options;

/// No word of the protocol is longer.
const LONGEST_WORD: usize = 100;

/// Why a conversation broke off.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error("input: {0}")]
    Input(io::Error),
    #[error("output: {0}")]
    Output(io::Error),
}

/// Obeys commands until `quit` or the end of the input. Tables are looked for in `folder`.
pub fn serve(
    game: &Pyonpyon,
    folder: PathBuf,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), Broken> {
    Front {
        game,
        session: Session::new(game, game.start()),
        named: "xfen",
        options: Options::default(),
        machine: Machine::new(game, folder),
        input: Input::new(input).map_err(Broken::Input)?,
        output,
    }
    .converse()
}

/// What a command comes to: lines to print, without a line break at the end; empty if there is nothing to say.
type Answer = Result<String, TextError>;

struct Front<'a, W> {
    game: &'a Pyonpyon,
    session: Session<'a, Pyonpyon>,
    /// What the first position was called, `pfen` or `xfen`.
    named: &'static str,
    options: Options,
    machine: Machine<'a, Pyonpyon>,
    input: Input,
    output: W,
}

impl<'a, W: Write> Front<'a, W> {
    fn converse(mut self) -> Result<(), Broken> {
        loop {
            let answer = match self.input.take() {
                Line::End => return Ok(()),
                Line::Failed(error) => return Err(Broken::Input(error)),
                Line::Refused(why) => Err(TextError::new("line", why)),
                Line::Text(line) => {
                    let words: Vec<&str> = line.trim_start_matches('\u{feff}').split_whitespace().collect();
                    if words.first() == Some(&"quit") {
                        return Ok(());
                    }
                    self.obey(&words)?
                }
            };
            let text = answer.unwrap_or_else(|error| text::error(&error));
            if !text.is_empty() {
                say(&mut self.output, &text).map_err(Broken::Output)?;
            }
        }
    }

    fn obey(&mut self, words: &[&str]) -> Result<Answer, Broken> {
        let Some((&command, arguments)) = words.split_first().filter(|(command, _)| !command.starts_with('#')) else {
            return Ok(Ok(String::new()));
        };
        if let Some(word) = words.iter().find(|word| word.len() > LONGEST_WORD) {
            let begin: String = word.chars().take(20).collect();
            return Ok(Err(TextError::new(
                format!("word \"{begin}...\""),
                format!("is longer than {LONGEST_WORD} bytes"),
            )));
        }
        if command == "go" {
            return self.go(arguments);
        }
        Ok(self.answer(command, arguments))
    }

    /// Does what takes no time.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answer {
        match (command, arguments) {
            ("position", _) => self.set_position(arguments),
            ("setoption", _) => self.options.set(arguments, &mut self.machine),
            ("do", [word]) => self.act_on(word),
            ("do", _) => Err(TextError::new("do", format!("takes one move, not {}", arguments.len()))),
            (_, [word, ..]) if text::COMMANDS.contains(&command) => {
                Err(TextError::new(command, format!("takes no arguments, \"{word}\" is one")))
            }
            ("pos", _) => Ok(text::picture(&self.session)),
            ("xfen", _) => Ok(text::position_command(&self.session, self.named)),
            ("undo", _) => self.undo(),
            ("resign" | "draw", _) => self.act_on(command),
            ("upinewgame", _) => Ok(self.begin(Session::new(self.game, self.game.start()))),
            ("upi", _) => Ok(text::hello(&self.game.code(), &Options::declarations())),
            ("isready", _) => Ok("readyok".into()),
            ("help", _) => Ok(text::HELP.into()),
            ("stop", _) => Ok(String::new()),
            _ => Err(TextError::new(format!("command \"{command}\""), "is not known; help lists them")),
        }
    }

    /// `startpos`, or `pfen` or `xfen` with a board and a turn; then moves.
    fn set_position(&mut self, words: &[&str]) -> Answer {
        let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (set_up, moves) = (&words[..at], words.get(at + 1..).unwrap_or_default());
        let named = match set_up.first() {
            Some(&"pfen") => "pfen",
            Some(&"xfen") => "xfen",
            Some(&"startpos") => self.named,
            _ => {
                return Err(TextError::new(
                    "position",
                    "startpos, pfen <board> <turn> or xfen <board> <turn> has to follow",
                ));
            }
        };
        let mut session = Session::new(self.game, self.game.parse_position(&set_up.join(" "))?);
        session.act_on_all(moves)?;
        self.named = named;
        Ok(self.begin(session))
    }

    /// Goes over to another game; says how it ended if it is over.
    fn begin(&mut self, session: Session<'a, Pyonpyon>) -> String {
        self.session = session;
        text::result(&self.session)
    }

    /// A move, `resign` or `draw`.
    fn act_on(&mut self, word: &str) -> Answer {
        self.session.act_on(word)?;
        Ok(text::result(&self.session))
    }

    fn undo(&mut self) -> Answer {
        let undone = self.session.undo();
        undone.map(|_| String::new()).ok_or_else(|| TextError::new("undo", "there is no move to take back"))
    }
}

/// Prints lines at once.
fn say(output: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(output, "{text}")?;
    output.flush()
}
