//! The board of a search as masks, and the rules for the final score.

use yomikiri_rules::games::reversi::board::{Board, FIRST_FILE, Squares};
use yomikiri_rules::games::reversi::lines;
use yomikiri_rules::games::reversi::rules::Rules;

/// Sets of squares of a board.
pub struct BoardMasks {
    rules: Rules,
    pub board: Board,
    /// All squares.
    pub squares: Squares,
    /// The number of squares.
    pub area: i32,
    /// The four corners.
    pub corners: Squares,
    /// The squares diagonally next to a corner.
    pub corner_diagonals: Squares,
    /// The squares along the edges.
    pub rim: Squares,
    quarters: [Squares; 4],
    /// The quarter of the board that each square is in, indexed by square.
    regions: [Squares; 64],
}

impl BoardMasks {
    pub fn new(rules: &Rules) -> BoardMasks {
        let board = rules.board;
        let squares = board.squares();
        let quarters = quarters(board);
        let region = |square: usize| quarters.into_iter().find(|quarter| quarter >> square & 1 == 1).unwrap_or(0);
        let (last_file, last_rank) = (board.files - 1, board.ranks - 1);
        let set = |pairs: [(u8, u8); 4]| pairs.iter().fold(0, |set, &(file, rank)| set | 1 << board.bit(file, rank));
        BoardMasks {
            rules: *rules,
            board,
            squares,
            area: board.area() as i32,
            corners: set([(0, 0), (last_file, 0), (0, last_rank), (last_file, last_rank)]),
            corner_diagonals: set([(1, 1), (last_file - 1, 1), (1, last_rank - 1), (last_file - 1, last_rank - 1)]),
            rim: rim(board),
            quarters,
            regions: std::array::from_fn(region),
        }
    }

    #[inline(always)]
    pub fn empty(&self, own: Squares, other: Squares) -> Squares {
        self.squares & !(own | other)
    }

    #[inline(always)]
    pub fn legal(&self, own: Squares, other: Squares) -> Squares {
        lines::legal_moves(own, other, self.empty(own, other))
    }

    /// Returns the quarter of the board that a square is in.
    #[inline(always)]
    pub fn region(&self, square: u8) -> Squares {
        self.regions[usize::from(square) % 64]
    }

    /// Returns the squares of the quarters with an odd number of empty squares.
    #[inline(always)]
    pub fn odd(&self, empty: Squares) -> Squares {
        let odd = self.quarters.iter().filter(|&&quarter| (empty & quarter).count_ones() % 2 == 1);
        odd.fold(0, |set, quarter| set | quarter)
    }

    /// Returns the score of the side with the discs `own` when neither side can move.
    #[inline(always)]
    pub fn final_score(&self, own: Squares, other: Squares) -> i32 {
        self.rules.points(own, other)
    }
}

#[inline(always)]
pub fn count(set: Squares) -> i32 {
    set.count_ones() as i32
}

/// Returns a set of squares together with all squares next to them.
#[inline(always)]
pub const fn around(set: Squares) -> Squares {
    let row = set | (set & !(FIRST_FILE << 7)) << 1 | (set & !FIRST_FILE) >> 1;
    row | row << 8 | row >> 8
}

/// Returns the squares whose file and rank satisfy `holds`.
fn squares_where(board: Board, holds: impl Fn(u8, u8) -> bool) -> Squares {
    let all = (0..board.ranks).flat_map(|rank| (0..board.files).map(move |file| (file, rank)));
    all.filter(|&(file, rank)| holds(file, rank)).fold(0, |set, (file, rank)| set | 1 << board.bit(file, rank))
}

fn rim(board: Board) -> Squares {
    squares_where(board, |file, rank| file == 0 || rank == 0 || file + 1 == board.files || rank + 1 == board.ranks)
}

fn quarters(board: Board) -> [Squares; 4] {
    let quarter = |right: bool, lower: bool| {
        squares_where(board, |file, rank| (file >= board.files / 2) == right && (rank >= board.ranks / 2) == lower)
    };
    [quarter(false, false), quarter(true, false), quarter(false, true), quarter(true, true)]
}
