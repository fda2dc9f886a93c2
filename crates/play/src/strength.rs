//! Players that are not perfect: moves are drawn, the likelier the less they lose.
//!
//! What a move loses against the best one is a number of steps (`Worth`). At a strength of `s`, 0 to 99, a move that
//! loses `l` steps has the weight `exp(-l * 4s / (100 - s))`: at 0 all moves are equally likely, at 50 one that turns a
//! draw into a loss is 55 times less likely than a best one, from 90 on mistakes hardly happen. 100 is the player as it
//! is. docs/explorer.md has the same for people.

use fastrand::Rng;

use super::combined_player::{CombinedPlayer, Scored};
use super::player::{Choice, Chosen, Limits, Listener, Player, Report, Score, no_move};
use super::session::Session;
use yomikiri_rules::{Outcome, Plies};
use yomikiri_solve::{Evaluate, Solvable};

/// How well to play, from 0, any move, to 100, as well as can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength(u8);

/// Sharpness of a strength of 50.
const SHARPNESS: f64 = 4.0;

/// Points that are as bad to lose as half a game.
const POINTS_OF_A_STEP: f64 = 8.0;

/// What a guess has to be, in its unit, to count half as much as certainty.
const HALF_SURE: f64 = 300.0;

/// Plies by which half the most is lost that slowness can lose.
const SLOW: f64 = 10.0;

/// Spreads the numbers of plies over the seeds.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Strength {
    /// As well as can be.
    pub const FULL: Strength = Strength(100);

    /// A strength of 0 to 100.
    pub fn new(strength: u8) -> Option<Strength> {
        (strength <= 100).then_some(Strength(strength))
    }

    /// The place of one of several moves, drawn by what each loses in steps; `None` if there are none.
    pub fn draw(self, losses: &[f64], random: &mut Rng) -> Option<usize> {
        let weights: Vec<f64> = losses.iter().map(|&loss| self.weight(loss)).collect();
        let mut drawn = random.f64() * weights.iter().sum::<f64>();
        let found = weights.iter().position(|weight| {
            drawn -= weight;
            drawn < 0.0
        });
        // Rounding may leave nothing for the last ones.
        found.or_else(|| weights.iter().rposition(|&weight| weight > 0.0))
    }

    /// How likely a move is that loses so many steps, 1 being a best move.
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

/// What a score is worth in steps: two from a loss to a win, a draw between them; points as they are. Among wins the
/// sooner is better, among losses the later.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Worth {
    steps: f64,
    /// Plies, negative in wins.
    plies: f64,
}

impl Worth {
    /// `by_points` in games that are about points.
    fn of(score: Score, by_points: bool) -> Worth {
        let class = |outcome: Outcome| outcome as u8 as f64;
        let sure = |outcome, plies: f64| Worth { steps: class(outcome), plies };
        let plies = |plies: Plies| f64::from(plies.0);
        let even = |steps| Worth { steps, plies: 0.0 };
        match score {
            Score::Won(after) => sure(Outcome::Win, -plies(after)),
            Score::Lost(after) => sure(Outcome::Loss, plies(after)),
            Score::Drawn if by_points => even(0.0),
            Score::Drawn => even(class(Outcome::Draw)),
            Score::Decided(outcome) => even(class(outcome)),
            Score::Points(points) => even(f64::from(points) / POINTS_OF_A_STEP),
            Score::Guess(guess) if by_points => even(f64::from(guess) / 100.0 / POINTS_OF_A_STEP),
            Score::Guess(guess) => {
                let guess = f64::from(guess);
                even(class(Outcome::Draw) + guess / (guess.abs() + HALF_SURE))
            }
        }
    }

    /// What a move with this worth loses against one that is at least as good.
    fn loss(self, best: Worth) -> f64 {
        let slower = best.plies - self.plies;
        match best.steps - self.steps {
            0.0 => slower / (2.0 * (slower + SLOW)),
            steps => steps,
        }
    }
}

/// What each move loses against the best, in steps, by what is known or guessed of it.
fn losses(scores: &[Score]) -> Vec<f64> {
    let by_points = scores.iter().any(|score| matches!(score, Score::Points(_)));
    let worths: Vec<Worth> = scores.iter().map(|&score| Worth::of(score, by_points)).collect();
    let better = |a: Worth, b: &Worth| if *b > a { *b } else { a };
    let best = worths.iter().skip(1).fold(worths.first().copied(), |best, worth| best.map(|best| better(best, worth)));
    worths.iter().filter_map(|worth| best.map(|best| worth.loss(best))).collect()
}

/// Plays as well as its strength says.
pub struct WeakenedPlayer<'a, G: Solvable> {
    best: CombinedPlayer<'a, G>,
    strength: Strength,
    seed: u64,
}

impl<'a, G: Solvable + Evaluate> WeakenedPlayer<'a, G> {
    /// A player that makes the same moves again in the same game with the same seed.
    pub fn new(best: CombinedPlayer<'a, G>, strength: Strength, seed: u64) -> Self {
        WeakenedPlayer { best, strength, seed }
    }
}

impl<G: Solvable + Evaluate> Player<G> for WeakenedPlayer<'_, G> {
    fn choose(&mut self, session: &Session<G>, limits: &Limits, listener: &mut dyn Listener<G::Move>) -> Chosen<G> {
        if self.strength == Strength::FULL {
            return self.best.choose(session, limits, listener);
        }
        let Scored { moves, source } = self.best.scores(session, limits, listener)?;
        let (moves, scores): (Vec<_>, Vec<_>) = moves.into_iter().unzip();
        let mut random = Rng::with_seed(self.seed.wrapping_add((session.moves_made() as u64).wrapping_mul(SPREAD)));
        let place = self.strength.draw(&losses(&scores), &mut random).ok_or_else(|| no_move(session))?;
        let (mv, score) = (moves[place], scores[place]);
        if let Some(source) = source {
            listener.hear(Report::Known { score, mv, source, remark: String::new() });
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
