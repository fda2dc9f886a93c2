//! A guess at what a position is worth: who has fewer ranks to go and holds more goals.

use crate::evaluate::Evaluate;
use yomikiri_rules::Side;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::{Board, Position, Squares};

/// What one rank is worth.
const RANK: i32 = 100;

/// What a goal is worth that a piece stands on, or in front of while the other side stands there.
const GOAL: i32 = 60;

impl Evaluate for Pyonpyon {
    fn evaluate(&self, position: &Position) -> i32 {
        let (own, other) = position.seen(self.rules.board);
        lead(self.rules.board, own, other)
    }

    fn wealth(&self, position: &Position, side: Side) -> i32 {
        advance(self.rules.board, side, position.pieces(side))
    }
}

/// How much better the pieces `own` stand than `other`, as their side sees them: its goal is rank 1.
pub fn lead(board: Board, own: Squares, other: Squares) -> i32 {
    standing(board, own, other) - standing(board, board.turned(other), board.turned(own))
}

/// Ranks that pieces have moved forward, as if each had begun at the farthest rank from its goal.
pub fn advance(board: Board, side: Side, pieces: Squares) -> i32 {
    let pieces = side.pick([pieces, board.turned(pieces)]);
    (0..board.ranks).map(|rank| i32::from(board.ranks - 1 - rank) * count(pieces & board.rank(rank))).sum()
}

fn count(squares: Squares) -> i32 {
    squares.count_ones() as i32
}

/// How far pieces that head for rank 1 have come.
fn standing(board: Board, pieces: Squares, others: Squares) -> i32 {
    let to_go = |rank: u8| i32::from(rank) * count(pieces & board.rank(rank));
    let held = (pieces | others & pieces >> 1) & board.rank(0);
    GOAL * count(held) - RANK * (1..board.ranks).map(to_go).sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Game;

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
