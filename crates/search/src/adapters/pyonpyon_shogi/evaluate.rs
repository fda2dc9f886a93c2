//! Evaluation for play. It is the evaluation of the pyonpyon game, and ignores the kinds of the pieces.

use crate::adapters::pyonpyon::evaluate::{advance, lead};
use crate::evaluate::Evaluate;
use yomikiri_rules::Side;
use yomikiri_rules::games::pyonpyon_shogi::{Position, PyonpyonShogi};

impl Evaluate<PyonpyonShogi> for PyonpyonShogi {
    fn game(&self) -> &PyonpyonShogi {
        self
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let seen = position.seen_by_mover(self.rules.base.board);
        lead(self.rules.base.board, seen.own, seen.other)
    }

    fn material(&self, position: &Position, side: Side) -> i32 {
        advance(self.rules.base.board, side, position.pieces(side))
    }
}
