//! The interface of games that speak USI, and its implementation for animal shogi.

use crate::Session;
use crate::repl::CommandAnswer;
use yomikiri_rules::games::animal_shogi::moves::Move;
use yomikiri_rules::games::animal_shogi::text::move_text;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, sfen};
use yomikiri_rules::{AnyPosition, Presentation, Registered, Side, TextError};

/// The parts of the protocol that differ from game to game. All positions and sessions passed to the methods must
/// belong to this game.
pub trait UsiGame {
    /// Returns the help text for the commands that only this game has, as lines.
    fn own_help(&self) -> &'static str {
        ""
    }

    /// Returns the fields after the word `sfen` for a position that is `plies` plies after the first position of the
    /// game.
    fn sfen(&self, position: &AnyPosition, plies: usize) -> String;

    /// Parses the fields after the word `sfen`.
    fn parse_sfen(&self, fields: &[&str]) -> Result<AnyPosition, TextError>;

    /// Returns the board as lines.
    fn diagram(&self, position: &AnyPosition) -> String;

    /// Returns the number of plies played, for display.
    fn plies(&self, session: &Session) -> usize {
        session.moves_made()
    }

    /// Returns the banner of a side, a text picture that `play` prints above the board. Returns an empty text if the
    /// game has no banners.
    fn banner(&self, _: Side) -> &'static str {
        ""
    }

    /// Returns the number of moves that the side to move is expected to make until the end. The time for a move depends
    /// on this number.
    fn expected_moves_left(&self, position: &AnyPosition) -> u64;

    /// Returns the stones that the move or edit `word` overwrites in the position `before`, for display. Returns `-` if
    /// the move or edit can be taken back without them.
    fn stones_before(&self, _before: &AnyPosition, _word: &str) -> String {
        "-".into()
    }

    /// Returns a winning move in a position that the rules already call terminal, such as the capture of a lion.
    /// Returns `None` in games without such moves.
    fn winning_capture(&self, _: &AnyPosition) -> Option<String> {
        None
    }

    /// Returns the answer to a command that only this game has, or `None` for other commands.
    fn own_command(&self, _: &Session, _command: &str, _arguments: &[&str]) -> Option<CommandAnswer> {
        None
    }
}

impl UsiGame for AnimalShogi {
    fn sfen(&self, position: &AnyPosition, plies: usize) -> String {
        sfen::text(Self::position_of(position), plies)
    }

    fn parse_sfen(&self, fields: &[&str]) -> Result<AnyPosition, TextError> {
        sfen::parse(fields).map(Self::any_position)
    }

    fn diagram(&self, position: &AnyPosition) -> String {
        self.board_text(Self::position_of(position))
    }

    /// Returns a rough number, because games have no fixed length.
    fn expected_moves_left(&self, _: &AnyPosition) -> u64 {
        20
    }

    /// Returns the move that captures the lion, or `None` if the lion cannot be captured.
    fn winning_capture(&self, position: &AnyPosition) -> Option<String> {
        let taking = Move::taking_lion(&self.rules, Self::position_of(position))?;
        Some(move_text(taking))
    }
}
