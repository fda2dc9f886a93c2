//! UPI, the protocol of the pyonpyon game: one command a line, answers in lines. docs/upi.md describes it, `text` has
//! the answers.

mod text;

use std::io::{BufRead, Write};
use std::time::Duration;

use crate::options::{Declared, MOST_MILLISECONDS, Options, Setting};
use crate::order::{Argument, Usual, order};
use crate::repl::{
    Answer, Broken, Channel, Controller, Interruptible, Unanswered, Wanted, check_lengths, go_after_refusal, no_move,
    repl,
};
use crate::{CombinedPlayer, Player, Report, Session};
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

/// The arguments of `go`.
const ARGUMENTS: [(&str, Argument); 4] = [
    ("infinite", Argument::Infinite),
    ("ponder", Argument::Ponder),
    ("movetime", Argument::MoveTime),
    ("depth", Argument::Depth),
];

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
        refused: None,
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
    /// The last `position`, if it was refused: no move for an older position answers a `go` then.
    refused: Option<TextError>,
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
            ("stop" | "ponderhit", _) => Ok(String::new()),
            _ => Err(TextError::new(format!("command \"{command}\""), "is not known; help lists them")),
        }
    }

    /// `startpos`, or `pfen` or `xfen` with a board and a turn; then moves.
    fn set_position(&mut self, words: &[&str]) -> Answer {
        let (named, session) = self.session_of(words).inspect_err(|error| self.refused = Some(error.clone()))?;
        self.named = named;
        Ok(self.begin(session))
    }

    /// The game that the words of `position` tell, and what its first position is called.
    fn session_of(&self, words: &[&str]) -> Result<(&'static str, Session<'a, Pyonpyon>), TextError> {
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
        session.replay(moves)?;
        Ok((named, session))
    }

    /// Goes over to another game; says how it ended if it is over.
    fn begin(&mut self, session: Session<'a, Pyonpyon>) -> String {
        self.session = session;
        self.refused = None;
        text::result(&self.session)
    }

    /// A move, `resign` or `draw`.
    fn act_on(&mut self, word: &str) -> Answer {
        self.session.act_on(word)?;
        self.refused = None;
        Ok(text::result(&self.session))
    }

    fn undo(&mut self) -> Answer {
        self.session.undo().ok_or_else(|| TextError::new("undo", "there is no move to take back"))?;
        self.refused = None;
        Ok(String::new())
    }

    /// Answers with a `bestmove` line, once a move is wanted. A game that is over needs no search.
    pub fn go<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        let move_time = self.options.move_time;
        let usual = Usual { side: self.session.side(), move_time, moves_left: 1, overhead: Duration::ZERO };
        let order = order(words, &ARGUMENTS, &usual);
        channel.remark(&order.remarks)?;
        let wanted = Wanted { state: order.state, after_hit: order.after_hit, grace: move_time };
        let game = self.game;
        let lines = |report: &Report<Move>| text::report(game, report);
        let mut listener = Interruptible::new(channel, lines, wanted);
        let ended = self.session.ending().map(|ending| text::go_after_end(&self.session, ending));
        if let Some(answer) = self.refused.as_ref().map(go_after_refusal).or(ended) {
            listener.hold()?;
            return Ok(answer);
        }
        let chosen = self.player.choose(&self.session, &order.limits, &mut listener);
        listener.hold()?;
        Ok(match chosen {
            Ok(choice) => self.options.best_move(game, &choice),
            Err(error) => no_move(&TextError::new("go", error.to_string())),
        })
    }
}
