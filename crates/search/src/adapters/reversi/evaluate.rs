//! Evaluation for play: moves, corners, and empty squares next to own discs, weighted as in the exact search
//! (`search::eval`).

use xxhash_rust::xxh3::xxh3_64;

use super::search::around;
use crate::evaluate::Evaluate;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::{Board, Position, Squares};
use yomikiri_rules::games::reversi::lines::legal_moves;
use yomikiri_rules::{Game, Side};

/// The value of a legal move, in hundredths of a disc. A legal move to a corner is worth `MOVE` plus [`CORNER_MOVE`].
const MOVE: i32 = 200;
const CORNER_MOVE: i32 = 500;
/// The value of a corner that the side holds, including the discs that the corner makes stable.
const CORNER: i32 = 900;
/// The value of an empty square next to an own disc.
const OPEN: i32 = -50;

/// Returns the value of the moves and discs of one side.
fn standing(board: Board, own: Squares, other: Squares) -> i32 {
    let empty = board.squares() & !(own | other);
    let moves = legal_moves(own, other, empty);
    let corners = corners(board);
    let counted = [(MOVE, moves), (CORNER_MOVE, moves & corners), (CORNER, own & corners), (OPEN, around(own) & empty)];
    counted.into_iter().map(|(weight, set)| weight * set.count_ones() as i32).sum()
}

fn corners(board: Board) -> Squares {
    let (file, rank) = (board.files - 1, board.ranks - 1);
    [(0, 0), (file, 0), (0, rank), (file, rank)].iter().fold(0, |set, &(file, rank)| set | 1 << board.bit(file, rank))
}

impl Evaluate<Reversi> for Reversi {
    fn game(&self) -> &Reversi {
        self
    }

    /// Returns the evaluation in hundredths of a disc.
    fn evaluate(&self, position: &Position) -> i32 {
        let board = self.rules.board;
        standing(board, position.own, position.other) - standing(board, position.other, position.own)
    }

    /// Returns the number of the side's discs.
    fn material(&self, position: &Position, side: Side) -> i32 {
        position.discs(side).count_ones() as i32
    }

    /// Returns the key of the position if the board has keys, else a hash of the canonical discs from the view of the
    /// side to move.
    fn fingerprint(&self, position: &Position) -> u64 {
        if self.has_keys() {
            return self.rank(position);
        }
        let [own, other] = self.rules.board.smallest_image([position.own, position.other]);
        xxh3_64([own, other].map(u64::to_le_bytes).as_flattened())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Notation;

    #[test]
    fn a_corner_is_worth_having() {
        let game = Reversi::parse("rev8x8").unwrap();
        let with = |board: &str| game.evaluate(&game.parse_position(board).unwrap());
        let plain = with("---------------------------OX------XO--------------------------- X");
        let corner = with("X--------------------------OX------XO--------------------------- X");
        assert!(corner > plain + 200, "{corner} {plain}");
    }
}
