//! A guess at what a position is worth, seen by Black: a sum of terms whose weights were fitted to exact values of late
//! positions (docs/perf/play.md).

use std::ops::ControlFlow;

use super::reading::Reading;
use crate::evaluate::{Evaluate, Reader};
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::goal::Goal;
use yomikiri_rules::games::binarsi::kernel::Lines;
use yomikiri_rules::games::binarsi::kernel::{CompactPosition, Prospect, Successor};
use yomikiri_rules::games::binarsi::moves::Move;
use yomikiri_rules::games::binarsi::{Binarsi, BinarsiOf};
use yomikiri_rules::{Distance, Score, Side};

/// What each target is worth, b3 to w5: first by how near it is ([`nearness`]), then for every place that lacks one
/// stone and for every one that lacks two, for every place that is open, and if its owner is to move and a place lacks
/// one stone.
const TARGETS: [[i32; 10]; 6] = [
    [3, 0, 2, -74, -243, 0, -10, 14, 2, 23],
    [100, 50, -32, -46, -181, -91, 16, 6, 4, 52],
    [143, -146, -6, -60, -106, -66, 0, -12, 26, -21],
    [-5, 0, -2, -97, 4, 0, -5, -12, -1, -75],
    [-97, 73, 11, 17, 119, 176, -5, -13, -5, -47],
    [-147, 21, -3, 41, 63, 11, 7, 8, -18, 15],
];

/// By how many targets Black misses, less one, and then White.
const MISSING: [[i32; 3]; 3] = [[-3, 112, 245], [-131, -31, 50], [-206, -135, -132]];

/// The turn, and more for a side to move that misses one target.
const TURN: i32 = 142;
const LAST_TARGET: i32 = -28;

/// A stone more than the other side, one that can never change again, and one if neither side can clear its targets (by
/// hand: no sample was of that kind).
const STONE: i32 = 7;
const FIXED: i32 = 7;
const COUNTED: i32 = 20;

/// A side alone that can no longer clear its targets, Black and White.
const HOPELESS: [i32; 2] = [41, 70];

/// The most places that count where one stone is lacking, and where two are.
const MOST_LACKING: [u32; 2] = [6, 8];

/// How near a target is: 0 cleared, 1 never to be cleared any more, 2 to 4 lacking so many stones less one, 5 more.
fn nearness(prospect: Option<Prospect>) -> usize {
    match prospect {
        None => 0,
        Some(Prospect { open: 0, .. }) => 1,
        Some(Prospect { lacking, .. }) => 2 + lacking.iter().position(|&count| count > 0).unwrap_or(3),
    }
}

/// What a target is worth; `turn` tells whether its owner is to move.
fn of_target(weights: &[i32; 10], prospect: Option<Prospect>, turn: bool) -> i32 {
    let worth = weights[nearness(prospect)];
    let Some(Prospect { open, lacking: [one, two, _] }) = prospect else { return worth };
    let [most_one, most_two] = MOST_LACKING;
    let places = [(one.min(most_one), weights[6]), (two.min(most_two), weights[7]), (open, weights[8])];
    let soon = if one > 0 && turn { weights[9] } else { 0 };
    worth + soon + places.iter().map(|&(count, weight)| count as i32 * weight).sum::<i32>()
}

/// The guess as Black sees it.
fn guess(lines: &Lines, field: &CompactPosition, side: Side) -> i32 {
    let prospects = lines.prospects(field);
    let turn = |target: usize| (side == Side::Black) == (target < 3);
    let of_targets = (0..6).map(|target| of_target(&TARGETS[target], prospects[target], turn(target)));
    let sides = [&prospects[..3], &prospects[3..]].map(|own| own.iter().flatten());
    let missing = sides.clone().map(|missing| missing.count());
    let [black, white] = sides.map(|mut missing| missing.any(|prospect| prospect.open == 0));
    let mover = usize::from(side != Side::Black);
    let turn = TURN + if missing[mover] == 1 { LAST_TARGET } else { 0 };
    let (stones, fixed) = (field.stones, field.fixed());
    let more = stones.count_ones() as i32 - field.white().count_ones() as i32;
    let more_fixed = (fixed & stones).count_ones() as i32 - (fixed & !stones).count_ones() as i32;
    let hope = match (black, white) {
        (false, false) => 0,
        (true, false) => HOPELESS[0],
        (false, true) => HOPELESS[1],
        (true, true) => COUNTED * more,
    };
    let [black, white] = missing.map(|count| count.clamp(1, 3) - 1);
    let balance = MISSING[black][white] + STONE * more + FIXED * more_fixed + hope;
    of_targets.sum::<i32>() + balance + if mover == 0 { turn } else { -turn }
}

/// A kind of value, and who reads positions for it.
pub trait Read: Goal {
    /// What reads positions near the end ([`Evaluate::reader`]).
    fn reader(_game: &BinarsiOf<Self>, _bytes: usize) -> Option<Box<dyn Reader<BinarsiOf<Self>>>> {
        None
    }
}

impl Read for Score {}

impl Read for Distance {
    fn reader(game: &Binarsi, bytes: usize) -> Option<Box<dyn Reader<Binarsi>>> {
        Some(Box::new(Reading::new(game, bytes)))
    }
}

impl<V: Read> Evaluate for BinarsiOf<V> {
    const REPEATS: bool = false;

    /// In hundredths of the logarithm of the odds that the side to move wins.
    fn evaluate(&self, position: &Position) -> i32 {
        let side = position.side();
        let guess = guess(&self.successors.lines, &position.into(), side);
        if side == Side::Black { guess } else { -guess }
    }

    /// Stones on the board.
    fn wealth(&self, position: &Position, side: Side) -> i32 {
        let stones = if side == Side::Black { position.stones } else { position.white() };
        stones.count_ones() as i32
    }

    /// In the order of their notation.
    fn children(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(Move, Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.successors.each(&position.into(), |Successor { mv, position: child }| visit(mv, child.after(position)))
    }

    fn reader(&self, bytes: usize) -> Option<Box<dyn Reader<Self>>> {
        V::reader(self, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Game;

    #[test]
    fn cleared_targets_are_worth_having() {
        let game = Binarsi::parse("bin7x6").unwrap();
        let guess = |text: &str| game.evaluate(&game.parse_position(text).unwrap());
        let board = "7/xxxxx2/xxxox2/oooxx2/oooox2/7 b 2345d";
        let [alone, both] = ["4/11////", "4/11////9"].map(|cleared| guess(&format!("{board} {cleared} 12")));
        assert!(alone > both, "{alone} {both}");
    }
}
