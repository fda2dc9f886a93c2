//! `go`: the machine chooses a move, and is disturbed only by what cannot wait.

use std::io::Write;
use std::time::Duration;

use super::{UpiFront, text};
use crate::arguments::number;
use crate::dialogue::{Answer, Broken, Channel};
use crate::interrupt::Interruptible;
use crate::{Choice, Limits, Player, Report, Score, search};
use yomikiri_rules::game::{Game, TextError};
use yomikiri_rules::games::pyonpyon::Move;

impl UpiFront<'_> {
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
        let chosen = self.machine.choose(&self.session, &limits, &mut listener);
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
