//! What the session has for animal shogi alone.

use super::game::UsiGame;
use crate::Session;
use crate::dialogue::Answer;
use yomikiri_rules::game::{Game, TextError};
use yomikiri_rules::games::animal_shogi::moves::Move;
use yomikiri_rules::games::animal_shogi::text::move_text;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, Position, sfen};
use yomikiri_rules::value::Side;

impl UsiGame for AnimalShogi {
    const OWN_HELP: &'static str = "";

    fn sfen(&self, position: &Position, plies: usize) -> String {
        sfen::text(position, plies)
    }

    fn parse_sfen(&self, fields: &[&str]) -> Result<Position, TextError> {
        sfen::parse(fields)
    }

    fn diagram(&self, position: &Position) -> String {
        self.board_text(position)
    }

    fn plies(&self, session: &Session<Self>) -> usize {
        session.moves_made()
    }

    fn banner(_: Side) -> &'static str {
        ""
    }

    /// Games end without notice.
    fn moves_left(&self, _: &Position) -> u64 {
        20
    }

    fn stones_before(&self, _: &Position, _: &str) -> String {
        "-".into()
    }

    /// Taking the lion.
    fn last_move(&self, position: &Position) -> Option<String> {
        let taking = Move::taking_lion(&self.rules, position)?;
        Some(move_text(taking))
    }

    fn own_command(&self, _: &Session<Self>, _: &str, _: &[&str]) -> Option<Answer> {
        None
    }
}
