//! UPI, the protocol of the pyonpyon game. Each line of the input is a command, and its answer is printed as lines.
//! docs/upi.md describes the protocol. `text` formats the answers.

mod text;

use std::io::{BufRead, Write};
use std::time::Duration;

use crate::options::{Declared, MAX_MILLISECONDS, Options, Setting};
use crate::order::{Argument, TimeSettings, parse_go};
use crate::repl::{
    Channel, CommandAnswer, Controller, GoCondition, Interruptible, SessionError, Unanswered, check_lengths,
    go_after_refusal, no_move, repl,
};
use crate::{CombinedPlayer, PlayerReport, Selection, Session};
use yomikiri_rules::{AnyGame, Game, Notation, TextError};
use yomikiri_table::Location;

/// The maximum length of a word in bytes.
const LONGEST_WORD: usize = 100;

const OPTIONS: Declared = Declared {
    settings: &[
        ("Hash", Setting::Memory(1, 1024)),
        ("MultiPV", Setting::MultiPv(1, 100)),
        ("MoveTime", Setting::MoveTime(1, MAX_MILLISECONDS)),
        ("Resign", Setting::Resign(0, 999)),
        ("Table", Setting::UsesTables),
    ],
    names: "Hash, MultiPV, MoveTime, Resign, Table",
};

/// The arguments of `go`.
const ARGUMENTS: [(&str, Argument); 5] = [
    ("infinite", Argument::Infinite),
    ("ponder", Argument::Ponder),
    ("movetime", Argument::MoveTime),
    ("depth", Argument::Depth),
    ("searchmoves", Argument::SearchMoves),
];

/// Returns true if `game` can be played with this protocol.
pub fn is_spoken_by(game: &AnyGame) -> bool {
    matches!(game, AnyGame::Pyonpyon(_))
}

/// Carries out commands until `quit` or the end of the input. Reads tables from `location`.
pub fn serve(
    game: &AnyGame,
    location: impl Into<Location>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), SessionError> {
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
    game: &'a AnyGame,
    session: Session<'a>,
    /// The notation of the first position, `pfen` or `xfen`.
    named: &'static str,
    /// The error of the last `position` command if it was refused and no later command has changed the game, else
    /// `None`. While an error is set, a `go` gets no move, because a move in the old position would be wrong.
    refused: Option<TextError>,
    options: Options,
    player: CombinedPlayer<'a>,
}

impl<W: Write> Controller<W> for UpiController<'_> {
    fn dispatch(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        if let Err((others, error)) = check_lengths(words, LONGEST_WORD) {
            return self.refuse(&others, error, channel);
        }
        match words {
            ["go", arguments @ ..] => self.go(arguments, channel),
            [command, arguments @ ..] => Ok(self.answer(command, arguments)?),
            [] => Ok(String::new()),
        }
    }

    fn note_refused_position(&mut self, error: &TextError) {
        self.refused = Some(error.clone());
    }
}

impl<'a> UpiController<'a> {
    /// Carries out any command except `go`.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> CommandAnswer {
        match (command, arguments) {
            ("position", _) => self.set_position(arguments),
            // In UPI, the value of an option is exactly one word, so 4 words follow `setoption`. Otherwise `set` gets
            // no words and returns an error.
            ("setoption", _) => self.options.set(if arguments.len() == 4 { arguments } else { &[] }, &mut self.player),
            ("do", [word]) => self.act_on(word),
            ("do", _) => Err(TextError::new("do", format!("takes one move, but {} words follow", arguments.len()))),
            (_, [word, ..]) if text::COMMANDS.contains(&command) => {
                Err(TextError::new(command, format!("takes no arguments, but \"{word}\" follows")))
            }
            ("pos", _) => Ok(text::diagram(&self.session)),
            ("xfen", _) => Ok(text::position_command(&self.session, self.named)),
            ("undo", _) => self.undo(),
            ("resign" | "draw", _) => self.act_on(command),
            ("upinewgame", _) => Ok(self.begin(Session::new(self.game, self.game.start()))),
            ("upi", _) => Ok(text::hello(&self.game.code(), &self.options.declarations())),
            ("isready", _) => {
                self.player.prepare();
                Ok("readyok".into())
            }
            ("help", _) => Ok(text::HELP.into()),
            ("stop" | "ponderhit", _) => Ok(String::new()),
            _ => Err(TextError::new(format!("command \"{command}\""), "is unknown; \"help\" lists the commands")),
        }
    }

    /// Carries out `position`. The first arguments are `startpos`, or `pfen` or `xfen` with a board and a turn. The
    /// moves, if any, follow.
    fn set_position(&mut self, words: &[&str]) -> CommandAnswer {
        let (named, session) = self.session_of(words).inspect_err(|error| self.refused = Some(error.clone()))?;
        self.named = named;
        Ok(self.begin(session))
    }

    /// Parses the arguments of `position`. Returns the notation of the first position, and the game.
    fn session_of(&self, words: &[&str]) -> Result<(&'static str, Session<'a>), TextError> {
        let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (set_up, moves) = (&words[..at], words.get(at + 1..).unwrap_or_default());
        let named = match set_up.first() {
            Some(&"pfen") => "pfen",
            Some(&"xfen") => "xfen",
            Some(&"startpos") => self.named,
            _ => {
                return Err(TextError::new("position", "needs startpos, pfen <board> <turn> or xfen <board> <turn>"));
            }
        };
        let mut session = Session::new(self.game, self.game.parse_position(&set_up.join(" "))?);
        session.replay(moves)?;
        Ok((named, session))
    }

    /// Replaces the game. Returns the result line if the new game is over, else an empty text.
    fn begin(&mut self, session: Session<'a>) -> String {
        self.session = session;
        self.refused = None;
        text::result(&self.session)
    }

    /// Carries out a move, `resign` or `draw`. Returns the result line if the game is over, else an empty text.
    fn act_on(&mut self, word: &str) -> CommandAnswer {
        self.session.act_on(word)?;
        self.refused = None;
        Ok(text::result(&self.session))
    }

    fn undo(&mut self) -> CommandAnswer {
        self.session.undo().ok_or_else(|| TextError::new("undo", "there is no move to take back"))?;
        self.refused = None;
        Ok(String::new())
    }

    /// Carries out `go`. Returns a `bestmove` line once the host wants the move. Does not search if the game is over.
    pub fn go<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        let move_time = self.options.move_time;
        let usual = TimeSettings { side: self.session.side(), move_time, moves_left: 1, overhead: Duration::ZERO };
        let order = parse_go(words, &ARGUMENTS, &usual);
        channel.remark(&order.remarks)?;
        let wanted = GoCondition { state: order.state, after_hit: order.after_hit, grace: move_time };
        let game = self.game;
        let lines = |report: &PlayerReport| text::report(game, report);
        let ended = self.session.ending().map(|ending| text::go_after_end(&self.session, ending));
        if let Some(answer) = self.refused.as_ref().map(go_after_refusal).or(ended) {
            Interruptible::new(channel, lines, wanted).hold()?;
            return Ok(answer);
        }
        let (selection, remarks) = Selection::parse(&self.session, order.search_moves.as_deref(), self.options.lines);
        channel.remark(&remarks)?;
        let mut listener = Interruptible::new(channel, lines, wanted);
        let chosen = self.player.choose_among(&self.session, &selection, &order.limits, &mut listener);
        listener.hold()?;
        Ok(match chosen {
            Ok(choice) => self.options.best_move(game, &selection, &choice),
            Err(error) => no_move(&TextError::new("go", error.to_string())),
        })
    }
}
