//! Connect Four: the squares on which discs land, and rows.
//!
//! The name of a square is its file and rank, as `41`; ranks are numbered from the bottom.

use super::arrangement::{Arrangement, fen, find};
use super::report::{BoardNames, Effect, FamilyName, Stone};
use super::squares::{count_from, names};
use super::viewed::Viewed;
use yomikiri_rules::bits::{set_bits, squares_of};
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::connect_four::board::{FILE_STEP, Position, Squares};
use yomikiri_rules::games::connect_four::lines::DIRECTIONS;
use yomikiri_rules::games::connect_four::moves::{Move, landing};
use yomikiri_rules::{Side, TextError};

fn name_of(bit: u8) -> String {
    format!("{}{}", bit / FILE_STEP as u8 + 1, bit % FILE_STEP as u8 + 1)
}

impl Viewed for ConnectFour {
    fn name(&self) -> FamilyName {
        FamilyName::ConnectFour
    }

    fn board(&self) -> BoardNames {
        let board = self.rules.board;
        let mut ranks = count_from('1', board.ranks);
        ranks.reverse();
        BoardNames { files: count_from('1', board.files), ranks }
    }

    fn stones(&self, position: &Position) -> Vec<Stone> {
        let ranks = self.rules.board.ranks;
        let of = |side: Side| {
            let disc = move |bit: u8| {
                let (file, rank) = (bit / FILE_STEP as u8, ranks - 1 - bit % FILE_STEP as u8);
                Stone { square: name_of(bit), file, rank, side, piece: None }
            };
            squares_of(position.discs(side)).map(disc)
        };
        of(Side::Black).chain(of(Side::White)).collect()
    }

    fn effect(&self, position: &Position, Move(file): Move, _: &Position) -> Effect {
        let square = landing(self.rules.board, position.occupied(), file);
        Effect { to: names(square, name_of).pop(), ..Effect::default() }
    }

    /// Returns the squares of all winning rows, the straight lines of the winner's discs that have the required length.
    fn deciding(&self, position: &Position, winner: Side) -> Option<Vec<String>> {
        let (discs, mut rows): (Squares, Squares) = (position.discs(winner), 0);
        for direction in DIRECTIONS {
            for first in set_bits(self.rules.rows(direction)) {
                let row = (0..u32::from(self.rules.row)).map(|at| 1 << (first + at * direction.step)).sum();
                rows |= if discs & row == row { row } else { 0 };
            }
        }
        Some(names(rows, name_of))
    }

    fn is_transcript(&self, first: &str) -> bool {
        first.bytes().all(|byte| byte.is_ascii_digit())
    }

    fn split_word<'a>(&self, word: &'a str) -> Vec<&'a str> {
        word.split_inclusive(|_| true).collect()
    }

    /// Returns the text of the position. The side to move follows from the number of discs.
    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError> {
        let (board, letters, ranks) = (self.board(), ['X', 'O'], self.rules.board.ranks);
        let name = |file: u8, rank: u8| name_of(FILE_STEP as u8 * file + ranks - 1 - rank);
        let grid = arrangement.grid(&board, |text| find(&board, text, name), |stone| Ok(stone.side.pick(letters)))?;
        let turn = Side::at_ply(arrangement.stones.len() as u32).pick(letters);
        Ok(format!("{} {turn}", fen(&grid)))
    }
}
