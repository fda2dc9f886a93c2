//! The parts of a view that each game provides.

use super::arrangement::Arrangement;
use super::report::{BoardNames, Effect, FamilyName, Parts, Stone};
use yomikiri_rules::{Presentation, Side, TextError};

/// A game that can be drawn. All games implement this trait.
pub trait Viewed: Presentation {
    /// The family of the game.
    fn name(&self) -> FamilyName;

    /// Returns the names of files and ranks, in the order in which the board is drawn.
    fn board(&self) -> BoardNames;

    /// Returns all stones, in any order.
    fn stones(&self, position: &Self::Position) -> Vec<Stone>;

    /// Returns the parts of a position that only some games have, such as pieces in hand or goals. By default there are
    /// none.
    fn parts(&self, _: &Self::Position) -> Parts {
        Parts::default()
    }

    /// Returns the effect of the move `mv` on the board. `mv` must be legal in `position` and lead to `after`.
    fn effect(&self, position: &Self::Position, mv: Self::Move, after: &Self::Position) -> Effect;

    /// Returns the squares by which a side has won a finished game, or `None` if no squares decided it.
    fn deciding(&self, _: &Self::Position, _winner: Side) -> Option<Vec<String>> {
        None
    }

    /// Returns a position as text that includes the side to move.
    fn start_text(&self, position: &Self::Position) -> String {
        self.position_text(position)
    }

    /// Returns true if a text that begins with the word `first` consists of the moves of a game from the start.
    fn is_transcript(&self, _first: &str) -> bool {
        false
    }

    /// Splits a word of a game record into moves.
    fn split_word<'a>(&self, word: &'a str) -> Vec<&'a str> {
        vec![word]
    }

    /// Returns stones laid out by hand as the text of a position. The position may still be invalid.
    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError>;
}
