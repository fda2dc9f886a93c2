//! Evaluation for play: the differences in ranks still to go and in goals held.

use crate::evaluate::Evaluate;
use yomikiri_rules::Side;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::{Board, Position, Squares};

/// The value of each rank by which a piece is nearer to its goal rank.
const RANK: i32 = 100;

/// The value of a goal square that a piece occupies. A goal square directly in front of a piece also counts if a piece
/// of the other side is on it.
const GOAL: i32 = 60;

impl Evaluate<Pyonpyon> for Pyonpyon {
    fn game(&self) -> &Pyonpyon {
        self
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let (own, other) = position.seen_by_mover(self.rules.board);
        lead(self.rules.board, own, other)
    }

    fn material(&self, position: &Position, side: Side) -> i32 {
        advance(self.rules.board, side, position.pieces(side))
    }
}

/// Returns the evaluation of the pieces `own` against the pieces `other`, from the view of the side that has `own`. The
/// goal of this side is rank 1.
pub fn lead(board: Board, own: Squares, other: Squares) -> i32 {
    standing(board, own, other) - standing(board, board.rotated(other), board.rotated(own))
}

/// Returns the number of ranks that the pieces of `side` have advanced, summed over the pieces, as if each had started
/// on the rank farthest from its goal.
pub fn advance(board: Board, side: Side, pieces: Squares) -> i32 {
    let pieces = side.pick([pieces, board.rotated(pieces)]);
    (0..board.ranks).map(|rank| i32::from(board.ranks - 1 - rank) * count(pieces & board.rank(rank))).sum()
}

fn count(squares: Squares) -> i32 {
    squares.count_ones() as i32
}

/// Returns the value of `pieces`, whose goal is rank 1. `others` has the pieces of the other side.
fn standing(board: Board, pieces: Squares, others: Squares) -> i32 {
    let to_go = |rank: u8| i32::from(rank) * count(pieces & board.rank(rank));
    let held = (pieces | others & pieces >> 1) & board.rank(0);
    GOAL * count(held) - RANK * (1..board.ranks).map(to_go).sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::{Game, Notation};

    fn guess(code: &str, text: &str) -> i32 {
        let game = Pyonpyon::parse(code).unwrap();
        game.evaluate(&game.parse_position(text).unwrap())
    }

    #[test]
    fn ranks_and_goals_count_for_the_side_to_move() {
        assert_eq!(guess("pyon", "startpos"), 0);
        assert_eq!(guess("pyon3x3", "ooo/xx1/2x x"), 2 * RANK + 2 * GOAL);
        assert_eq!(guess("pyon3x3", "ooo/xx1/2x o"), -2 * RANK - 2 * GOAL);
        assert_eq!(guess("pyon3x4", "1x1/oo1/2x/x1o x"), (4 - 5) * RANK + GOAL - GOAL);
    }
}
