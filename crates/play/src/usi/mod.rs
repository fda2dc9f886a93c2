//! The session of the author of Binarsi, a dialect of USI: one command a line, answers in lines. docs/usi.md describes it.
//!
//! `game` is what the session asks of a game, with `binarsi` and `animal_shogi`; `go` is the search for a move, `clock` how
//! long it may take, `play` a move with the computer's answer and its `banners`; `options` is what can be set, `text` the answers.

mod animal_shogi;
mod banners;
mod binarsi;
mod clock;
mod game;
mod go;
mod options;
mod play;
mod text;

use std::io::{BufRead, Write};
use std::path::PathBuf;

use super::dialogue::{Answer, Broken, Channel, Front, check_lengths, converse};
use super::{Machine, Session};
pub use game::UsiGame;
use options::Options;
use yomikiri_rules::game::TextError;

/// No word but the value of an option is longer, in bytes.
const LONGEST_WORD: usize = 200;

/// Obeys commands until `quit` or the end of the input. Tables are looked for in `folder`.
pub fn serve<G: UsiGame>(
    game: &G,
    folder: PathBuf,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), Broken> {
    let mut front = UsiFront {
        game,
        session: Session::new(game, game.start()),
        options: Options::new(&folder),
        machine: Machine::new(game, folder),
    };
    converse(&mut front, Channel::new(input, output)?)
}

struct UsiFront<'a, G: UsiGame> {
    game: &'a G,
    session: Session<'a, G>,
    options: Options,
    machine: Machine<'a, G>,
}

impl<G: UsiGame, W: Write> Front<W> for UsiFront<'_, G> {
    fn obey(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<Answer, Broken> {
        if words[0] != "setoption"
            && let Err(error) = check_lengths(words, LONGEST_WORD)
        {
            return Ok(Err(error));
        }
        match words {
            ["go", arguments @ ..] => self.go(arguments, channel),
            ["play", arguments @ ..] => self.play(arguments, channel),
            [command, arguments @ ..] => Ok(self.answer(command, arguments)),
            [] => Ok(Ok(String::new())),
        }
    }
}

impl<G: UsiGame> UsiFront<'_, G> {
    /// Does what takes no time.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answer {
        if let Some(answer) = self.game.own_command(&self.session, command, arguments) {
            return answer;
        }
        match (command, arguments) {
            ("position", _) => self.set_position(arguments),
            ("setoption", _) => self.options.set(arguments, &mut self.machine),
            ("do", [word]) => self.session.act_on(word).map(|()| String::new()),
            ("do", _) => Err(TextError::new("do", format!("takes one move, not {}", arguments.len()))),
            ("gameover", ["win" | "lose" | "draw"] | []) => Ok(String::new()),
            ("gameover", _) => Err(TextError::new("gameover", "takes win, lose or draw")),
            (_, [word, ..]) if text::COMMANDS.contains(&command) => {
                Err(TextError::new(command, format!("takes no arguments, \"{word}\" is one")))
            }
            ("board", _) => Ok(text::board(&self.session)),
            ("sfen", _) => Ok(text::sfen(&self.session)),
            ("legal_moves", _) => Ok(text::legal_moves(&self.session)),
            ("history", _) => Ok(text::history(&self.session)),
            ("mate1", _) => Ok(text::mate1(&self.session)),
            ("undo", _) => {
                let undone = self.session.undo().map(|_| String::new());
                undone.ok_or_else(|| TextError::new("undo", "there is no move to take back"))
            }
            ("usinewgame", _) => {
                self.session = Session::new(self.game, self.game.start());
                Ok(format!("[{}] usinewgame end", text::now()))
            }
            ("usi", _) => Ok(text::hello(&self.game.code(), &self.options.declarations())),
            ("isready", _) => Ok("readyok".into()),
            ("help", _) => Ok(text::help(self.game)),
            ("stop" | "ponderhit", _) => Ok(String::new()),
            _ => Err(TextError::new(format!("command \"{command}\""), "is not known; help lists them")),
        }
    }

    /// `startpos`, or `sfen` and the fields of a position; then moves.
    fn set_position(&mut self, words: &[&str]) -> Answer {
        let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (set_up, moves) = (&words[..at], words.get(at + 1..).unwrap_or_default());
        let start = match set_up {
            ["startpos"] => self.game.start(),
            ["sfen", fields @ ..] => self.game.parse_sfen(fields)?,
            _ => return Err(TextError::new("position", "startpos or sfen and its fields have to follow, then moves")),
        };
        let mut session = Session::new(self.game, start);
        session.act_on_all(moves)?;
        self.session = session;
        Ok(String::new())
    }
}
