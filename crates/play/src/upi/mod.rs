//! UPI, the protocol of the pyonpyon game: one command a line, answers in lines. docs/upi.md describes it, `text` has
//! the answers.

mod text;

use std::io::{BufRead, Write};
use std::time::Duration;

use crate::arguments::number;
use crate::options::{Declared, MOST_MILLISECONDS, Options, Setting};
use crate::repl::{Answer, Broken, Channel, Controller, Interruptible, Unanswered, check_lengths, repl};
use crate::{CombinedPlayer, Limits, Player, Report, Session, search};
use yomikiri_rules::games::pyonpyon::{Move, Pyonpyon};
use yomikiri_rules::{AnyGame, Game, TextError};
use yomikiri_table::Location;

/// No word of the protocol is longer, in bytes.
const LONGEST_WORD: usize = 100;

const OPTIONS: Declared = Declared {
    settings: &[
        ("Hash", Setting::Memory(1, 1024)),
        ("MoveTime", Setting::MoveTime(1, MOST_MILLISECONDS)),
        ("Resign", Setting::Resign(0, 999)),
        ("Table", Setting::UsesTables),
    ],
    names: "Hash, MoveTime, Resign, Table",
};

/// Whether the protocol is that of a game.
pub fn is_spoken_by(game: &AnyGame) -> bool {
    matches!(game, AnyGame::Pyonpyon(_))
}

/// Takes commands until `quit` or the end of the input. Tables are looked for at `location`.
pub fn serve(
    game: &Pyonpyon,
    location: impl Into<Location>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), Broken> {
    let location = location.into();
    let mut controller = UpiController {
        game,
        session: Session::new(game, game.start()),
        named: "xfen",
        options: Options::new(&OPTIONS, &location),
        player: CombinedPlayer::new(game, location),
    };
    repl(&mut controller, Channel::new(input, output)?)
}

struct UpiController<'a> {
    game: &'a Pyonpyon,
    session: Session<'a, Pyonpyon>,
    /// What the first position was called, `pfen` or `xfen`.
    named: &'static str,
    options: Options,
    player: CombinedPlayer<'a, Pyonpyon>,
}

impl<W: Write> Controller<W> for UpiController<'_> {
    fn dispatch(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        check_lengths(words, LONGEST_WORD)?;
        match words {
            ["go", arguments @ ..] => self.go(arguments, channel),
            [command, arguments @ ..] => Ok(self.answer(command, arguments)?),
            [] => Ok(String::new()),
        }
    }
}

impl<'a> UpiController<'a> {
    /// Does what takes no time.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answer {
        match (command, arguments) {
            ("position", _) => self.set_position(arguments),
            // Values are one word, neither none nor several.
            ("setoption", _) => self.options.set(if arguments.len() == 4 { arguments } else { &[] }, &mut self.player),
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
            ("upi", _) => Ok(text::hello(&self.game.code(), &self.options.declarations())),
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

    /// Answers with a `bestmove` line. A game that is over needs no search.
    pub fn go<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        let limits = read_limits(words, self.options.move_time)?;
        if let Some(ending) = self.session.ending() {
            return Ok(text::go_after_end(&self.session, ending));
        }
        let endless = limits == Limits::default();
        let game = self.game;
        let line = |report: &Report<Move>| text::report(game, report);
        let mut listener = Interruptible::new(channel, line, endless, self.options.move_time);
        let chosen = self.player.choose(&self.session, &limits, &mut listener);
        listener.end()?;
        let choice = chosen.map_err(|error| TextError::new("go", error.to_string()))?;
        Ok(self.options.best_move(game, &choice))
    }
}

/// Reads `movetime <ms>`, `depth <plies>` and `infinite`; none of them means the usual time.
fn read_limits(words: &[&str], usual: Duration) -> Result<Limits, TextError> {
    let mut limits = Limits::default();
    let mut rest = words;
    while !rest.is_empty() {
        rest = match rest {
            ["infinite"] if words.len() == 1 => return Ok(Limits::default()),
            ["movetime", time, rest @ ..] => {
                limits.time = Some(Duration::from_millis(number("movetime", time, 0..=MOST_MILLISECONDS)?));
                rest
            }
            ["depth", depth, rest @ ..] => {
                limits.depth = Some(number("depth", depth, 1..=search::DEEPEST)?);
                rest
            }
            [word, ..] => {
                let problem = format!("\"{word}\" is not movetime <ms>, depth <plies> or, alone, infinite");
                return Err(TextError::new("go", problem));
            }
            [] => rest,
        };
    }
    if words.is_empty() {
        limits.time = Some(usual);
    }
    Ok(limits)
}
