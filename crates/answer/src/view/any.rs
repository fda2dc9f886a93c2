//! The data from which web pages draw a position (its view), for a game that is known only at run time.

use super::arrangement::Arrangement;
use super::report::{BoardNames, Effect, FamilyName, Parts, Stone};
use super::viewed::Viewed;
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Registered, Side, TextError, with_game};

impl Viewed for AnyGame {
    fn name(&self) -> FamilyName {
        with_game!(self, game => game.name())
    }

    fn board(&self) -> BoardNames {
        with_game!(self, game => game.board())
    }

    fn stones(&self, position: &AnyPosition) -> Vec<Stone> {
        with_game!(self, game => game.stones(game.own(position)))
    }

    fn parts(&self, position: &AnyPosition) -> Parts {
        with_game!(self, game => game.parts(game.own(position)))
    }

    fn effect(&self, position: &AnyPosition, mv: AnyMove, after: &AnyPosition) -> Effect {
        with_game!(self, game => {
            game.effect(game.own(position), game.own_move(mv), game.own(after))
        })
    }

    fn deciding(&self, position: &AnyPosition, winner: Side) -> Option<Vec<String>> {
        with_game!(self, game => game.deciding(game.own(position), winner))
    }

    fn text_with_side(&self, position: &AnyPosition) -> String {
        with_game!(self, game => game.text_with_side(game.own(position)))
    }

    fn is_transcript(&self, first: &str) -> bool {
        with_game!(self, game => game.is_transcript(first))
    }

    fn split_word<'a>(&self, word: &'a str) -> Vec<&'a str> {
        with_game!(self, game => game.split_word(word))
    }

    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError> {
        with_game!(self, game => game.arrange(arrangement))
    }
}
