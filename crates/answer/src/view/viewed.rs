//! What each game tells of its positions to those who draw them.

use super::arrangement::Arrangement;
use super::report::{BoardNames, Effect, FamilyName, Parts, Stone};
use yomikiri_rules::{Game, Side, TextError};

/// A game that can be drawn: all of them.
pub trait Viewed: Game {
    const NAME: FamilyName;

    /// Whether a position can come again in a game; then plies say nothing.
    const REPEATS: bool;

    /// Names of files and ranks as the board is drawn.
    fn board(&self) -> BoardNames;

    /// All stones, in any order.
    fn stones(&self, position: &Self::Position) -> Vec<Stone>;

    /// What this game has beside a board.
    fn parts(&self, _: &Self::Position) -> Parts {
        Parts::default()
    }

    /// What a legal move does, which leads to `after`.
    fn effect(&self, position: &Self::Position, mv: Self::Move, after: &Self::Position) -> Effect;

    /// The squares by which a side has won a position that is over, where squares have decided.
    fn deciding(&self, _: &Self::Position, _winner: Side) -> Option<Vec<String>> {
        None
    }

    /// A position as a text that tells the side to move too.
    fn start_text(&self, position: &Self::Position) -> String {
        self.position_text(position)
    }

    /// Whether a text, by its first word, is the moves of a game from the start.
    fn is_transcript(&self, _first: &str) -> bool {
        false
    }

    /// The moves that a word of a game is made of.
    fn split_word<'a>(&self, word: &'a str) -> Vec<&'a str> {
        vec![word]
    }

    /// Stones laid out by hand as a text of a position, which may still be none.
    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError>;
}
