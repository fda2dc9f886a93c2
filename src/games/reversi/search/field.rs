//! What a search knows of a board and its rules.

use crate::games::reversi::board::{Board, RANK_STEP, Squares};
use crate::games::reversi::lines;
use crate::games::reversi::rules::{Empties, Rules};

/// A board as the search sees it.
pub struct Field {
    pub board: Board,
    /// All squares.
    pub squares: Squares,
    /// Number of squares.
    pub area: i32,
    /// Squares where lines end in three directions.
    pub corners: Squares,
    /// Squares beside a corner along a diagonal.
    pub corner_diagonals: Squares,
    /// Whether empty squares at the end count for the winner.
    winner_takes: bool,
    /// By square, the quarter of the board that it lies in.
    regions: [Squares; 64],
}

impl Field {
    pub fn new(rules: &Rules) -> Field {
        let board = rules.board;
        let squares = board.squares();
        let left = (0..board.ranks).fold(0, |set, rank| set | 1 << board.bit(0, rank));
        let left = (0..board.files / 2).fold(0, |set, file| set | left << file);
        let upper = squares & (1 << (RANK_STEP * u32::from(board.ranks / 2))) - 1;
        let region = |square: usize| {
            let beside = |half: Squares| if half >> square & 1 == 1 { half } else { squares & !half };
            beside(left) & beside(upper)
        };
        let (last_file, last_rank) = (board.files - 1, board.ranks - 1);
        let set = |pairs: [(u8, u8); 4]| pairs.iter().fold(0, |set, &(file, rank)| set | 1 << board.bit(file, rank));
        Field {
            board,
            squares,
            area: board.area() as i32,
            corners: set([(0, 0), (last_file, 0), (0, last_rank), (last_file, last_rank)]),
            corner_diagonals: set([(1, 1), (last_file - 1, 1), (1, last_rank - 1), (last_file - 1, last_rank - 1)]),
            winner_takes: rules.empties == Empties::Winner,
            regions: std::array::from_fn(region),
        }
    }

    #[inline]
    pub fn empty(&self, own: Squares, other: Squares) -> Squares {
        self.squares & !(own | other)
    }

    #[inline]
    pub fn legal(&self, own: Squares, other: Squares) -> Squares {
        lines::legal_moves(own, other, self.empty(own, other))
    }

    /// The quarter of the board in which a square lies.
    #[inline]
    pub fn region(&self, square: u8) -> Squares {
        self.regions[usize::from(square) % 64]
    }

    /// The empty squares in quarters with an odd number of them.
    pub fn odd(&self, empty: Squares) -> Squares {
        let quarters = [
            self.regions[0],
            self.regions[self.board.bit(self.board.files - 1, 0) as usize],
            self.regions[self.board.bit(0, self.board.ranks - 1) as usize],
            self.regions[self.board.bit(self.board.files - 1, self.board.ranks - 1) as usize],
        ];
        let odd = quarters.iter().filter(|&&quarter| (empty & quarter).count_ones() % 2 == 1);
        odd.fold(0, |set, quarter| set | quarter)
    }

    /// The score of the side with the discs `own` when nobody can move any more.
    #[inline]
    pub fn final_score(&self, own: Squares, other: Squares) -> i32 {
        let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
        let difference = own - other;
        match self.winner_takes {
            true => difference + difference.signum() * (self.area - own - other),
            false => difference,
        }
    }
}
