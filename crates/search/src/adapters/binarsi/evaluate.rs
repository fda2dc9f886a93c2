//! Evaluation for play, from Black's view: a sum of terms whose weights were fitted to exact values of late positions
//! (docs/perf/play.md).

use std::ops::ControlFlow;

use super::decided::Decided;
use super::move_generator::{CompactPosition, Successor, Successors, TargetDistance, TargetPlaces};
use crate::evaluate::{EndgameSolver, Evaluate};
use yomikiri_rules::Side;
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::moves::Move;

/// The weights of each target, a line of stones of one side. The order is b3, b4, b5 (Black's targets), w3, w4, w5
/// (White's). A *place* of a target is a line of squares; once all these squares have stones of the target's side, the
/// target is cleared. Elements 0 to 5 are the weights of the target as a whole; its [`nearness`] selects one of them.
/// Element 6 is the weight of each place that lacks one stone, and element 7 of each place that lacks two. Element 8 is
/// the weight of each place that can still be filled. Element 9 is added if the side of the target is to move and a
/// place lacks one stone.
const TARGETS: [[i32; 10]; 6] = [
    [3, 0, 2, -74, -243, 0, -10, 14, 2, 23],
    [100, 50, -32, -46, -181, -91, 16, 6, 4, 52],
    [143, -146, -6, -60, -106, -66, 0, -12, 26, -21],
    [-5, 0, -2, -97, 4, 0, -5, -12, -1, -75],
    [-97, 73, 11, 17, 119, 176, -5, -13, -5, -47],
    [-147, 21, -3, 41, 63, 11, 7, 8, -18, 15],
];

/// The value for Black by the numbers of targets still to clear: `MISSING[b - 1][w - 1]` if Black has `b` such targets
/// and White has `w`.
const MISSING: [[i32; 3]; 3] = [[-3, 112, 245], [-131, -31, 50], [-206, -135, -132]];

/// The value of being the side to move. `LAST_TARGET` is added if the side to move has one target left to clear.
const TURN: i32 = 142;
const LAST_TARGET: i32 = -28;

/// The value of each stone by which a side leads. `FIXED` is the value of each stone by which a side leads in fixed
/// stones, which can never change again. If neither side can still clear all its targets, `COUNTED` is added to
/// `STONE`. `COUNTED` is set by hand, because no position of this kind was in the sample for the fit.
const STONE: i32 = 7;
const FIXED: i32 = 7;
const COUNTED: i32 = 20;

/// The value for Black if exactly one side can no longer clear all its targets: element 0 if Black cannot, element 1 if
/// White cannot.
const HOPELESS: [i32; 2] = [41, 70];

/// The maximum numbers of a target's places (lines of squares that can clear it) that count: element 0 for places that
/// lack one stone, element 1 for places that lack two.
const MAX_LACKING: [u32; 2] = [6, 8];

/// Returns the nearness of a target: 0 if it is cleared, and 1 if it can never be cleared. Otherwise 2, 3 or 4 if the
/// nearest line for it lacks one, two or three stones, and 5 if the nearest line lacks more.
fn nearness(prospect: Option<TargetDistance>) -> usize {
    match prospect {
        None => 0,
        Some(TargetDistance { open: 0, .. }) => 1,
        Some(TargetDistance { lacking, .. }) => 2 + lacking.iter().position(|&count| count > 0).unwrap_or(3),
    }
}

/// Returns the evaluation of a target from the view of Black. `weights` is the target's element of [`TARGETS`].
/// `prospect` is the distance to the target, or `None` if the target is cleared. `turn` is true if the owner of the
/// target is to move.
fn of_target(weights: &[i32; 10], prospect: Option<TargetDistance>, turn: bool) -> i32 {
    let worth = weights[nearness(prospect)];
    let Some(TargetDistance { open, lacking: [one, two, _] }) = prospect else { return worth };
    let [most_one, most_two] = MAX_LACKING;
    let places = [(one.min(most_one), weights[6]), (two.min(most_two), weights[7]), (open, weights[8])];
    let soon = if one > 0 && turn { weights[9] } else { 0 };
    worth + soon + places.iter().map(|&(count, weight)| count as i32 * weight).sum::<i32>()
}

/// Returns the evaluation of a position from Black's view. `side` is the side to move.
fn evaluation(lines: &TargetPlaces, field: &CompactPosition, side: Side) -> i32 {
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

/// The evaluator of one variant.
pub struct BinarsiEvaluator<V> {
    game: BinarsiOf<V>,
    successors: Successors,
}

impl<V: Decided> BinarsiEvaluator<V> {
    /// Creates the evaluator and its move generator.
    pub fn new(game: &BinarsiOf<V>) -> BinarsiEvaluator<V> {
        BinarsiEvaluator { game: game.clone(), successors: Successors::new(&game.rules) }
    }
}

impl<V: Decided> Evaluate<BinarsiOf<V>> for BinarsiEvaluator<V> {
    fn game(&self) -> &BinarsiOf<V> {
        &self.game
    }

    /// Returns the logarithm of the odds that the side to move wins, in hundredths.
    fn evaluate(&self, position: &Position) -> i32 {
        let side = position.side();
        let guess = evaluation(&self.successors.lines, &position.into(), side);
        if side == Side::Black { guess } else { -guess }
    }

    /// Returns the number of the side's stones on the board.
    fn material(&self, position: &Position, side: Side) -> i32 {
        let stones = if side == Side::Black { position.stones } else { position.white() };
        stones.count_ones() as i32
    }

    /// Visits the children in notation order.
    fn children(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(Move, Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.successors.each(&position.into(), |Successor { mv, position: child }| visit(mv, child.after(position)))
    }

    fn endgame_solver(&self, bytes: usize) -> Option<Box<dyn EndgameSolver<BinarsiOf<V>>>> {
        V::endgame_solver(&self.game, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::{Game, Notation};

    #[test]
    fn cleared_targets_are_worth_having() {
        let game = Binarsi::parse("bin7x6").unwrap();
        let evaluator = BinarsiEvaluator::new(&game);
        let guess = |text: &str| evaluator.evaluate(&game.parse_position(text).unwrap());
        let board = "7/xxxxx2/xxxox2/oooxx2/oooox2/7 b 2345d";
        let [alone, both] = ["4/11////", "4/11////9"].map(|cleared| guess(&format!("{board} {cleared} 12")));
        assert!(alone > both, "{alone} {both}");
    }
}
