//! The interface that each game implements so that its positions can be drawn.

use super::arrangement::Arrangement;
use super::report::{BoardNames, Effect, FamilyName, Parts, Stone};
use yomikiri_rules::{Presentation, Side, TextError};

/// A game that can be drawn. All games implement this trait.
pub trait Viewed: Presentation {
    /// Returns the family of the game. All variants of a game share a family.
    fn name(&self) -> FamilyName;

    /// Returns the names of the files, left to right, and of the ranks, top to bottom, as the board is drawn.
    fn board(&self) -> BoardNames;

    /// Returns all stones, in any order.
    fn stones(&self, position: &Self::Position) -> Vec<Stone>;

    /// Returns the parts of a position that only some games have, such as pieces in hand or goals. By default there are
    /// none.
    fn parts(&self, _: &Self::Position) -> Parts {
        Parts::default()
    }

    /// Returns the squares, pieces and other parts of the board that the move `mv` changes. `mv` must be legal in
    /// `position` and lead to `after`.
    fn effect(&self, position: &Self::Position, mv: Self::Move, after: &Self::Position) -> Effect;

    /// Returns the squares that decided a won game, such as four in a row. Returns `None` if no squares decided the
    /// game.
    fn deciding(&self, _: &Self::Position, _winner: Side) -> Option<Vec<String>> {
        None
    }

    /// Returns a position as text that includes the side to move.
    fn text_with_side(&self, position: &Self::Position) -> String {
        self.position_text(position)
    }

    /// Returns true if `first`, the first word of a text, shows that the text is a list of moves from the start of a
    /// game.
    fn is_transcript(&self, _first: &str) -> bool {
        false
    }

    /// Splits a word of a game record into its moves. By default, a word is one move.
    fn split_word<'a>(&self, word: &'a str) -> Vec<&'a str> {
        vec![word]
    }

    /// Converts an arrangement, the stones that a person has set up, to the text of a position. The position may still
    /// be invalid.
    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError>;
}
