//! The protocol of the author of Binarsi, a dialect of USI. Each line of the input is a command, and its answer is
//! printed as lines. docs/usi.md describes the protocol.
//!
//! `game` is the interface of a game that speaks USI, with the implementation for animal shogi. `binarsi` has the
//! implementation for Binarsi. `text` formats the answers.

mod binarsi;
mod game;
mod text;

use std::io::{BufRead, Write};

use crate::options::{Declared, MAX_MILLISECONDS, Options, Setting};
use crate::order::{Argument, GoCommand, TimeSettings, parse_go, parse_go_mate};
use crate::protocol::State;
use crate::repl::{
    Channel, CommandAnswer, Controller, GoCondition, Interruptible, SessionError, Unanswered, check_lengths,
    go_after_refusal, no_move, repl,
};
use crate::{Action, Choice, CombinedPlayer, Ending, Limits, PlayerReport, Selection, Session};
pub use game::UsiGame;
use text::{COMP, YOU};
use yomikiri_rules::{AnyGame, Game, Side, TextError};
use yomikiri_table::Location;

/// The maximum length of a word in bytes, except in the value of an option.
const LONGEST_WORD: usize = 200;

const OPTIONS: Declared = Declared {
    settings: &[
        ("USI_Hash", Setting::Memory(1, 16_384)),
        ("Threads", Setting::Threads(1, 64)),
        ("USI_Ponder", Setting::Ponder),
        ("MultiPV", Setting::MultiPv(1, 100)),
        ("Tables", Setting::Tables),
        ("UseTables", Setting::UsesTables),
        ("Resident", Setting::Resident),
        ("MoveTime", Setting::MoveTime(1, MAX_MILLISECONDS)),
        ("Overhead", Setting::Overhead(0, 10_000)),
        ("Resign", Setting::Resign(0, 999)),
    ],
    names: "USI_Hash, USI_Ponder, Threads, MultiPV, Tables, UseTables, Resident, MoveTime, Overhead, Resign",
};

/// The arguments of `go`.
pub const ARGUMENTS: [(&str, Argument); 11] = [
    ("infinite", Argument::Infinite),
    ("ponder", Argument::Ponder),
    ("movetime", Argument::MoveTime),
    ("depth", Argument::Depth),
    ("nodes", Argument::Nodes),
    ("btime", Argument::Left(Side::Black)),
    ("wtime", Argument::Left(Side::White)),
    ("binc", Argument::Increment(Side::Black)),
    ("winc", Argument::Increment(Side::White)),
    ("byoyomi", Argument::Byoyomi),
    ("searchmoves", Argument::SearchMoves),
];

/// Returns the game as a [`UsiGame`], or `None` if the game does not speak USI.
pub fn dialect(game: &AnyGame) -> Option<&dyn UsiGame> {
    match game {
        AnyGame::Binarsi(game) => Some(game),
        AnyGame::AnimalShogi(game) => Some(game),
        _ => None,
    }
}

/// Carries out commands until `quit` or the end of the input. Reads tables from `location`. Panics if the game does not
/// speak USI ([`dialect`]).
pub fn serve(
    game: &AnyGame,
    location: impl Into<Location>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), SessionError> {
    let location = location.into();
    let mut controller = UsiController {
        game,
        dialect: dialect(game).expect("the game speaks USI"),
        session: Session::new(game, game.start()),
        refused: None,
        options: Options::new(&OPTIONS, &location),
        player: CombinedPlayer::new(game, location),
    };
    repl(&mut controller, Channel::new(input, output)?)
}

struct UsiController<'a> {
    game: &'a AnyGame,
    dialect: &'a dyn UsiGame,
    session: Session<'a>,
    /// The error of the last `position` command if it was refused and no later command has changed the game, else
    /// `None`. While an error is set, a `go` gets no move, because a move in the old position would be wrong.
    refused: Option<TextError>,
    options: Options,
    player: CombinedPlayer<'a>,
}

impl<W: Write> Controller<W> for UsiController<'_> {
    fn dispatch(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        if words[0] != "setoption"
            && let Err((others, error)) = check_lengths(words, LONGEST_WORD)
        {
            return self.refuse(&others, error, channel);
        }
        match words {
            ["go", arguments @ ..] => self.go(arguments, channel),
            ["play", arguments @ ..] => self.play(arguments, channel),
            [command, arguments @ ..] => Ok(self.answer(command, arguments)?),
            [] => Ok(String::new()),
        }
    }

    fn note_refused_position(&mut self, error: &TextError) {
        self.refused = Some(error.clone());
    }
}

impl<'a> UsiController<'a> {
    /// Carries out any command except `go` and `play`.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> CommandAnswer {
        if let Some(answer) = self.dialect.own_command(&self.session, command, arguments) {
            return answer;
        }
        match (command, arguments) {
            ("position", _) => self.set_position(arguments),
            ("setoption", _) => self.options.set(arguments, &mut self.player),
            ("do", [word]) => {
                self.session.act_on(word)?;
                self.refused = None;
                Ok(String::new())
            }
            ("do", _) => Err(TextError::new("do", format!("takes one move, but {} words follow", arguments.len()))),
            ("gameover", ["win" | "lose" | "draw"] | []) => Ok(String::new()),
            ("gameover", _) => Err(TextError::new("gameover", "takes win, lose or draw")),
            (_, [word, ..]) if text::COMMANDS.contains(&command) => {
                Err(TextError::new(command, format!("takes no arguments, but \"{word}\" follows")))
            }
            ("board", _) => Ok(text::board(self.dialect, &self.session)),
            ("sfen", _) => Ok(text::sfen(self.dialect, &self.session)),
            ("legal_moves", _) => Ok(text::legal_moves(&self.session)),
            ("history", _) => Ok(text::history(self.dialect, &self.session)),
            ("mate1", _) => Ok(text::mate1(&self.session)),
            ("undo", _) => {
                self.session.undo().ok_or_else(|| TextError::new("undo", "there is no move to take back"))?;
                self.refused = None;
                Ok(String::new())
            }
            ("usinewgame", _) => {
                self.session = Session::new(self.game, self.game.start());
                self.refused = None;
                Ok(format!("[{}] usinewgame end", text::now()))
            }
            ("usi", _) => Ok(text::hello(&self.game.code(), &self.options.declarations())),
            ("isready", _) => {
                self.player.prepare();
                Ok("readyok".into())
            }
            ("help", _) => Ok(text::help(self.dialect)),
            ("stop" | "ponderhit", _) => Ok(String::new()),
            _ => Err(TextError::new(format!("command \"{command}\""), "is unknown; \"help\" lists the commands")),
        }
    }

    /// Carries out `position`. The first arguments are `startpos`, or `sfen` with the fields of a position. The moves,
    /// if any, follow.
    fn set_position(&mut self, words: &[&str]) -> CommandAnswer {
        let session = self.session_of(words).inspect_err(|error| self.refused = Some(error.clone()))?;
        self.session = session;
        self.refused = None;
        Ok(String::new())
    }

    fn session_of(&self, words: &[&str]) -> Result<Session<'a>, TextError> {
        let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (set_up, moves) = (&words[..at], words.get(at + 1..).unwrap_or_default());
        let start = match set_up {
            ["startpos"] => self.game.start(),
            ["sfen", fields @ ..] => self.dialect.parse_sfen(fields)?,
            _ => return Err(TextError::new("position", "needs startpos, or sfen and its fields; moves may follow")),
        };
        let mut session = Session::new(self.game, start);
        session.replay(moves)?;
        Ok(session)
    }

    /// Carries out `go`. Returns a `bestmove` line once the host wants the move. Does not search if the game is over.
    /// After the third occurrence of a position, the engine still searches, because hosts may continue the game.
    pub fn go<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        if let ["mate", arguments @ ..] = words {
            return self.go_mate(arguments, channel);
        }
        let order = parse_go(words, &ARGUMENTS, &self.usual());
        channel.remark(&order.remarks)?;
        let game = self.game;
        let lines = |report: &PlayerReport| text::report(game, report);
        let over = self.session.ending().is_some_and(|ending| ending != Ending::Repetition);
        let unsearched = match &self.refused {
            Some(refused) => Some(go_after_refusal(refused)),
            None => over.then(|| text::go_after_end(self.dialect, &self.session)),
        };
        if let Some(answer) = unsearched {
            Interruptible::new(channel, lines, self.wanted(&order)).hold()?;
            return Ok(answer);
        }
        let (selection, remarks) = Selection::parse(&self.session, order.search_moves.as_deref(), self.options.lines);
        channel.remark(&remarks)?;
        match self.think(&order, &selection, channel, lines) {
            Ok(choice) => Ok(self.options.best_move(game, &selection, &choice)),
            Err(Unanswered::Wrong(error)) => Ok(no_move(&error)),
            Err(broken) => Err(broken),
        }
    }

    /// Carries out `go mate`. Returns a `checkmate` line as soon as it is known, also after `infinite`.
    fn go_mate<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        let order = parse_go_mate(words, &self.usual());
        channel.remark(&order.remarks)?;
        let game = self.game;
        if let Some(refused) = &self.refused {
            return Ok(text::mate_after_refusal(refused));
        }
        if let Some(Ending::Board { winner }) = Session::new(game, *self.session.position()).ending() {
            let capture = self.dialect.winning_capture(self.session.position());
            let capture = capture.filter(|_| winner == Some(self.session.side()));
            return Ok(format!("checkmate {}", capture.unwrap_or_else(|| "nomate".into())));
        }
        let lines = |report: &PlayerReport| text::report(game, report);
        let mut listener = Interruptible::new(channel, lines, self.wanted(&order));
        let found = self.player.find_win(&self.session, &order.limits, &mut listener);
        listener.finish()?;
        Ok(match found {
            Ok(answer) => text::checkmate(game, &answer),
            Err(error) => text::no_checkmate(&TextError::new("go mate", error.to_string())),
        })
    }

    /// Returns the settings that determine the time for a move, in addition to the arguments of `go`.
    fn usual(&self) -> TimeSettings {
        TimeSettings {
            side: self.session.side(),
            move_time: self.options.move_time,
            moves_left: self.dialect.expected_moves_left(self.session.position()),
            overhead: self.options.overhead,
        }
    }

    fn wanted(&self, order: &GoCommand) -> GoCondition {
        GoCondition { state: order.state, after_hit: order.after_hit, grace: self.options.move_time }
    }

    /// Lets the player choose among the moves of `selection`, and returns the move once the host wants it. Prints the
    /// player's reports, which `lines` formats.
    pub fn think<W: Write>(
        &mut self,
        order: &GoCommand,
        selection: &Selection,
        channel: &mut Channel<W>,
        lines: impl Fn(&PlayerReport) -> String,
    ) -> Result<Choice, Unanswered> {
        let mut listener = Interruptible::new(channel, lines, self.wanted(order));
        let chosen = self.player.choose_among(&self.session, selection, &order.limits, &mut listener);
        listener.hold()?;
        Ok(chosen.map_err(|error| TextError::new("go", error.to_string()))?)
    }

    /// Carries out `play`. Makes the person's move and prints the board, then makes the computer's move and returns the
    /// lines to print. If the move is illegal, nothing changes.
    pub fn play<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<String, Unanswered> {
        let [word] = words else {
            return Err(TextError::new("play", format!("takes one move, but {} words follow", words.len())).into());
        };
        let banner = self.dialect.banner(self.session.side());
        self.session.act_on(word)?;
        self.refused = None;
        let shown = format!("{banner}\n{}", self.shown());
        if self.session.ending().is_some() {
            return Ok(without_first_break(&format!("{shown}\n{}", text::result(&self.session))));
        }
        channel.say(&without_first_break(&shown))?;
        self.reply(channel)
    }

    /// Makes the computer's move and returns the lines to print.
    fn reply<W: Write>(&mut self, channel: &mut Channel<W>) -> Result<String, Unanswered> {
        let limits = Limits { time: Some(self.options.move_time), ..Limits::default() };
        let order =
            GoCommand { limits, state: State::Thinking, after_hit: None, search_moves: None, remarks: Vec::new() };
        let choice = self.think(&order, &Selection::default(), channel, |_| String::new())?;
        let banner = self.dialect.banner(self.session.side());
        self.session.act(Action::Move(choice.mv));
        let end = self.session.ending().map_or(YOU.into(), |_| text::result(&self.session));
        Ok(format!("{COMP}{banner}\n{}\n{end}", self.shown()))
    }

    /// Returns the board and the lines that describe the game.
    fn shown(&self) -> String {
        format!("{}\n{}", text::board(self.dialect, &self.session), text::long_sfen(self.dialect, &self.session))
    }
}

/// Removes the line break at the beginning of a text. A banner begins with a line break, which an answer does not need
/// before its first line.
fn without_first_break(text: &str) -> String {
    text.strip_prefix('\n').unwrap_or(text).into()
}
