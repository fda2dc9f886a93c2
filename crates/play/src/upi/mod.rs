//! UPI, the protocol of the pyonpyon game: one command a line, answers in lines. docs/upi.md describes it.
//!
//! `go` is the search for a move and what may interrupt it, `options` what can be set, `text` the answers.

mod go;
mod options;
mod text;

use std::io::{BufRead, Write};
use std::path::PathBuf;

use super::dialogue::{Answer, Broken, Channel, Front, check_lengths, converse};
use super::{Machine, Session};
use options::Options;
use yomikiri_rules::game::{Game, TextError};
use yomikiri_rules::games::pyonpyon::Pyonpyon;

/// No word of the protocol is longer, in bytes.
const LONGEST_WORD: usize = 100;

/// Obeys commands until `quit` or the end of the input. Tables are looked for in `folder`.
pub fn serve(
    game: &Pyonpyon,
    folder: PathBuf,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), Broken> {
    let mut front = UpiFront {
        game,
        session: Session::new(game, game.start()),
        named: "xfen",
        options: Options::default(),
        machine: Machine::new(game, folder),
    };
    converse(&mut front, Channel::new(input, output)?)
}

struct UpiFront<'a> {
    game: &'a Pyonpyon,
    session: Session<'a, Pyonpyon>,
    /// What the first position was called, `pfen` or `xfen`.
    named: &'static str,
    options: Options,
    machine: Machine<'a, Pyonpyon>,
}

impl<W: Write> Front<W> for UpiFront<'_> {
    fn obey(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<Answer, Broken> {
        if let Err(error) = check_lengths(words, LONGEST_WORD) {
            return Ok(Err(error));
        }
        match words {
            ["go", arguments @ ..] => self.go(arguments, channel),
            [command, arguments @ ..] => Ok(self.answer(command, arguments)),
            [] => Ok(Ok(String::new())),
        }
    }
}

impl<'a> UpiFront<'a> {
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
