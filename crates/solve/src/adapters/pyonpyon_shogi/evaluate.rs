//! A guess at what a position is worth: as in the pyonpyon game, whatever the pieces are.

use crate::adapters::pyonpyon::evaluate::{advance, lead};
use crate::evaluate::Evaluate;
use yomikiri_rules::Side;
use yomikiri_rules::games::pyonpyon_shogi::{Position, PyonpyonShogi};

impl Evaluate for PyonpyonShogi {
    fn evaluate(&self, position: &Position) -> i32 {
        let seen = position.seen(self.rules.race.board);
        lead(self.rules.race.board, seen.own, seen.other)
    }

    fn wealth(&self, position: &Position, side: Side) -> i32 {
        advance(self.rules.race.board, side, position.pieces(side))
    }
}
