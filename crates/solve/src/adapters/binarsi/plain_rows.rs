//! Rows by the plain rules, for the audit. Nothing here shares code with `sheet`.

use crate::tiers::RowMove;
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::{Position, Squares};
use yomikiri_rules::games::binarsi::goal::{End, Goal};
use yomikiri_rules::games::binarsi::moves;
use yomikiri_rules::games::binarsi::targets::{self, Verdict};
use yomikiri_rules::{Game, Side};

/// The row as a position without cleared targets.
fn row_position<V>(game: &BinarsiOf<V>, base: u64, row: u32) -> Option<Position> {
    game.keys.position(base + (u64::from(row) << 6))
}

pub(super) fn row_moves<V: Goal>(game: &BinarsiOf<V>, base: u64, row: u32, found: &mut Vec<RowMove>) {
    found.clear();
    let Some(position) = row_position(game, base, row) else { return };
    // Moves on one way that leave the same stones are one for the audit.
    let mut way = None;
    let mut way_stones: Vec<Squares> = Vec::with_capacity(16);
    moves::each(&game.rules, &position, |mv, stones| {
        if way != Some(mv.way) {
            way = Some(mv.way);
            way_stones.clear();
        }
        if way_stones.contains(&stones) {
            return;
        }
        way_stones.push(stones);
        let child = moves::play(&game.rules, &position, mv);
        let key = game.rank(&Position { targets: 0, ..child });
        let won = |winner| V::of_end(&game.rules, End::Targets(winner), child.side()).to_byte();
        let ends = [0, won(Side::Black), won(Side::White), counted_value(game, &child).to_byte()];
        found.push(RowMove { key, added: child.targets, ends });
    });
}

/// 0 for open lanes, 1 where Black has won, 2 where White has, 3 where the stones are counted.
pub(super) fn lane_ends() -> [u8; 64] {
    std::array::from_fn(|lane| match targets::verdict(lane as u8) {
        Verdict::Open => 0,
        Verdict::Won(Side::Black) => 1,
        Verdict::Won(Side::White) => 2,
        Verdict::Count => 3,
    })
}

pub(super) fn row_end<V: Goal>(game: &BinarsiOf<V>, base: u64, row: u32) -> V {
    let position = row_position(game, base, row).expect("a row of the table");
    counted_value(game, &position)
}

/// The value if the stones are counted now.
fn counted_value<V: Goal>(game: &BinarsiOf<V>, position: &Position) -> V {
    let end = End::Counted { black: position.stones.count_ones(), white: position.white().count_ones() };
    V::of_end(&game.rules, end, position.side())
}
