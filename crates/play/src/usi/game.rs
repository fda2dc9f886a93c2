//! What the session asks of a game, and what animal shogi answers.

use crate::Session;
use crate::repl::Answer;
use yomikiri_rules::games::animal_shogi::moves::Move;
use yomikiri_rules::games::animal_shogi::text::move_text;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, Position, sfen};
use yomikiri_rules::{Game, Side, TextError};
use yomikiri_solve::Playable;

/// A game with this protocol.
pub trait UsiGame: Playable {
    /// What `help` prints about the commands of this game alone, in lines.
    const OWN_HELP: &'static str;

    /// The fields of a position, so many plies after the first one.
    fn sfen(&self, position: &Self::Position, plies: usize) -> String;

    /// Reads the fields that follow the word `sfen`.
    fn parse_sfen(&self, fields: &[&str]) -> Result<Self::Position, TextError>;

    /// The board, in lines.
    fn diagram(&self, position: &Self::Position) -> String;

    /// Plies before the position on the board, for people.
    fn plies(&self, session: &Session<Self>) -> usize;

    /// A banner of a side's stones; empty where there is none.
    fn banner(side: Side) -> &'static str;

    /// How many moves the side to move is likely to make yet, for the time it has.
    fn moves_left(&self, position: &Self::Position) -> u64;

    /// What people read of the change a move or an edit made to a position: the stones that were there before, or `-`
    /// where the move itself says how to take it back.
    fn stones_before(&self, before: &Self::Position, word: &str) -> String;

    /// The move by which the side to move wins a game that the rules call over already; `None` where that is not how
    /// games end.
    fn last_move(&self, position: &Self::Position) -> Option<String>;

    /// The answer to a command that only this game has.
    fn own_command(&self, session: &Session<Self>, command: &str, arguments: &[&str]) -> Option<Answer>;
}

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
