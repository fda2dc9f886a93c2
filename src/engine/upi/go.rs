//! `go`: the machine chooses a move, and is disturbed only by what cannot wait.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::options::number;
use super::{Answer, Broken, Front, say, text};
use crate::engine::input::{Input, Line};
use crate::engine::{Choice, Limits, Listener, Player, Report, Score, search};
use crate::game::{Game, TextError};
use crate::games::pyonpyon::{Move, Pyonpyon};

impl<W: Write> Front<'_, W> {
    /// Answers with a `bestmove` line. A game that is over needs no search.
    pub fn go(&mut self, words: &[&str]) -> Result<Answer, Broken> {
        let limits = match read_limits(words, self.options.move_time) {
            Ok(limits) => limits,
            Err(error) => return Ok(Err(error)),
        };
        if let Some(ending) = self.session.ending() {
            return Ok(Ok(text::go_after_end(&self.session, ending)));
        }
        let mut listener = Interruptible {
            game: self.game,
            input: &mut self.input,
            output: &mut self.output,
            seen: 0,
            endless: limits == Limits::default(),
            grace: self.options.move_time,
            leave_at: None,
            broken: None,
        };
        let chosen = self.machine.choose(&self.session, &limits, &mut listener);
        if let Some(error) = listener.broken {
            return Err(Broken::Output(error));
        }
        let word = |choice: Choice<Move>| match choice.score {
            Score::Lost(plies) if plies.0 <= self.options.resign => "resign".into(),
            _ => self.game.move_text(choice.mv),
        };
        let error = |error: crate::solve::SolveError| TextError::new("go", error.to_string());
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

/// Prints reports, and looks at lines that arrive meanwhile: `isready` is answered, `stop` obeyed. Other lines wait, and
/// what stands behind another `go` is for that one.
struct Interruptible<'a, W> {
    game: &'a Pyonpyon,
    input: &'a mut Input,
    output: &'a mut W,
    /// Waiting lines that were looked at and left.
    seen: usize,
    /// Nothing but `stop` limits the search. A `go` or the end of the input then stops it too, for nothing else will.
    endless: bool,
    /// How long a search may go on when somebody waits for its end to quit.
    grace: Duration,
    leave_at: Option<Instant>,
    broken: Option<io::Error>,
}

impl<W: Write> Interruptible<'_, W> {
    fn say(&mut self, text: &str) {
        if let Err(error) = say(self.output, text) {
            self.broken = Some(error);
        }
    }

    /// Goes through the lines that have arrived; true if one of them wants an answer now.
    fn read_on(&mut self) -> bool {
        self.input.look();
        while let Some(line) = self.input.waiting.get(self.seen) {
            match first_word(line) {
                Some("stop") => {
                    self.input.waiting.remove(self.seen);
                    return true;
                }
                Some("isready") => {
                    self.input.waiting.remove(self.seen);
                    self.say("readyok");
                }
                Some("quit") => {
                    self.leave_at.get_or_insert(Instant::now() + self.grace);
                    return self.endless;
                }
                Some("go") | None => return self.endless,
                Some(_) => self.seen += 1,
            }
        }
        self.endless && self.input.is_full()
    }
}

/// The command of a line; empty where there is none, `None` after the last line.
fn first_word(line: &Line) -> Option<&str> {
    match line {
        Line::Text(text) => Some(text.split_whitespace().next().unwrap_or_default()),
        Line::Refused(_) => Some(""),
        Line::End | Line::Failed(_) => None,
    }
}

impl<W: Write> Listener<Move> for Interruptible<'_, W> {
    fn hear(&mut self, report: Report<Move>) {
        self.say(&text::report(self.game, &report));
    }

    fn wants_answer(&mut self) -> bool {
        self.read_on() || self.broken.is_some() || self.leave_at.is_some_and(|time| Instant::now() >= time)
    }
}
