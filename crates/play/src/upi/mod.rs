//! UPI, the protocol of the pyonpyon game: one command a line, answers in lines. docs/upi.md describes it, `text` has
//! the answers.

mod text;

use std::io::{BufRead, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use crate::arguments::{number, truth};
use crate::repl::{Answer, Broken, Channel, Controller, Interruptible, check_lengths, repl};
use crate::{Choice, CombinedPlayer, Limits, Player, Report, Score, Session, combined_player, search};
use yomikiri_rules::game::{Game, TextError};
use yomikiri_rules::games::pyonpyon::{Move, Pyonpyon};
use yomikiri_rules::registry::AnyGame;

/// No word of the protocol is longer, in bytes.
const LONGEST_WORD: usize = 100;

/// Whether the protocol is that of a game.
pub fn is_spoken_by(game: &AnyGame) -> bool {
    matches!(game, AnyGame::Pyonpyon(_))
}

/// Takes commands until `quit` or the end of the input. Tables are looked for in `folder`.
pub fn serve(
    game: &Pyonpyon,
    folder: PathBuf,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), Broken> {
    let mut controller = UpiController {
        game,
        session: Session::new(game, game.start()),
        named: "xfen",
        options: Options::default(),
        player: CombinedPlayer::new(game, folder),
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
    fn dispatch(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<Answer, Broken> {
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

impl<'a> UpiController<'a> {
    /// Does what takes no time.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answer {
        match (command, arguments) {
            ("position", _) => self.set_position(arguments),
            ("setoption", _) => self.options.set(arguments, &mut self.player),
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

impl UpiController<'_> {
    /// Answers with a `bestmove` line. A game that is over needs no search.
    pub fn go<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<Answer, Broken> {
        let limits = match read_limits(words, self.options.move_time) {
            Ok(limits) => limits,
            Err(error) => return Ok(Err(error)),
        };
        if let Some(ending) = self.session.ending() {
            return Ok(Ok(text::go_after_end(&self.session, ending)));
        }
        let endless = limits == Limits::default();
        let game = self.game;
        let line = |report: &Report<Move>| text::report(game, report);
        let mut listener = Interruptible::new(channel, line, endless, self.options.move_time);
        let chosen = self.player.choose(&self.session, &limits, &mut listener);
        listener.end().map_err(Broken::Output)?;
        let word = |choice: Choice<Move>| match choice.score {
            Score::Lost(plies) if plies.0 <= self.options.resign => "resign".into(),
            _ => self.game.move_text(choice.mv),
        };
        let error = |error: yomikiri_solve::SolveError| TextError::new("go", error.to_string());
        Ok(chosen.map(|choice| format!("bestmove {}", word(choice))).map_err(error))
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
                limits.time = Some(Duration::from_millis(number("movetime", time, 0..=86_400_000)?));
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

const HASH: RangeInclusive<usize> = 1..=1024;
const MOVE_TIME: RangeInclusive<u64> = 1..=86_400_000;
const RESIGN: RangeInclusive<u16> = 0..=999;

/// What holds from one search to the next.
pub struct Options {
    /// How long a search takes if `go` says nothing.
    pub move_time: Duration,
    /// A game that is lost in at most so many plies is resigned.
    pub resign: u16,
}

impl Default for Options {
    fn default() -> Options {
        Options { move_time: Duration::from_secs(1), resign: 0 }
    }
}

impl Options {
    /// Carries out `setoption`: `name <name> value <value>`.
    pub fn set(&mut self, words: &[&str], player: &mut CombinedPlayer<Pyonpyon>) -> Answer {
        let ["name", name, "value", value] = words else {
            return Err(TextError::new("setoption", "name <name> value <value> has to follow"));
        };
        match *name {
            "Hash" => player.set_memory(number(name, value, HASH)? << 20),
            "MoveTime" => self.move_time = Duration::from_millis(number(name, value, MOVE_TIME)?),
            "Resign" => self.resign = number(name, value, RESIGN)?,
            "Table" => player.uses_table = truth(name, value)?,
            _ => return Err(TextError::new(format!("option \"{name}\""), "is none of Hash, MoveTime, Resign, Table")),
        }
        Ok(String::new())
    }

    /// The lines that declare the options, defaults being what holds at the start.
    pub fn declarations() -> String {
        let Options { move_time, resign } = Options::default();
        let spin = |name: &str, default: u128, least: u128, most: u128| {
            format!("option name {name} type spin default {default} min {least} max {most}\n")
        };
        let hash = spin("Hash", (combined_player::MEMORY >> 20) as u128, *HASH.start() as u128, *HASH.end() as u128);
        let time = (*MOVE_TIME.start(), *MOVE_TIME.end());
        let time = spin("MoveTime", move_time.as_millis(), time.0.into(), time.1.into());
        let resign = spin("Resign", resign.into(), (*RESIGN.start()).into(), (*RESIGN.end()).into());
        format!("{hash}{time}{resign}option name Table type check default true")
    }
}
