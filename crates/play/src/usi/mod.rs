//! The session of the author of Binarsi, a dialect of USI: one command a line, answers in lines. docs/usi.md
//! describes it.
//!
//! `game` is what the session asks of a game, with the impl of animal shogi; `binarsi` has that game's. `clock` says
//! how long a move may take, `text` the answers.

mod binarsi;
mod clock;
mod game;
mod text;

use std::io::{BufRead, Write};

use crate::options::{Declared, MOST_MILLISECONDS, Options, Setting};
use crate::repl::{Answer, Broken, Channel, Controller, Interruptible, Unanswered, check_lengths, repl};
use crate::{Action, Choice, CombinedPlayer, Ending, Limits, Player, Report, Session};
use clock::Order;
pub use game::UsiGame;
use text::{COMP, YOU};
use yomikiri_rules::{AnyGame, TextError};
use yomikiri_table::Location;

/// No word but the value of an option is longer, in bytes.
const LONGEST_WORD: usize = 200;

const OPTIONS: Declared = Declared {
    settings: &[
        ("USI_Hash", Setting::Memory(1, 16_384)),
        ("Threads", Setting::Threads(1, 64)),
        ("USI_Ponder", Setting::Ponder),
        ("Tables", Setting::Tables),
        ("UseTables", Setting::UsesTables),
        ("Resident", Setting::Resident),
        ("MoveTime", Setting::MoveTime(1, MOST_MILLISECONDS)),
        ("Overhead", Setting::Overhead(0, 10_000)),
        ("Resign", Setting::Resign(0, 999)),
    ],
    names: "USI_Hash, USI_Ponder, Threads, Tables, UseTables, Resident, MoveTime, Overhead, Resign",
};

/// A variant of a game with this protocol, whichever that is.
pub trait UsiSpeaker {
    /// [`serve`] for it.
    fn serve(&self, location: Location, input: Box<dyn BufRead + Send>, output: Box<dyn Write>) -> Result<(), Broken>;
}

impl<G: UsiGame> UsiSpeaker for G {
    fn serve(&self, location: Location, input: Box<dyn BufRead + Send>, output: Box<dyn Write>) -> Result<(), Broken> {
        serve(self, location, input, output)
    }
}

/// The game if it has this protocol.
pub fn speaker(game: &AnyGame) -> Option<&dyn UsiSpeaker> {
    match game {
        AnyGame::Binarsi(game) => Some(game),
        AnyGame::AnimalShogi(game) => Some(game),
        _ => None,
    }
}

/// Takes commands until `quit` or the end of the input. Tables are looked for at `location`.
pub fn serve<G: UsiGame>(
    game: &G,
    location: impl Into<Location>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), Broken> {
    let location = location.into();
    let mut controller = UsiController {
        game,
        session: Session::new(game, game.start()),
        options: Options::new(&OPTIONS, &location),
        player: CombinedPlayer::new(game, location),
    };
    repl(&mut controller, Channel::new(input, output)?)
}

struct UsiController<'a, G: UsiGame> {
    game: &'a G,
    session: Session<'a, G>,
    options: Options,
    player: CombinedPlayer<'a, G>,
}

impl<G: UsiGame, W: Write> Controller<W> for UsiController<'_, G> {
    fn dispatch(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        if words[0] != "setoption" {
            check_lengths(words, LONGEST_WORD)?;
        }
        match words {
            ["go", arguments @ ..] => self.go(arguments, channel),
            ["play", arguments @ ..] => self.play(arguments, channel),
            [command, arguments @ ..] => Ok(self.answer(command, arguments)?),
            [] => Ok(String::new()),
        }
    }
}

impl<G: UsiGame> UsiController<'_, G> {
    /// Does what takes no time.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answer {
        if let Some(answer) = self.game.own_command(&self.session, command, arguments) {
            return answer;
        }
        match (command, arguments) {
            ("position", _) => self.set_position(arguments),
            ("setoption", _) => self.options.set(arguments, &mut self.player),
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

    /// Answers with a `bestmove` line. A game that is over needs no search, unless it only came to the same position
    /// for the third time: hosts may go on.
    pub fn go<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        if let ["mate", ..] = words {
            return Ok("checkmate notimplemented".into());
        }
        let (side, moves_left) = (self.session.side(), self.game.moves_left(self.session.position()));
        let order = clock::order(words, side, self.options.move_time, moves_left, self.options.overhead)?;
        if self.session.ending().is_some_and(|ending| ending != Ending::Repetition) {
            return Ok(text::go_after_end(&self.session));
        }
        let game = self.game;
        let choice = self.think(&order, channel, |report| text::report(game, report))?;
        Ok(self.options.best_move(game, &choice))
    }

    /// Has the player choose a move; what it reports is printed by `lines`.
    pub fn think<W: Write>(
        &mut self,
        order: &Order,
        channel: &mut Channel<W>,
        lines: impl Fn(&Report<G::Move>) -> String,
    ) -> Result<Choice<G::Move>, Unanswered> {
        let limits = if order.ponders { Limits { time: None, ..order.limits } } else { order.limits };
        let endless = limits == Limits::default();
        let mut listener = Interruptible::new(channel, lines, endless, self.options.move_time);
        if order.ponders {
            listener = listener.pondering(order.limits.time);
        }
        let chosen = self.player.choose(&self.session, &limits, &mut listener);
        listener.end()?;
        Ok(chosen.map_err(|error| TextError::new("go", error.to_string()))?)
    }

    /// Makes the move of the person, shows what it led to, and then the same for the computer's. A mistake changes
    /// nothing.
    pub fn play<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        let [word] = words else {
            return Err(TextError::new("play", format!("takes one move, not {}", words.len())).into());
        };
        let banner = G::banner(self.session.side());
        self.session.act_on(word)?;
        let shown = format!("{banner}\n{}", self.shown());
        if self.session.ending().is_some() {
            return Ok(without_first_break(&format!("{shown}\n{}", text::result(&self.session))));
        }
        channel.say(&without_first_break(&shown))?;
        self.reply(channel)
    }

    /// The computer's move.
    fn reply<W: Write>(&mut self, channel: &mut Channel<W>) -> Result<String, Unanswered> {
        let limits = Limits { time: Some(self.options.move_time), ..Limits::default() };
        let choice = self.think(&Order { limits, ponders: false }, channel, |_| String::new())?;
        let banner = G::banner(self.session.side());
        self.session.act(Action::Move(choice.mv));
        let end = self.session.ending().map_or(YOU.into(), |_| text::result(&self.session));
        Ok(format!("{COMP}{banner}\n{}\n{end}", self.shown()))
    }

    /// The board and the lines about where the game is.
    fn shown(&self) -> String {
        format!("{}\n{}", text::board(&self.session), text::long_sfen(&self.session))
    }
}

/// Banners begin with a line break, which a text that stands alone does without.
fn without_first_break(text: &str) -> String {
    text.strip_prefix('\n').unwrap_or(text).into()
}
