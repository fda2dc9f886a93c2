//! Pyonpyon: goals, and the squares that a piece passes.

use super::arrangement::{Arrangement, fen, find};
use super::report::{BoardNames, BySide, Effect, FamilyName, Parts, Stone};
use super::squares::{count_from, names};
use super::viewed::Viewed;
use yomikiri_rules::bits::set_bits;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::Position;
use yomikiri_rules::games::pyonpyon::moves::Move;
use yomikiri_rules::games::pyonpyon::text::{letter, square_name};
use yomikiri_rules::{Side, TextError};

impl Viewed for Pyonpyon {
    fn name(&self) -> FamilyName {
        FamilyName::Pyonpyon
    }

    fn board(&self) -> BoardNames {
        let board = self.rules.board;
        BoardNames { files: count_from('a', board.files), ranks: count_from('1', board.ranks) }
    }

    fn stones(&self, position: &Position) -> Vec<Stone> {
        let board = self.rules.board;
        let of = |side: Side| {
            set_bits(position.pieces(side)).map(move |bit| {
                let (file, rank) = board.file_and_rank(bit);
                Stone { square: square_name(board, bit), file, rank, side, piece: None }
            })
        };
        of(Side::Black).chain(of(Side::White)).collect()
    }

    fn parts(&self, _: &Position) -> Parts {
        let board = self.rules.board;
        let goal = |rank| names(board.rank(rank).into(), |bit| square_name(board, bit.into()));
        Parts { goals: Some(BySide { black: goal(0), white: goal(board.ranks - 1) }), ..Parts::default() }
    }

    fn effect(&self, position: &Position, mv: Move, _: &Position) -> Effect {
        let name = |bit: u32| square_name(self.rules.board, bit);
        let path = self.lines.path(position.own | position.other, mv);
        Effect {
            from: Some(name(mv.from.into())),
            to: Some(name(mv.to.into())),
            path: Some(path.into_iter().map(name).collect()),
            ..Effect::default()
        }
    }

    /// Returns the squares of the pieces that complete the winner's pattern: in each file the goal square, or the
    /// square in front of it if a piece of the other side stands on the goal square.
    fn deciding(&self, position: &Position, winner: Side) -> Option<Vec<String>> {
        let squares = self.rules.completing(winner, position.pieces(winner.other()));
        Some(names(squares.into(), |bit| square_name(self.rules.board, bit.into())))
    }

    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError> {
        let board = self.board();
        let name = |file, rank| square_name(self.rules.board, self.rules.board.bit(file, rank));
        let grid = arrangement.grid(&board, |text| find(&board, text, name), |stone| Ok(letter(stone.side)))?;
        Ok(format!("{} {}", fen(&grid), letter(arrangement.side())))
    }
}
