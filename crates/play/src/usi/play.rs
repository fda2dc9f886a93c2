//! `play`: a move, and the computer answers, with boards and banners.

use std::io::Write;

use super::banners::{COMP, YOU};
use super::clock::Order;
use super::{UsiFront, UsiGame, text};
use crate::dialogue::{Answer, Broken, Channel};
use crate::{Action, Limits};
use yomikiri_rules::game::TextError;

impl<G: UsiGame> UsiFront<'_, G> {
    /// Makes the move of the person, shows what it led to, and then the same for the computer's. A mistake changes nothing.
    pub fn play<W: Write>(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<Answer, Broken> {
        let [word] = words else {
            return Ok(Err(TextError::new("play", format!("takes one move, not {}", words.len()))));
        };
        let banner = G::banner(self.session.side());
        if let Err(error) = self.session.act_on(word) {
            return Ok(Err(error));
        }
        let shown = format!("{banner}\n{}", self.shown());
        if self.session.ending().is_some() {
            return Ok(Ok(without_first_break(&format!("{shown}\n{}", text::result(&self.session)))));
        }
        channel.say(&without_first_break(&shown)).map_err(Broken::Output)?;
        self.reply(channel)
    }

    /// The computer's move.
    fn reply<W: Write>(&mut self, channel: &mut Channel<W>) -> Result<Answer, Broken> {
        let limits = Limits { time: Some(self.options.move_time), ..Limits::default() };
        let chosen = self.think(&Order { limits, ponders: false }, channel, |_| String::new())?;
        let banner = G::banner(self.session.side());
        Ok(chosen.map(|choice| {
            self.session.act(Action::Move(choice.mv));
            let end = match self.session.ending() {
                None => YOU.into(),
                Some(_) => text::result(&self.session),
            };
            format!("{COMP}{banner}\n{}\n{end}", self.shown())
        }))
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
