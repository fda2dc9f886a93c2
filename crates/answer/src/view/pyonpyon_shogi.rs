//! Pyonpyon with shogi pieces: goals, kinds, and the squares that a piece passes.

use super::arrangement::{ArrangedStone, Arrangement, fen, find, piece_of};
use super::report::{BoardNames, BySide, Effect, FamilyName, Parts, PieceName, PieceSteps, Stone};
use super::squares::{count_from, names};
use super::viewed::Viewed;
use yomikiri_rules::bits::set_bits;
use yomikiri_rules::games::pyonpyon::text::square_name;
use yomikiri_rules::games::pyonpyon_shogi::moves::Move;
use yomikiri_rules::games::pyonpyon_shogi::text::{letter, piece_letter};
use yomikiri_rules::games::pyonpyon_shogi::{Kind, Position, PyonpyonShogi};
use yomikiri_rules::{Side, TextError};

/// The names of the kinds of pieces, in the order of [`Kind`].
const PIECES: [PieceName; 7] = [
    PieceName::Pawn,
    PieceName::Lance,
    PieceName::Knight,
    PieceName::Silver,
    PieceName::Gold,
    PieceName::Bishop,
    PieceName::Rook,
];

fn name_of(kind: Kind) -> PieceName {
    PIECES[kind as usize]
}

impl Viewed for PyonpyonShogi {
    fn name(&self) -> FamilyName {
        FamilyName::PyonpyonShogi
    }

    fn board(&self) -> BoardNames {
        let board = self.rules.base.board;
        BoardNames { files: count_from('a', board.files), ranks: count_from('1', board.ranks) }
    }

    fn stones(&self, position: &Position) -> Vec<Stone> {
        let board = self.rules.base.board;
        let of = |side: Side| {
            set_bits(position.pieces(side)).map(move |bit| {
                let (file, rank) = board.file_and_rank(bit);
                let piece = Some(name_of(position.kinds.at(bit)));
                Stone { square: square_name(board, bit), file, rank, side, piece }
            })
        };
        of(Side::Black).chain(of(Side::White)).collect()
    }

    fn parts(&self, _: &Position) -> Parts {
        let board = self.rules.base.board;
        let goal = |rank| names(board.rank(rank).into(), |bit| square_name(board, bit.into()));
        let mut kinds = self.rules.kinds().to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        let steps = |kind: Kind| PieceSteps { piece: name_of(kind), steps: self.steps_of(kind) };
        Parts {
            goals: Some(BySide { black: goal(0), white: goal(board.ranks - 1) }),
            pieces: Some(kinds.into_iter().map(steps).collect()),
            ..Parts::default()
        }
    }

    fn effect(&self, position: &Position, mv: Move, _: &Position) -> Effect {
        let name = |bit: u32| square_name(self.rules.base.board, bit);
        Effect {
            from: Some(name(mv.from.into())),
            to: Some(name(mv.to.into())),
            path: Some(self.path(position, mv).into_iter().map(name).collect()),
            ..Effect::default()
        }
    }

    /// Returns the squares of the pieces that complete the winner's pattern: in each file the goal square, or the
    /// square in front of it if a piece of the other side stands on the goal square.
    fn deciding(&self, position: &Position, winner: Side) -> Option<Vec<String>> {
        let squares = self.rules.base.completing(winner, position.pieces(winner.other()));
        Some(names(squares.into(), |bit| square_name(self.rules.base.board, bit.into())))
    }

    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError> {
        let board = self.board();
        let name = |file, rank| square_name(self.rules.base.board, self.rules.base.board.bit(file, rank));
        let letter_of = |stone: &ArrangedStone| {
            let piece = piece_of(stone)?;
            let foreign = || TextError::new(format!("square \"{}\"", stone.square), "has a piece of animal shogi");
            let kind = Kind::ALL.into_iter().find(|&kind| name_of(kind) == piece).ok_or_else(foreign)?;
            Ok(piece_letter(kind, stone.side))
        };
        let grid = arrangement.grid(&board, |text| find(&board, text, name), letter_of)?;
        Ok(format!("{} {}", fen(&grid), letter(arrangement.side())))
    }
}
