//! `go`: the machine chooses a move.

use std::io::Write;

use super::clock::{self, Order};
use super::{UsiFront, UsiGame, text};
use crate::dialogue::{Answer, Broken, Channel};
use crate::interrupt::Interruptible;
use crate::{Choice, Ending, Limits, Player, Report, Score};
use yomikiri_rules::game::TextError;

impl<G: UsiGame> UsiFront<'_, G> {
    /// Answers with a `bestmove` line. A game that is over needs no search, unless it only came to the same position for the
    /// third time: hosts may go on.
    pub fn go<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<Answer, Broken> {
        if let ["mate", ..] = words {
            return Ok(Ok("checkmate notimplemented".into()));
        }
        let (side, moves_left) = (self.session.side(), self.game.moves_left(self.session.position()));
        let order = clock::order(words, side, self.options.move_time, moves_left, self.options.overhead);
        let order = match order {
            Ok(order) => order,
            Err(error) => return Ok(Err(error)),
        };
        if self.session.ending().is_some_and(|ending| ending != Ending::Repetition) {
            return Ok(Ok(text::go_after_end(&self.session)));
        }
        let game = self.game;
        let chosen = self.think(&order, channel, |report| text::report(game, report))?;
        let word = |choice: Choice<G::Move>| match choice.score {
            Score::Lost(plies) if plies.0 <= self.options.resign => "resign".into(),
            _ => self.game.move_text(choice.mv),
        };
        Ok(chosen.map(|choice| format!("bestmove {}", word(choice))))
    }

    /// Has the machine choose a move; what it reports is printed by `lines`.
    pub fn think<W: Write>(
        &mut self,
        order: &Order,
        channel: &mut Channel<W>,
        lines: impl Fn(&Report<G::Move>) -> String,
    ) -> Result<Result<Choice<G::Move>, TextError>, Broken> {
        let limits = if order.ponders { Limits { time: None, ..order.limits } } else { order.limits };
        let endless = limits == Limits::default();
        let mut listener = Interruptible::new(channel, lines, endless, self.options.move_time);
        if order.ponders {
            listener = listener.pondering(order.limits.time);
        }
        let chosen = self.machine.choose(&self.session, &limits, &mut listener);
        listener.end().map_err(Broken::Output)?;
        Ok(chosen.map_err(|error| TextError::new("go", error.to_string())))
    }
}
