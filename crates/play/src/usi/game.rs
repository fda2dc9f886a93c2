//! The interface of games that speak USI, and its implementation for animal shogi.

use crate::Session;
use crate::repl::CommandAnswer;
use yomikiri_rules::games::animal_shogi::moves::Move;
use yomikiri_rules::games::animal_shogi::text::move_text;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, Position, sfen};
use yomikiri_rules::{Game, Side, TextError};
use yomikiri_solve::Playable;

/// A game that can be played with USI.
pub trait UsiGame: Playable {
    /// The help text for the commands that only this game has, as lines.
    const OWN_HELP: &'static str;

    /// Returns the fields after the word `sfen` for a position that is `plies` plies after the first position of the
    /// game.
    fn sfen(&self, position: &Self::Position, plies: usize) -> String;

    /// Parses the fields after the word `sfen`.
    fn parse_sfen(&self, fields: &[&str]) -> Result<Self::Position, TextError>;

    /// Returns the board as lines.
    fn diagram(&self, position: &Self::Position) -> String;

    /// Returns the number of plies played, for display.
    fn plies(&self, session: &Session<Self>) -> usize;

    /// Returns the banner of a side, or an empty text if the game has no banners.
    fn banner(side: Side) -> &'static str;

    /// Returns the number of moves that the side to move is expected to make until the end of the game. The time for a
    /// move depends on this number.
    fn expected_moves_left(&self, position: &Self::Position) -> u64;

    /// Returns the stones that a move or an edit overwrote, for display. Returns `-` if the move or edit can be taken
    /// back without them.
    fn stones_before(&self, before: &Self::Position, word: &str) -> String;

    /// Returns a move that wins at once, such as the capture of a lion, in a position in which the rules already call
    /// the game over. Returns `None` in games without such moves.
    fn winning_capture(&self, position: &Self::Position) -> Option<String>;

    /// Returns the answer to a command that only this game has, or `None` for other commands.
    fn own_command(&self, session: &Session<Self>, command: &str, arguments: &[&str]) -> Option<CommandAnswer>;
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

    /// Returns a rough number, because games have no fixed length.
    fn expected_moves_left(&self, _: &Position) -> u64 {
        20
    }

    fn stones_before(&self, _: &Position, _: &str) -> String {
        "-".into()
    }

    /// Returns the move that takes the lion.
    fn winning_capture(&self, position: &Position) -> Option<String> {
        let taking = Move::taking_lion(&self.rules, position)?;
        Some(move_text(taking))
    }

    fn own_command(&self, _: &Session<Self>, _: &str, _: &[&str]) -> Option<CommandAnswer> {
        None
    }
}
