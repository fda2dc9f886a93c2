//! Players of limited strength. They choose a move at random. The worse a move is, the less likely they choose it.
//!
//! The loss of a move is the number of steps (`MoveWorth`) by which the move is worse than the best move. At a strength
//! of `s`, from 0 to 99, a move that loses `l` steps has the weight `exp(-l * 4s / (100 - s))`. At strength 0, all
//! moves are equally likely. At 50, a move that turns a draw into a loss is 55 times less likely than a best move. From
//! 90 on, mistakes are very rare. At 100, the player is not weakened. docs/explorer.md explains it for users.

use fastrand::Rng;

use super::combined_player::{CombinedPlayer, Scored};
use super::player::{Choice, Chosen, Limits, Listener, Player, PlayerReport, Score, no_move};
use super::session::Session;
use yomikiri_rules::{Outcome, Plies};

/// The strength of a player, from 0 (random moves) to 100 (full strength).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength(u8);

/// The factor 4 in the weight of a move, `exp(-loss * 4s / (100 - s))` at strength `s`. The probability of a move is
/// proportional to its weight.
const SHARPNESS: f64 = 4.0;

/// The number of points that count as one step, the unit of a move's loss. If no score is in points, a step is the
/// difference between a win and a draw, or between a draw and a loss.
const POINTS_OF_A_STEP: f64 = 8.0;

/// The estimate, in the unit of [`Score::Guess`], that counts as halfway from a draw to a win. Not used if some scores
/// are in points.
const HALF_SURE: f64 = 300.0;

/// The number of plies by which a move delays a win, or hastens a loss, if it loses a quarter of a step. A step is the
/// difference between a win and a draw. Even a longer delay loses less than half a step.
const SLOW: f64 = 10.0;

/// Multiplies the ply number, so that the seeds of successive moves are far apart.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Strength {
    /// Full strength.
    pub const FULL: Strength = Strength(100);

    /// Returns the strength, or `None` if the number is above 100.
    pub fn new(strength: u8) -> Option<Strength> {
        (strength <= 100).then_some(Strength(strength))
    }

    /// Chooses a move at random and returns its index. `losses` has the loss of each move, in steps. A step is the
    /// difference between a win and a draw, or 8 points. Returns `None` if there are no moves.
    pub fn draw(self, losses: &[f64], random: &mut Rng) -> Option<usize> {
        let weights: Vec<f64> = losses.iter().map(|&loss| self.weight(loss)).collect();
        let mut drawn = random.f64() * weights.iter().sum::<f64>();
        let found = weights.iter().position(|weight| {
            drawn -= weight;
            drawn < 0.0
        });
        // Rounding may leave a remainder after the last weight.
        found.or_else(|| weights.iter().rposition(|&weight| weight > 0.0))
    }

    /// Returns the weight of a move in the random choice. The move is `loss` steps worse than the best move, which has
    /// the weight 1.
    fn weight(self, loss: f64) -> f64 {
        match (self, loss) {
            (_, 0.0) => 1.0,
            (Strength::FULL, _) => 0.0,
            (Strength(strength), _) => {
                let strength = f64::from(strength);
                (-loss * SHARPNESS * strength / (100.0 - strength)).exp()
            }
        }
    }
}

/// The worth of a score in steps, the unit of a move's loss. A draw is one step better than a loss and one step worse
/// than a win. Points are converted to steps. Sooner wins and later losses are better.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct MoveWorth {
    steps: f64,
    /// The number of plies to the end, negated for a win; 0 for a score without a number of plies. Greater is better.
    plies: f64,
}

impl MoveWorth {
    /// Converts a score. `by_points` is true if some scores are in points.
    fn of(score: Score, by_points: bool) -> MoveWorth {
        let class = |outcome: Outcome| f64::from(outcome as u8) - f64::from(Outcome::Draw as u8);
        let sure = |outcome, plies: f64| MoveWorth { steps: class(outcome), plies };
        let plies = |plies: Plies| f64::from(plies.0);
        let even = |steps| MoveWorth { steps, plies: 0.0 };
        match score {
            Score::Won(after) => sure(Outcome::Win, -plies(after)),
            Score::Lost(after) => sure(Outcome::Loss, plies(after)),
            Score::Drawn => even(class(Outcome::Draw)),
            Score::Decided(outcome) => even(class(outcome)),
            Score::Points(points) => even(f64::from(points) / POINTS_OF_A_STEP),
            Score::Guess(guess) if by_points => even(f64::from(guess) / 100.0 / POINTS_OF_A_STEP),
            Score::Guess(guess) => {
                let guess = f64::from(guess);
                even(guess / (guess.abs() + HALF_SURE))
            }
        }
    }

    /// Returns the loss, in steps, of a move with this worth if the best move has the worth `best`.
    fn loss(self, best: MoveWorth) -> f64 {
        let slower = best.plies - self.plies;
        match best.steps - self.steps {
            0.0 => slower / (2.0 * (slower + SLOW)),
            steps => steps,
        }
    }
}

/// Returns the loss of each move: the number of steps by which its score is worse than the best score.
fn losses(scores: &[Score]) -> Vec<f64> {
    let by_points = scores.iter().any(|score| matches!(score, Score::Points(_)));
    let worths: Vec<MoveWorth> = scores.iter().map(|&score| MoveWorth::of(score, by_points)).collect();
    let better = |a: MoveWorth, b: &MoveWorth| if *b > a { *b } else { a };
    let best = worths.iter().skip(1).fold(worths.first().copied(), |best, worth| best.map(|best| better(best, worth)));
    worths.iter().filter_map(|worth| best.map(|best| worth.loss(best))).collect()
}

/// Plays at a given strength.
pub struct WeakenedPlayer<'a> {
    best: CombinedPlayer<'a>,
    strength: Strength,
    seed: u64,
}

impl<'a> WeakenedPlayer<'a> {
    /// Creates a player. The same seed gives the same moves in the same game.
    pub fn new(best: CombinedPlayer<'a>, strength: Strength, seed: u64) -> Self {
        WeakenedPlayer { best, strength, seed }
    }
}

impl Player for WeakenedPlayer<'_> {
    fn choose(&mut self, session: &Session, limits: &Limits, listener: &mut dyn Listener) -> Chosen {
        if self.strength == Strength::FULL {
            return self.best.choose(session, limits, listener);
        }
        let Scored { moves, source } = self.best.scores(session, limits, listener)?;
        let (moves, scores): (Vec<_>, Vec<_>) = moves.into_iter().unzip();
        let mut random = Rng::with_seed(self.seed.wrapping_add((session.moves_made() as u64).wrapping_mul(SPREAD)));
        let place = self.strength.draw(&losses(&scores), &mut random).ok_or_else(|| no_move(session))?;
        let (mv, score) = (moves[place], scores[place]);
        if let Some(source) = source {
            listener.report(PlayerReport::Known { score, mv, source });
        }
        Ok(Choice { mv, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(scores: &[Score]) -> Vec<String> {
        losses(scores).iter().map(|loss| format!("{loss:.3}")).collect()
    }

    #[test]
    fn moves_lose_outcomes_then_plies_or_points() {
        let [soon, late] = [3, 13].map(Plies);
        assert_eq!(
            lost(&[Score::Won(late), Score::Won(soon), Score::Drawn, Score::Lost(soon)]),
            ["0.250", "0.000", "1.000", "2.000"]
        );
        assert_eq!(lost(&[Score::Lost(soon), Score::Lost(late)]), ["0.250", "0.000"]);
        assert_eq!(lost(&[Score::Points(-2), Score::Points(6), Score::Points(5)]), ["1.000", "0.000", "0.125"]);
        // A win or loss by an unknown number of points counts as eight points.
        let by_points = [Score::Points(-2), Score::Lost(soon), Score::Drawn, Score::Points(4), Score::Won(soon)];
        assert_eq!(lost(&by_points), ["1.250", "2.000", "1.000", "0.500", "0.000"]);
        assert_eq!(lost(&[Score::Guess(300), Score::Guess(-300), Score::Drawn]), ["0.000", "1.000", "0.500"]);
        assert_eq!(lost(&[Score::Decided(Outcome::Win), Score::Guess(0)]), ["0.000", "1.000"]);
        assert!(losses(&[]).is_empty());
    }

    #[test]
    fn moves_are_drawn_as_likely_as_their_weights_say() {
        let losses = [1.0, 0.0, 0.25];
        for (strength, expected) in [(0, [1.0; 3]), (50, [0.0183, 1.0, 0.3679]), (100, [0.0, 1.0, 0.0])] {
            let (strength, mut random) = (Strength::new(strength).unwrap(), Rng::with_seed(1));
            let mut counts = [0u32; 3];
            for _ in 0..20_000 {
                counts[strength.draw(&losses, &mut random).unwrap()] += 1;
            }
            let all: f64 = expected.iter().sum();
            for (count, weight) in counts.into_iter().zip(expected) {
                let (found, expected) = (f64::from(count) / 20_000.0, weight / all);
                assert!((found - expected).abs() < 0.01, "{strength:?}: {counts:?}");
            }
        }
        assert_eq!(Strength::new(101), None);
        assert_eq!(Strength::FULL.draw(&[], &mut Rng::with_seed(1)), None);
    }
}
