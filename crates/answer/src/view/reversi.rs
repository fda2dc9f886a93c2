//! The view of Reversi, from which a position is drawn: its discs, and the discs that a move flips.

use super::arrangement::{Arrangement, find};
use super::report::{BoardNames, Effect, FamilyName, Stone};
use super::squares::{count_from, names};
use super::viewed::Viewed;
use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::Position;
use yomikiri_rules::games::reversi::lines::flips;
use yomikiri_rules::games::reversi::moves::Move;
use yomikiri_rules::games::reversi::text::{begins_transcript, names as names_of_moves, square_name};
use yomikiri_rules::{Side, TextError};

impl Viewed for Reversi {
    fn name(&self) -> FamilyName {
        FamilyName::Reversi
    }

    fn board(&self) -> BoardNames {
        let board = self.rules.board;
        BoardNames { files: count_from('a', board.files), ranks: count_from('1', board.ranks) }
    }

    fn stones(&self, position: &Position) -> Vec<Stone> {
        let of = |side: Side| {
            let disc =
                move |bit: u8| Stone { square: square_name(bit), file: bit % 8, rank: bit / 8, side, piece: None };
            squares_of(position.discs(side)).map(disc)
        };
        of(Side::Black).chain(of(Side::White)).collect()
    }

    fn effect(&self, position: &Position, mv: Move, _: &Position) -> Effect {
        let Move::Place(square) = mv else { return Effect::default() };
        let turned = flips(square, position.own, position.other);
        Effect { to: Some(square_name(square)), flips: Some(names(turned, square_name)), ..Effect::default() }
    }

    fn is_transcript(&self, first: &str) -> bool {
        begins_transcript(first)
    }

    fn split_word<'a>(&self, word: &'a str) -> Vec<&'a str> {
        names_of_moves(word).collect()
    }

    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError> {
        let (board, letters) = (self.board(), ['X', 'O']);
        let name = |file, rank| square_name(self.rules.board.bit(file, rank) as u8);
        let grid = arrangement.grid(&board, |text| find(&board, text, name), |stone| Ok(stone.side.pick(letters)))?;
        let squares: String = grid.into_iter().flatten().map(|disc| disc.unwrap_or('-')).collect();
        Ok(format!("{squares} {}", arrangement.side().pick(letters)))
    }
}
