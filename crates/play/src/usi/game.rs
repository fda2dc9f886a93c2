//! What the session asks of a game.

use crate::Session;
use crate::dialogue::Answer;
use yomikiri_rules::game::TextError;
use yomikiri_rules::value::Side;
use yomikiri_solve::evaluate::Playable;

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

    /// What people read of the change a move or an edit made to a position: the stones that were there before, or `-` where the move
    /// itself says how to take it back.
    fn stones_before(&self, before: &Self::Position, word: &str) -> String;

    /// The move by which the side to move wins a game that the rules call over already; `None` where that is not how games
    /// end.
    fn last_move(&self, position: &Self::Position) -> Option<String>;

    /// The answer to a command that only this game has.
    fn own_command(&self, session: &Session<Self>, command: &str, arguments: &[&str]) -> Option<Answer>;
}
