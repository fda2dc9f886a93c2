//! Steps of the pieces: from tables, or square by square for sliding pieces.

use super::kinds::Kind;
use crate::Side;
use crate::games::pyonpyon::Board;
use crate::games::pyonpyon::board::Squares;

/// The steps of all pieces on a board.
#[derive(Clone, Debug)]
pub struct Steps {
    board: Board,
    /// Indexed by side, kind and square: the squares that the piece can step to on an empty board. Entries of sliding
    /// pieces are empty.
    single: [[[Squares; 25]; 7]; 2],
}

impl Steps {
    /// Creates the tables of a board.
    pub fn new(board: Board) -> Steps {
        let mut steps = Steps { board, single: [[[0; 25]; 7]; 2] };
        for side in [Side::Black, Side::White] {
            for kind in Kind::ALL.into_iter().filter(|kind| !kind.slides()) {
                for bit in 0..board.area() {
                    let ways = directions(side, kind);
                    let squares = ways.filter_map(|way| beside(board, bit, way)).map(|to| 1 << to).sum();
                    steps.single[side as usize][kind as usize][bit as usize] = squares;
                }
            }
        }
        steps
    }

    /// Returns the empty squares to which the piece on `from` can step. `occupied` has the squares of all pieces.
    #[inline]
    pub fn from(&self, side: Side, kind: Kind, occupied: Squares, from: u32) -> Squares {
        match kind.slides() {
            false => self.single[side as usize][kind as usize][from as usize] & !occupied,
            true => self.slides(side, kind, occupied, from),
        }
    }

    fn slides(&self, side: Side, kind: Kind, occupied: Squares, from: u32) -> Squares {
        let mut reached = 0;
        for way in directions(side, kind) {
            let mut here = from;
            while let Some(next) = beside(self.board, here, way).filter(|&next| occupied >> next & 1 == 0) {
                reached |= 1 << next;
                here = next;
            }
        }
        reached
    }
}

/// Returns the directions of a piece as files to the right and ranks down.
fn directions(side: Side, kind: Kind) -> impl Iterator<Item = (i8, i8)> {
    let turned = side.pick([1, -1]);
    kind.steps().iter().map(move |&(right, down)| (turned * right, turned * down))
}

fn beside(board: Board, bit: u32, (right, down): (i8, i8)) -> Option<u32> {
    let (file, rank) = board.file_and_rank(bit);
    let file = file.checked_add_signed(right).filter(|&file| file < board.files)?;
    let rank = rank.checked_add_signed(down).filter(|&rank| rank < board.ranks)?;
    Some(board.bit(file, rank))
}
