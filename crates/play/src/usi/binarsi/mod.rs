//! What the session has for Binarsi alone: `target_pictures` draws the clear targets, `edits` tells how boards are edited.

mod edits;
mod target_pictures;

use super::banners::{ONE, ZERO};
use super::game::UsiGame;
use crate::Session;
use crate::dialogue::Answer;
use yomikiri_rules::game::{Game, TextError};
use yomikiri_rules::games::binarsi::{Binarsi, Position, text};
use yomikiri_rules::value::Side;

impl UsiGame for Binarsi {
    const OWN_HELP: &'static str = "\
clear_targets                                       the targets, wanted and cleared
moves_for_edit                                      what can be done to the board outside the rules, as do &4c#
inverse_move [<move>]                               the edit that takes the last move, or this one, back";

    /// The plies are part of the position.
    fn sfen(&self, position: &Position, _: usize) -> String {
        self.position_text(position)
    }

    fn parse_sfen(&self, fields: &[&str]) -> Result<Position, TextError> {
        self.parse_position(&format!("sfen {}", fields.join(" ")))
    }

    fn diagram(&self, position: &Position) -> String {
        text::diagram(&self.rules, position)
    }

    fn plies(&self, session: &Session<Self>) -> usize {
        session.position().ply() as usize
    }

    fn banner(side: Side) -> &'static str {
        match side {
            Side::Black => ONE,
            Side::White => ZERO,
        }
    }

    /// Half of the plies that a full board takes yet.
    fn moves_left(&self, position: &Position) -> u64 {
        u64::from(self.rules.max_plies().saturating_sub(position.ply())).div_ceil(2)
    }

    fn stones_before(&self, before: &Position, word: &str) -> String {
        edits::stones_before(&self.rules, before, word)
    }

    fn last_move(&self, _: &Position) -> Option<String> {
        None
    }

    fn own_command(&self, session: &Session<Self>, command: &str, arguments: &[&str]) -> Option<Answer> {
        Some(match (command, arguments) {
            ("clear_targets", []) => Ok(target_pictures::pictures(&self.rules, session.position())),
            ("moves_for_edit", []) => Ok(edits::list(self, session.position())),
            ("inverse_move", []) => edits::inverse_of_last(self, session),
            ("inverse_move", [word]) => edits::inverse(self, session.position(), word),
            ("inverse_move", _) => Err(TextError::new(command, format!("takes one move, not {}", arguments.len()))),
            ("clear_targets" | "moves_for_edit", [word, ..]) => {
                Err(TextError::new(command, format!("takes no arguments, \"{word}\" is one")))
            }
            _ => return None,
        })
    }
}
